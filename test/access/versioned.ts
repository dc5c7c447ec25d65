// Services with rules as an older version of their API has them: renamed members and states, fields of several, moved fields.

import { evaluate } from "../../src/model/evaluation/evaluate.ts"
import type { Expression } from "../../src/model/expression.ts"
import { formerColumn, formerFields } from "../../src/model/former-fields.ts"
import type { ApiChange, Field, Model, Resource } from "../../src/model/model.ts"
import { pascalCase } from "../../src/model/names.ts"
import { isSortable } from "../../src/model/operators.ts"
import { modelAt } from "../../src/model/versions/model-at.ts"
import type { Value } from "../../src/plan/read-plan.ts"
import type { Row, World } from "../properties/evaluate.ts"
import type { Store } from "../support/naive-access.ts"
import type { Change } from "./changes.ts"
import type { Guarded } from "./guarded.ts"
import type { Twin } from "./twin.ts"

export const older = "2026-01-01"

/** The same service with an older version, in which each resource has changed in every way that it can. */
export const withOlder = (service: Guarded): Guarded => ({ ...service, whole: atVersions(service.whole) })

/** The same with an older version in which names of resources, members and states are other ones. */
export const withOlderNames = (service: Guarded): Guarded => ({
  ...service,
  whole: atVersions(service.whole, (resource) => [
    { kind: "renamedResource", resource: resource.name, before: `was${pascalCase(resource.name)}` },
    ...renamesOf(resource),
  ]),
})

export function atVersions(
  { versions: _, ...model }: Model,
  changesOf = (resource: Resource): readonly ApiChange[] => everyChangeOf(model, resource),
): Model {
  const changes = [...model.resources.values()].flatMap(changesOf)
  return {
    ...model,
    versions: [
      { name: "2026-06-01", changes },
      { name: older, changes: [] },
    ],
  }
}

const isPlain = ({ computed, generated, list, state, shownOnly }: Field): boolean =>
  !computed && !generated && !list && !state && !shownOnly

const referring = ({ relations }: Resource) =>
  [...relations.values()].find((one) => one.kind === "one" && one.reference !== undefined)

function renamesOf(of: Resource): readonly ApiChange[] {
  const { name: resource, fields, machines } = of
  const text = [...fields.values()].find((field) => isPlain(field) && field.scalar === "text")
  const relation = referring(of)
  const [machine] = [...machines.values()]
  const [state] = machine?.states.keys() ?? []
  const renamed = (now: string): ApiChange => ({
    kind: "renamed",
    resource,
    before: `was${pascalCase(now)}`,
    now,
  })
  return [
    ...(text ? [renamed(text.name)] : []),
    ...(relation ? [renamed(relation.name)] : []),
    ...(machine && state !== undefined
      ? [{ kind: "renamedValue", resource, field: machine.name, before: `was_${state}`, now: state } as const]
      : []),
  ]
}

function everyChangeOf(model: Model, of: Resource): readonly ApiChange[] {
  const { name: resource, fields, relations } = of
  const plain = [...fields.values()].filter(isPlain)
  const [text, second] = plain.filter(({ scalar, unique }) => scalar === "text" && !unique)
  const number = plain.find(({ scalar }) => scalar === "integer")
  const relation = referring(of)
  const far =
    relation &&
    [...(model.resources.get(relation.target)?.fields.values() ?? [])].find(
      (one) => isPlain(one) && one.scalar === "text",
    )
  const several = [...relations.values()].findLast((one) => one.kind === "many" && !one.history)
  const target = several && model.resources.get(several.target)
  // Another one than is renamed, preferably one that not everybody sees.
  const order = [...(target?.fields.values() ?? [])]
    .filter((one) => isPlain(one) && isSortable(one) && one.scalar !== "text")
    .toSorted((a, b) => Number(b.read !== undefined) - Number(a.read !== undefined))[0]
  const former = (called: string, like: Field, reads: Expression): ApiChange => ({
    kind: "removed",
    resource,
    ignored: false,
    before: {
      field: { ...like, name: called, column: `${formerColumn}${called}`, optional: true, unique: false },
      reads,
    },
  })
  const own = (field: Field): Expression => ({ kind: "field", field: field.name })
  return [
    ...renamesOf(of),
    ...(several && target?.key
      ? [
          {
            kind: "widened",
            resource,
            before: `first${pascalCase(several.name)}`,
            now: several.name,
            first: [{ member: order?.name ?? "id", descending: true }],
            required: false,
          } as const,
        ]
      : []),
    ...(text && second ? [former("bothTexts", text, { kind: "concat", of: [own(text), own(second)] })] : []),
    ...(number
      ? [
          former("oneMore", number, {
            kind: "arithmetic",
            operator: "add",
            of: [own(number), { kind: "constant", value: 1 }],
          }),
        ]
      : []),
    ...(relation && far
      ? [former("farText", far, { kind: "related", relation: relation.name, field: far.name })]
      : []),
  ]
}

/** Names and values of the older version. */
export function atOlder(service: Guarded): Guarded {
  const whole = modelAt(service.whole, older)
  return { ...service, whole, world: worldAt(whole, service.world) }
}

export function twinAt(service: Guarded, twin: Twin): Twin {
  const whole = modelAt(service.whole, older)
  return {
    ...twin,
    world: worldAt(whole, twin.world),
    changes: twin.changes.flatMap((change) => [change, ...changesAt(whole, change)]),
  }
}

/** Members of the older version that show what was changed: `value of name of customer`. */
function changesAt(whole: Model, change: string): readonly string[] {
  const [, member, resource] = /^value of (\w+) of (\w+)$/.exec(change) ?? []
  const of = resource === undefined ? undefined : whole.resources.get(resource)
  if (!of || member === undefined) return []
  const names = [
    ...[...of.fields.values()].flatMap(({ name, current }) => (current === member ? [name] : [])),
    ...formerFields(of).flatMap(({ field, sources }) => (sources.includes(member) ? [field.name] : [])),
  ]
  return names.map((name) => `value of ${name} of ${resource}`)
}

function worldAt(model: Model, world: World): World {
  const rowAt = (resource: Resource, row: Row): Row => {
    const former = formerFields(resource).map(({ field, expression, sources }) => {
      const values = new Map(sources.map((source) => [source, (row[source] ?? null) as Value]))
      return [field.name, evaluate(expression, field, values)] as const
    })
    const firsts = [...resource.relations.values()].flatMap((relation) =>
      relation.kind === "one" && relation.first && relation.reference && relation.current
        ? [
            [
              relation.reference,
              world.related(resource.name, relation.current, row)[0]?.["id"] ?? null,
            ] as const,
          ]
        : [],
    )
    return { ...row, ...renamedIn(resource, row), ...Object.fromEntries([...former, ...firsts]) }
  }
  const rows = new Map(
    [...world.rows].map(([name, all]) => {
      const resource = model.resources.get(name)
      return [name, resource ? all.map((row) => rowAt(resource, row)) : all] as const
    }),
  )
  return {
    model,
    rows,
    related(name, relation, row) {
      const current = model.resources.get(name)?.relations.get(relation)?.current ?? relation
      return world.related(name, current, row)
    },
  }
}

/** Its fields and references by the names of the version. */
function renamedIn(resource: Resource, row: Row): Row {
  const fields = [...resource.fields.values()].map(
    ({ name, current = name }) => [name, row[current]] as const,
  )
  const references = [...resource.relations.values()].flatMap((relation) =>
    relation.kind === "one" && relation.reference && relation.current && !relation.first
      ? [[relation.reference, row[`${relation.current}Id`]] as const]
      : [],
  )
  return Object.fromEntries([...fields, ...references])
}

/** Records with the names of the version beside those since. */
export const storeAt = ({ resources }: Model, { records, links }: Store): Store => ({
  links,
  records: Object.fromEntries(
    Object.entries(records).map(([name, rows]) => {
      const resource = resources.get(name)
      return [name, resource ? rows.map((row) => ({ ...row, ...renamedIn(resource, row as Row) })) : rows]
    }),
  ),
})

/** With the names since. */
export const changesSince = (whole: Model, changes: readonly Change[]): readonly Change[] =>
  changes.flatMap((change): readonly Change[] => {
    const resource = "resource" in change ? whole.resources.get(change.resource) : undefined
    if (!resource || !("given" in change) || change.kind === "fire") return [change]
    const relationOf = (member: string) =>
      [...resource.relations.values()].find((one) => one.kind === "one" && one.reference === member)
    const since = (member: string): string => {
      const relation = relationOf(member)
      if (relation?.current !== undefined && relation.kind === "one" && !relation.first)
        return `${relation.current}Id`
      return resource.fields.get(member)?.current ?? member
    }
    const links: Change[] = []
    const given = Object.entries(change.given).flatMap(([member, value]) => {
      const relation = relationOf(member)
      // A new record can be linked to the only one that an older version knows of.
      const isLink = change.kind === "create" && relation?.kind === "one" && relation.first !== undefined
      if (!isLink) return [[since(member), value] as const]
      const { current: to = "" } = relation
      if (value !== null)
        links.push({
          kind: "link",
          resource: resource.name,
          id: change.id,
          relation: to,
          other: String(value),
        })
      return []
    })
    const then = { ...change, given: Object.fromEntries(given) }
    if (then.kind === "put") return [then]
    if (then.kind === "upsert") return [{ ...then, unique: since(then.unique) }]
    const chosen = then.chosen?.map(since)
    return [{ ...then, ...(chosen && { chosen }) }, ...links]
  })
