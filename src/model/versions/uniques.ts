// Unique keys of an older version. A key with changed fields stays if former fields and today's key determine each other.
// Then each address that the version shows leads to one record.

import type { JsonValue } from "../../base/json.ts"
import { referenceName } from "../declaration/default-names.ts"
import { evaluate } from "../evaluation/evaluate.ts"
import { type Expression, hasCode, operandsOf, sourcesIn } from "../expression.ts"
import { type FormerField, formerFields, isFormerField } from "../former-fields.ts"
import type { ApiChange, Field, Resource, Unique, UniqueMember } from "../model.ts"
import { apiName } from "../names.ts"
import { scalars } from "../scalars.ts"
import { wrongValue } from "../validation/wrong-value.ts"
import { fieldOf, serviceOf } from "./check-change.ts"
import type { Of, Undoing } from "./undoing.ts"

type Newest = Undoing["newest"]

/** Why the version has no such key. */
interface Lost {
  readonly why: string
}

const isLost = (found: Unique | Lost): found is Lost => "why" in found

/** Those that the version has, of the whole service. @param resource as the version has it */
export const uniquesOf = (newest: Newest, resource: Resource): readonly Unique[] =>
  (newest.resources.get(resource.name)?.uniques ?? []).flatMap((unique) => {
    const found = uniqueThen(newest, resource, unique)
    return isLost(found) ? [] : [found]
  })

/** @returns reports the keys that the change takes from older versions, where none of `changes` says that it breaks them */
export function watchUniques(
  undoing: Undoing,
  { resource: of, now }: Of<"changed">,
  changes: readonly ApiChange[],
): () => void {
  const { newest, resources, report } = undoing
  const before = [...resources.values()].find((one) => apiName(one) === of)
  const isSaid = changes.some(
    (change) =>
      change.kind === "breaking" &&
      change.resource === of &&
      (change.member === undefined || now.includes(change.member)),
  )
  const uniques = newest.resources.get(before?.name ?? "")?.uniques ?? []
  const kept = uniques.filter((unique) => before && !isLost(uniqueThen(newest, before, unique)))
  return () => {
    const after = before && resources.get(before.name)
    for (const unique of after && !isSaid ? kept : []) {
      const then = after && uniqueThen(newest, after, unique)
      if (then && isLost(then))
        report?.(
          `Older versions lose the address by "${unique.name}": ${then.why}.`,
          `Say { breaking: "${of}.${now[0]}" } in the same version where their clients may lose it.`,
        )
    }
  }
}

function uniqueThen(newest: Newest, resource: Resource, unique: Unique): Unique | Lost {
  const places = unique.members.map((member) => membersThen(resource, member))
  if (places.some((found) => found.length === 0))
    return { why: "a part of it is nowhere in the former fields" }
  const members = distinct(places.flat())
  const formers = members.flatMap((member): readonly string[] => {
    const field = member.kind === "field" ? resource.fields.get(member.field) : undefined
    return field && isFormerField(field) ? [field.name] : []
  })
  if (JSON.stringify(members) === JSON.stringify(unique.members) && formers.length === 0) return unique
  const name = members.map((member) => nameOf(resource, member)).join("_")
  if (formers.length === 0) return { name, members }
  const why = whyLost(newest, resource, unique, formers)
  return why === undefined ? { name, members, newest: unique.members } : { why }
}

const distinct = (members: readonly UniqueMember[]): readonly UniqueMember[] => [
  ...new Map(members.map((member) => [JSON.stringify(member), member])).values(),
]

const nameOf = ({ relations }: Resource, member: UniqueMember): string => {
  if (member.kind === "field") return member.field
  const relation = relations.get(member.relation)
  return (relation?.kind === "one" && relation.reference) || referenceName(member.relation)
}

/** The version's members for one of the newest: itself, or the former fields that are read of it. */
function membersThen({ fields, relations }: Resource, member: UniqueMember): readonly UniqueMember[] {
  const isNow = ({ name, current = name }: { readonly name: string; readonly current?: string }): boolean =>
    current === (member.kind === "field" ? member.field : member.relation)
  if (member.kind === "reference") {
    const relation = [...relations.values()].find((one) => isNow(one))
    return relation?.kind === "one" && relation.reference !== undefined && !relation.first
      ? [{ kind: "reference", relation: relation.name }]
      : []
  }
  const own = [...fields.values()].find((field) => !isFormerField(field) && isNow(field))
  const all = own
    ? [own]
    : [...fields.values()].filter(({ computed }) => computed && sourcesIn(computed).includes(member.field))
  return all.map(({ name }) => ({ kind: "field", field: name }))
}

/** The reason why the former fields and today's key do not say each other. */
function whyLost(
  newest: Newest,
  resource: Resource,
  unique: Unique,
  names: readonly string[],
): string | undefined {
  const now = unique.members.flatMap((member) => (member.kind === "field" ? [member.field] : []))
  const changed = now.filter(
    (name) =>
      ![...resource.fields.values()].some(
        (field) => !isFormerField(field) && (field.current ?? field.name) === name,
      ),
  )
  const evaluated = formerFields(resource)
  const formers: FormerField[] = []
  for (const name of names) {
    const former = evaluated.find(({ field }) => field.name === name)
    if (!former) return `\`reads\` of "${name}" is not an expression of the record's own fields`
    const other = former.sources.find((source) => !changed.includes(source))
    if (other !== undefined) return `"${name}" is read of "${other}", which is no part of the key`
    formers.push(former)
  }
  for (const name of changed) {
    const lens = formers.map(({ field }) => field.lens).find((one) => one?.writes.has(name))
    const writes = lens?.writes.get(name)
    if (!writes || hasCode(writes)) return `no expression in \`writes\` says "${name}"`
    const other = sourcesIn(writes).find((source) => !names.includes(source))
    if (other !== undefined) return `"${name}" is written of "${other}", which is no part of the key`
  }
  return lostOnTheWay(newest, resource, changed, formers)
}

// Whether former fields say all that today's say: values of today's fields, read as former ones and written back.
type Plain = null | boolean | number | string

type Values = ReadonlyMap<string, Plain>

const plain = (value: JsonValue): Plain => (typeof value === "object" ? null : value)

/** Records that are tried, at most. */
const mostTried = 1000

/** In words, a record that comes back as another; undefined where each that is tried comes back. @param changed names of today's fields */
function lostOnTheWay(
  newest: Undoing["newest"],
  { name }: Resource,
  changed: readonly string[],
  formers: readonly FormerField[],
): string | undefined {
  const fields = changed.flatMap((one) => newest.resources.get(name)?.fields.get(one) ?? [])
  const writes = new Map(formers.flatMap(({ field }) => [...(field.lens?.writes ?? [])]))
  const expressions = [...formers.map(({ expression }) => expression), ...writes.values()]
  const tried = fields.map((field) => [field, valuesOf(newest, field, expressions)] as const)
  for (const record of recordsOf(tried)) {
    const shown = new Map(
      formers.map(({ field, expression }) => [field.name, plain(evaluate(expression, field, record))]),
    )
    const back = new Map(
      fields.map((field) => {
        const expression = writes.get(field.name)
        return [field.name, expression ? plain(evaluate(expression, field, shown)) : null]
      }),
    )
    if (text(back) !== text(record))
      return `today's ${text(record)} is shown as ${text(shown)}, and that leads to ${text(back)}`
  }
  return undefined
}

const text = (values: Values): string =>
  [...values.values()].map((value) => JSON.stringify(value)).join(" and ")

/** Each value of a field with each one of the others. */
function recordsOf(tried: readonly (readonly [Field, readonly Plain[]])[]): readonly Values[] {
  return tried.reduce<readonly Values[]>(
    (records, [{ name }, values]) =>
      values
        .flatMap((value) => records.map((record) => new Map([...record, [name, value]])))
        .slice(0, mostTried),
    [new Map()],
  )
}

/** Values that a field may have: all of an enumeration, else those that its bounds and the expressions suggest. */
function valuesOf(
  newest: Undoing["newest"],
  field: Field,
  expressions: readonly Expression[],
): readonly Plain[] {
  const { scalar, constraints } = field
  const service = serviceOf(newest)
  const texts = expressions.flatMap(textsIn)
  const all: readonly Plain[] =
    field.enumeration !== undefined
      ? [...(newest.enums.get(field.enumeration)?.values ?? [])]
      : scalar === "boolean"
        ? [false, true]
        : scalars[scalar].family === "number"
          ? numbersOf(field).map((value) => plain(evaluate({ kind: "constant", value }, field, new Map())))
          : scalars[scalar].unit !== undefined
            ? [
                "",
                "a",
                "B",
                "ann@x.org",
                "Ann@x.org",
                "aB",
                "Ab-c d",
                ...texts,
                ...texts.flatMap((one) => [`a${one}`, `a${one}b`, `a${one}b${one}c`]),
              ]
            : []
  return [...new Set(all)].filter(
    (value) =>
      value !== null && wrongValue(service, { ...fieldOf(field), ...constraints }, value) === undefined,
  )
}

function numbersOf({ scalar, constraints: { scale = 0, min, max } }: Field): readonly string[] {
  const least = scalar === "decimal" && scale > 0 ? [`0.${"1".padStart(scale, "0")}`] : []
  return [
    "0",
    "1",
    "-1",
    "10",
    "1234567",
    ...least,
    ...[min, max].flatMap((bound) => (bound === undefined ? [] : [String(bound)])),
  ]
}

/** Constants, separators and values in the place of others. */
const textsIn = (expression: Expression): readonly string[] => [
  ...(expression.kind === "constant" && typeof expression.value === "string" ? [expression.value] : []),
  ...(expression.kind === "part" ? [expression.separator] : []),
  ...(expression.kind === "mapped" ? expression.to.flat() : []),
  ...operandsOf(expression).flatMap(textsIn),
]
