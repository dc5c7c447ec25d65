// The permission matrix in words: actions, records and fields of each kind of actor, as the visible model leaves them.
import { present } from "../../base/invariant.ts"
import type { Condition, Slot } from "../../model/condition.ts"
import type { Action, Field, Model, Resource } from "../../model/model.ts"
import { actions } from "../../model/policy-declaration.ts"
import { noResource, rulesOf } from "../access/policies.ts"
import type { ActionName, ResourceRules, Rule } from "../access/policy-types.ts"
import { type Claims, setsViewer, stranger, visibleModelOf } from "../access/visible-model.ts"
import { everyRecord } from "../every-record.ts"
import { partsIn } from "../fold.ts"
import { resourceNamed, transitionsOf } from "../lookup.ts"
import { printCondition, type Wording, wordingOf } from "./print-policy.ts"

export interface PermissionMatrix {
  readonly service: string
  /** Titles of the kinds of actors, in the order of the cells. */
  readonly actors: readonly string[]
  readonly resources: readonly ResourceMatrix[]
  /** Operations of the service, without a record: `all` for actors that may call one. */
  readonly operations: readonly CodeUse[]
}

export interface ResourceMatrix {
  readonly name: string
  readonly actions: Readonly<Record<ActionName, readonly Cell[]>>
  /** Callers of each transition, in their order; its condition on the record is for every caller. */
  readonly transitions: readonly Use[]
  /** Roles, scopes and tiers that its records give, and callers that may grant them. */
  readonly grants: readonly Use[]
  /** Own operations on its records. */
  readonly ownActions: readonly CodeUse[]
  /** Hooks with permissions of their own, for every write of the kind. */
  readonly hooks: readonly CodeUse[]
}

/** Callers of one action. */
export interface Use {
  readonly name: string
  readonly cells: readonly Cell[]
}

/** Actors that may call user code. */
export interface CodeUse extends Use {
  /** The actor that its `db` runs as, such as `role:staff`; null for the caller. */
  readonly as: string | null
}

/** Permissions of one kind of actor. */
export interface Cell {
  readonly actor: string
  /** `all`, or the condition of the records; null for none. */
  readonly records: string | null
  /** Exceptions for fields of those records: hidden, or visible only where a condition holds. */
  readonly fields: readonly { readonly names: readonly string[]; readonly records: string | null }[]
}

/** Throws a Refusal when the service's rules have mistakes. */
export function permissionMatrixOf(model: Model): PermissionMatrix {
  const kinds = [...singleActorClasses(model), ...tellingKinds(model)]
  const audiences = kinds.map((kind) => ({ kind, own: visibleModelOf(model, kind.standing) }))
  const cells = (cell: (kind: Kind, own: Model) => Cell): readonly Cell[] =>
    audiences.map(({ kind, own }) => cell(kind, own))
  const resources = [...model.resources.values()].map((resource): ResourceMatrix => {
    const done = (action: ActionName) => cells((kind, own) => cellOf(kind, own, resource, action))
    return {
      name: resource.name,
      actions: {
        read: done("read"),
        create: done("create"),
        update: done("update"),
        delete: done("delete"),
      },
      transitions: transitionsOf(resource).map(({ name }) => ({
        name,
        cells: cells((kind, own) => useCell(kind, own, resource, transitionAllowOf(own, resource, name))),
      })),
      grants: (resource.grants ?? []).map((grant, index) => ({
        name: grant.name === null ? `no ${grant.kind}` : `${grant.kind} ${grant.name}`,
        cells: cells((kind, own) => useCell(kind, own, resource, grantAllowOf(own, resource, index))),
      })),
      ownActions: actionsOf(resource.actions).map((action) => ({
        ...titleOf(action),
        cells: cells((kind, own) => useCell(kind, own, resource, ownAllowOf(own, resource, action))),
      })),
      hooks: Object.entries(resource.before ?? {}).flatMap(([name, { as }]) =>
        as ? [{ ...titleOf({ name, as }), cells: [] }] : [],
      ),
    }
  })
  const operations = actionsOf(model.operations).map((operation) => ({
    ...titleOf(operation),
    cells: cells((kind, own) => useCell(kind, own, noResource, operationAllowOf(own, operation))),
  }))
  return { service: model.name, actors: kinds.map(({ title }) => title), resources, operations }
}

const actionsOf = (actions: Resource["actions"]): readonly Action[] => [...(actions?.values() ?? [])]

/** Actors of `as` are signed in. */
function titleOf({ name, as }: Pick<Action, "name" | "as">): Omit<CodeUse, "cells"> {
  if (!as) return { name, as: null }
  const lent = [...as.roles.map((role) => `role:${role}`), ...as.scopes.map((scope) => `scope:${scope}`)]
  return { name, as: lent.length > 0 ? lent.join("+") : "signedIn" }
}

function cellOf({ title }: Kind, own: Model, whole: Resource, action: ActionName): Cell {
  const resource = own.resources.get(whole.name)
  const records = recordsOf(resource, action)
  if (!resource || !records) return { actor: title, records: null, fields: [] }
  const print = printer(own, whole)
  const groups = new Map<string | null, string[]>()
  for (const field of fieldsFor(whole, action)) {
    const left = leftOf(resource, field, action)
    if (left === undefined) continue
    const text = left === false ? null : print(left)
    groups.set(text, [...(groups.get(text) ?? []), field.name])
  }
  const fields = [...groups].map(([text, names]) => ({ names, records: text }))
  return { actor: title, records: print(records), fields }
}

/** Fields computed by user code are only read. */
const fieldsFor = ({ fields, computed }: Resource, action: ActionName): readonly Field[] => [
  ...fields.values(),
  ...(action === "read" ? [...(computed?.values() ?? [])].map(({ field }) => field) : []),
]

type Allowed = Condition<Slot> | undefined

/** Without the condition of grants, which has its own entry (`grants`). */
function recordsOf(resource: Resource | undefined, action: ActionName): Allowed {
  const records = resource?.access?.[action]
  const within = resource?.granted?.within
  if (!records || !within || action === "read" || action === "delete") return records
  if (records === within) return everyRecord
  if (records.kind !== "and" || !records.of.includes(within)) return records
  const of = records.of.filter((part) => part !== within)
  return of.length === 1 ? of[0] : { kind: "and", of }
}

const useCell = ({ title }: Kind, own: Model, whole: Resource, allow: Allowed): Cell => ({
  actor: title,
  records: allow ? printer(own, whole)(allow) : null,
  fields: [],
})

/** Undefined, here and below: no actor. */
function transitionAllowOf(own: Model, { name: resource }: Resource, name: string): Allowed {
  const left = own.resources.get(resource)
  return left && transitionsOf(left).find((transition) => transition.name === name)?.access?.allow
}

/** Callers that write no record grant nothing. */
function grantAllowOf(own: Model, { name: resource }: Resource, index: number): Allowed {
  const left = own.resources.get(resource)
  const may = left?.access?.create || left?.access?.update ? left.granted?.each[index]?.may : undefined
  return may === false ? undefined : may
}

const ownAllowOf = (own: Model, { name: resource }: Resource, { name }: Action): Allowed =>
  own.resources.get(resource)?.actions?.get(name)?.access

const operationAllowOf = (own: Model, { name }: Action): Allowed => own.operations?.get(name)?.access

/** Undefined where the action's own rule covers the field. */
function leftOf(resource: Resource, field: Field, action: ActionName): Condition<Slot> | false | undefined {
  if (action === "delete") return undefined
  if (action === "read") {
    const own = resource.fields.get(field.name) ?? resource.computed?.get(field.name)?.field
    return own ? own.seen : false
  }
  if (field.readonly || field.generated || (action === "update" && field.immutable)) return undefined
  const settable = resource.settable?.get(field.name)
  const left = settable?.[action === "create" ? "creatable" : "changeable"] ?? false
  return left !== false && left.kind === "and" && left.of.length === 0 ? undefined : left
}

function printer(own: Model, whole: Resource): (condition: Condition<Slot>) => string {
  const wording: Wording = wordingOf(own)
  return (condition) => printCondition(wording, whole, condition)
}

/** Combinations of credentials that allow more than each of them. */
function tellingKinds(model: Model): readonly Kind[] {
  const known = [...singleActorClasses(model), ...combinedKinds(model)].map((kind) => ({
    kind,
    may: alternativesOf(model, kind),
  }))
  return known
    .filter(({ kind, may }) => {
      if (kind.credentials.length < 2) return false
      const fewer = known.filter(
        (other) =>
          other.kind.standing.signedIn &&
          other.kind.credentials.length < kind.credentials.length &&
          other.kind.credentials.every((one) => kind.credentials.includes(one)),
      )
      return [...may].some(([use, own]) => {
        const union = reduced(new Set(fewer.flatMap((other) => [...present(other.may.get(use), use)])))
        return own.symmetricDifference(union).size > 0
      })
    })
    .map(({ kind }) => kind)
}

/** Alternative conditions; empty: denied. */
type Alternatives = ReadonlySet<string>

/** For each use: `order.read`, `order.read.note`, the transition `order#pay`, the action `order!bill`, the operation `!restock`. */
function alternativesOf(model: Model, kind: Kind): ReadonlyMap<string, Alternatives> {
  const own = visibleModelOf(model, kind.standing)
  const found = new Map<string, Alternatives>()
  for (const operation of actionsOf(model.operations))
    found.set(`!${operation.name}`, splitter(printer(own, noResource))(operationAllowOf(own, operation)))
  for (const whole of model.resources.values()) {
    const split = splitter(printer(own, whole))
    for (const { name } of transitionsOf(whole))
      found.set(`${whole.name}#${name}`, split(transitionAllowOf(own, whole, name)))
    for (const action of actionsOf(whole.actions))
      found.set(`${whole.name}!${action.name}`, split(ownAllowOf(own, whole, action)))
    for (const action of actions) {
      const resource = own.resources.get(whole.name)
      const records = split(recordsOf(resource, action))
      found.set(`${whole.name}.${action}`, records)
      for (const field of fieldsFor(whole, action)) {
        const left = resource && records.size > 0 ? leftOf(resource, field, action) : false
        const own = left === undefined ? records : limited(records, split(left))
        found.set(`${whole.name}.${action}.${field.name}`, own)
      }
    }
  }
  return found
}

const splitter =
  (print: (condition: Condition<Slot>) => string) =>
  (condition: Condition<Slot> | false | undefined): Alternatives => {
    if (!condition) return new Set()
    return reduced(new Set(condition.kind === "or" ? condition.of.map(print) : [print(condition)]))
  }

const everything = "all"

/** A rule without condition makes the other alternatives redundant. */
const reduced = (alternatives: Alternatives): Alternatives =>
  alternatives.has(everything) ? new Set([everything]) : alternatives

/** The records for which the field's condition holds too. */
function limited(records: Alternatives, field: Alternatives): Alternatives {
  if (records.has(everything) || field.isSubsetOf(records)) return field
  if (field.has(everything)) return records
  return new Set([...records].flatMap((one) => [...field].map((other) => `${one}, ${other}`)))
}

// The kinds of actors that a service's rules distinguish: each role and scope alone, and callers with a viewer's record.
// Combinations that the rules ask for are kinds too.
interface Kind {
  /** In the form in which actors are named: `anyone`, `signedIn`, `customer:…+role:staff`. */
  readonly title: string
  readonly standing: Claims
  /** The credentials of the class: `viewer`, `role:staff`; with several, all of them. */
  readonly credentials: readonly Credential[]
}

type Credential = "viewer" | `role:${string}` | `scope:${string}`

/** The most credentials that several rules combine; the credentials of one rule may be more. */
const mostTogether = 3

/** Those with no or one credential, in the order of the declaration. */
function singleActorClasses(model: Model): readonly Kind[] {
  const credentials: Credential[] = [
    ...(mentionsViewer(model) ? (["viewer"] as const) : []),
    ...model.roles.map((name): Credential => `role:${name}`),
    ...model.scopes.map((name): Credential => `scope:${name}`),
  ]
  return [
    { title: "anyone", standing: stranger, credentials: [] },
    { title: "signedIn", standing: { ...stranger, signedIn: true }, credentials: [] },
    ...credentials.map((one) => kindOf(model, [one])),
  ]
}

/** Those with several credentials that a rule, or several rules of one record, ask for together; the smallest first. */
function combinedKinds(model: Model): readonly Kind[] {
  const found = new Map<string, Kind>()
  const { resources, operations } = rulesOf(model)
  const add = (sets: Together): void => {
    for (const set of sets)
      if (set.size > 1) {
        const kind = kindOf(model, inOrder(model, set))
        found.set(kind.title, kind)
      }
  }
  add([...operations.values()].flatMap(together))
  for (const [name, rules] of resources) {
    const resource = resourceNamed(model, name)
    const asked = (action: ActionName): Together => askedBy(rules, action)
    const [read, create, update, remove] = [asked("read"), asked("create"), asked("update"), asked("delete")]
    // A written record has to be readable too, and a field is read and written with its record.
    const written = [create, update, remove].map((sets) => crossed(read, sets))
    const fields = [...rules.fields.values()].flatMap(({ read: seen, write: set }) => [
      ...(seen ? [crossed(together(seen), read)] : []),
      ...(set ? written.map((sets) => crossed(together(set), sets)) : []),
    ])
    const moved = transitionsOf(resource).map((transition) => {
      const { allow } = rules.transitions.get(transition.name) ?? {}
      const may = allow ? together(allow) : asked("update")
      return crossed(read, setsViewer(transition) ? both([may, [new Set<Credential>(["viewer"])]]) : may)
    })
    const called = [...rules.own.values()].map((rule) => crossed(read, together(rule)))
    const computed = computedTogether(model, resource)
    add([read, create, update, remove, ...written, ...fields, ...moved, ...called, ...computed].flat())
  }
  return [...found.values()].toSorted((a, b) => a.credentials.length - b.credentials.length)
}

const askedBy = ({ actions: grants }: ResourceRules, action: ActionName): Together =>
  either(grants[action].map(({ rule }) => together(rule)))

/** For each field computed by user code, the rules of its needed members. */
function computedTogether(model: Model, { name, computed, relations }: Resource): readonly Together[] {
  const { resources } = rulesOf(model)
  const rules = present(resources.get(name), `${name} has rules`)
  const seenWith = (need: string): Together => {
    const relation = [...relations.values()].find((one) => one.kind === "one" && one.reference === need)
    const target = relation && resources.get(relation.target)
    if (target) return askedBy(target, "read")
    const own = rules.fields.get(need)?.read
    const given = rules.actions.read.filter(({ fields }) => fields === undefined || fields.has(need))
    const records = either(given.map(({ rule }) => together(rule)))
    return own ? crossed(together(own), records) : records
  }
  return [...(computed?.values() ?? [])].map(({ needs }) =>
    needs.map(seenWith).reduce(crossed, askedBy(rules, "read")),
  )
}

function kindOf(model: Model, credentials: readonly Credential[]): Kind {
  const named = (kind: string): readonly string[] =>
    credentials.filter((one) => one.startsWith(kind)).map((one) => one.slice(kind.length))
  return {
    title: credentials.map((one) => (one === "viewer" ? `${model.viewer}:…` : one)).join("+"),
    standing: {
      signedIn: true,
      viewer: credentials.includes("viewer"),
      roles: named("role:"),
      scopes: named("scope:"),
    },
    credentials,
  }
}

const inOrder = (model: Model, set: ReadonlySet<Credential>): readonly Credential[] =>
  singleActorClasses(model).flatMap(({ credentials }) => credentials.filter((one) => set.has(one)))

/** Sets of credentials, each enough for a rule to hold. */
type Together = readonly ReadonlySet<Credential>[]

/** Negated credentials too, as they distinguish actors. */
function together(rule: Rule): Together {
  switch (rule.kind) {
    case "and":
      return both(rule.of.map(together))
    case "or":
      return either(rule.of.map(together))
    case "not":
      return together(rule.of)
    case "signedIn":
      return [new Set()]
    case "role":
    case "scope":
      return [new Set<Credential>([`${rule.kind}:${rule.name}`])]
    case "records":
      return [new Set<Credential>(rule.viewer ? ["viewer"] : [])]
  }
}

const either = (parts: readonly Together[]): Together => distinct(parts.flat())

const both = (parts: readonly Together[]): Together =>
  parts.reduce<Together>(
    (sets, part) => distinct(sets.flatMap((set) => part.map((other) => set.union(other)))),
    [new Set()],
  )

const crossed = (sets: Together, others: Together): Together =>
  both([sets, others]).filter(({ size }) => size <= mostTogether)

const distinct = (sets: Together): Together => [
  ...new Map(sets.map((set) => [[...set].toSorted().join("+"), set])).values(),
]

function mentionsViewer(model: Model): boolean {
  const compares = (rule: Rule): boolean =>
    partsIn(rule).some((part) => part.kind === "records" && part.viewer)
  if ([...model.resources.values()].some((resource) => transitionsOf(resource).some(setsViewer))) return true
  return [...rulesOf(model).resources.values()].some(
    (resource) =>
      actions.some((action) => resource.actions[action].some(({ rule }) => compares(rule))) ||
      [...resource.fields.values()].some(
        ({ read, write }) => (read && compares(read)) || (write && compares(write)),
      ) ||
      [...resource.transitions.values()].some(({ allow }) => allow && compares(allow)) ||
      [...resource.own.values()].some(compares),
  )
}
