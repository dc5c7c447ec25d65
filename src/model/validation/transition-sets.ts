// A transition sets members that it may set, to values that they can hold, wherever these come from.
import type { Place } from "../../base/problem.ts"
import { suggest } from "../../base/suggest.ts"
import { setFrom } from "../build/build-state-machines.ts"
import type {
  FieldDeclaration,
  OneDeclaration,
  ResourceDeclaration,
  ServiceDeclaration,
} from "../declaration/declaration.ts"
import { defaultColumn, referenceName } from "../declaration/default-names.ts"
import { foreignKey, keyOf, namesKey, own } from "../declaration/keys.ts"
import { machinesIn } from "../declaration/states.ts"
import type { TransitionSet } from "../model.ts"
import { scalars } from "../scalars.ts"
import { type PlacedResource, type PlacedTransition, type Rule, transitionsOf } from "./context.ts"
import { wrongValue } from "./wrong-value.ts"

export const transitionSets: Rule = (service, report) => {
  for (const transition of transitionsOf(service))
    for (const [name, declared] of Object.entries(transition.member.set ?? {})) {
      const member = memberOf(service, transition.of, name)
      const at: Place = [...transition.place, "set", name]
      if (!member) {
        const names = Object.keys(settable(service, transition.of))
        report(at, `"${transition.of.name}" has no member "${name}" to set.`, suggest(name, names))
        continue
      }
      const why = whyFixed(service, transition.of, member)
      const value = setFrom(member.field, declared)
      const wrong = why === undefined ? wrongSet(service, transition, member, value) : undefined
      if (why !== undefined) report(at, `"${name}" cannot be set: ${why}.`)
      else if (wrong !== undefined) report(at, ...wrong)
    }
}

type Member = { readonly name: string } & (
  | { readonly field: FieldDeclaration; readonly relation?: never }
  /** By its reference, such as `customerId`. */
  | { readonly relation: OneDeclaration; readonly field?: never }
)

type Said = readonly [message: string, hint?: string | undefined]

function settable(
  service: ServiceDeclaration,
  { resource }: PlacedResource,
): Readonly<Record<string, Member>> {
  const fields = Object.entries(resource.fields).map(([name, field]): Member => ({ name, field }))
  const references = Object.entries(resource.relations ?? {}).flatMap(([name, relation]): Member[] => {
    const join = relation.kind === "one" ? foreignKey(service, name, relation) : undefined
    return join && relation.kind === "one" && namesKey(keyOf(service, relation.target), join)
      ? [{ name: referenceName(name), relation }]
      : []
  })
  return Object.fromEntries([...fields, ...references].map((member) => [member.name, member]))
}

const memberOf = (service: ServiceDeclaration, of: PlacedResource, name: string): Member | undefined =>
  own(settable(service, of), name)

/** Why no transition may set it: the rest of a sentence. */
function whyFixed(
  service: ServiceDeclaration,
  { name: here, resource }: PlacedResource,
  { name, field, relation }: Member,
): string | undefined {
  if (own(machinesIn(resource.states), name)) return "it holds a state, which the transition itself changes"
  if (field?.generated) return "it is computed by the database"
  if (field?.immutable) return "it is immutable"
  const related = relatedColumns(service, resource)
  const columns = field
    ? [defaultColumn(name, field)]
    : [...related].flatMap(([column, owner]) => (owner === relation ? [column] : []))
  const key = new Set(keyOf(service, here)?.parts.map(({ column }) => column))
  if (columns.some((column) => key.has(column))) return "it is in the key, which never changes"
  return field && columns.some((column) => related.has(column))
    ? "its column is a relation's, which is set by its reference"
    : undefined
}

function relatedColumns(
  service: ServiceDeclaration,
  { relations }: ResourceDeclaration,
): ReadonlyMap<string, OneDeclaration> {
  return new Map(
    Object.entries(relations ?? {}).flatMap(([name, relation]) =>
      relation.kind === "one"
        ? (foreignKey(service, name, relation) ?? []).map(({ from }) => [from, relation] as const)
        : [],
    ),
  )
}

function wrongSet(
  service: ServiceDeclaration,
  transition: PlacedTransition,
  member: Member,
  value: TransitionSet["value"],
): Said | undefined {
  switch (value.kind) {
    case "now":
      return undefined
    case "viewer":
      return wrongViewer(service, member)
    case "input":
      return wrongInput(service, transition, member, value.name)
    case "constant":
      return wrongConstant(service, member, value.json)
  }
}

function wrongViewer({ viewer }: ServiceDeclaration, { name, relation }: Member): Said | undefined {
  if (viewer === undefined)
    return [`"${name}" cannot be the viewer: the service declares none.`, "Give it a `viewer`."]
  return relation?.target === viewer
    ? undefined
    : [
        `"${name}" cannot be the viewer: it does not refer to "${viewer}".`,
        "viewer.id is for references to it.",
      ]
}

function wrongInput(
  service: ServiceDeclaration,
  { name: transition, member: { input } }: PlacedTransition,
  { name, field }: Member,
  from: string,
): Said | undefined {
  const given = own(input, from)
  if (!given) return [`"${transition}" has no input "${from}".`, suggest(from, Object.keys(input ?? {}))]
  const why = field
    ? whyUnfit(service, given, field)
    : given.scalar === "text" && !given.list
      ? undefined
      : "it is no text, as the ids of records are"
  return why === undefined ? undefined : [`The input "${from}" does not fit "${name}": ${why}.`]
}

/** Why what is given is never a value of the field; how long or great it is, is looked at when it is given. */
function whyUnfit(
  { enums }: ServiceDeclaration,
  given: FieldDeclaration,
  field: FieldDeclaration,
): string | undefined {
  const kind = ({ scalar, list }: FieldDeclaration): string => (list ? `a list of ${scalar}` : scalar)
  const isText = field.scalar === "text" && scalars[given.scalar].family === "text"
  if (given.list !== field.list || (given.scalar !== field.scalar && !isText))
    return `it is ${kind(given)}, not ${kind(field)}`
  if (field.scalar !== "oneOf") return undefined
  const valuesOf = ({ of }: FieldDeclaration): readonly string[] =>
    (typeof of === "string" ? own(enums, of)?.values : of) ?? []
  const values = valuesOf(field)
  const others = valuesOf(given).filter((value) => !values.includes(value))
  return others.length === 0 ? undefined : `it may be ${others.map((value) => `"${value}"`).join(", ")}`
}

function wrongConstant(
  service: ServiceDeclaration,
  { name, field, relation }: Member,
  json: unknown,
): Said | undefined {
  if (json === null)
    return (field ?? relation)?.optional === true
      ? undefined
      : [`"${name}" cannot be set to null: it always has a value.`, "Make it optional."]
  if (!field)
    return [
      `"${name}" leads to a record, which a declaration cannot name.`,
      "Set it to viewer.id, to what an input gives, or to null.",
    ]
  const wrong = wrongValue(service, field, json)
  return wrong === undefined ? undefined : [`"${name}" must be set to ${wrong}, not ${JSON.stringify(json)}.`]
}
