// The permission matrix in words: actions, records and fields of each kind of actor, as the visible model leaves them.
import { present } from "../../base/invariant.ts"
import type { Condition, Slot } from "../../model/condition.ts"
import type { Action, Field, Model, Resource } from "../../model/model.ts"
import { actions, type GrantDeclaration } from "../../model/policy-declaration.ts"
import { noResource } from "../access/policies.ts"
import type { ActionName } from "../access/policy-types.ts"
import { visibleModelOf } from "../access/visible-model.ts"
import { everyRecord } from "../every-record.ts"
import { transitionsOf } from "../lookup.ts"
import { combinedKinds, type Kind, singleActorClasses } from "./actor-classes.ts"
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
        name: grantName(grant),
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

/** Without the condition on what records give, which stands for itself (`grants`). */
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

const grantName = ({ kind, name }: GrantDeclaration): string =>
  name === null ? `no ${kind}` : `${kind} ${name}`

/** Callers that write no record grant nothing. */
function grantAllowOf(own: Model, { name: resource }: Resource, index: number): Allowed {
  const left = own.resources.get(resource)
  const may = left?.access?.create || left?.access?.update ? left.granted?.each[index]?.may : undefined
  return may === false ? undefined : may
}

const ownAllowOf = (own: Model, { name: resource }: Resource, { name }: Action): Allowed =>
  own.resources.get(resource)?.actions?.get(name)?.access

const operationAllowOf = (own: Model, { name }: Action): Allowed => own.operations?.get(name)?.access

/** Undefined where the action's own rule says all that there is to say of the field. */
function leftOf(resource: Resource, field: Field, action: ActionName): Condition<Slot> | false | undefined {
  if (action === "delete") return undefined
  if (action === "read") {
    const own = resource.fields.get(field.name) ?? resource.computed?.get(field.name)?.field
    return own ? own.seen : false
  }
  if (field.readonly || field.generated || (action === "update" && field.immutable)) return undefined
  const settable = resource.settable?.get(field.name)
  const left = settable?.[action === "create" ? "creatable" : "changeable"] ?? false
  return left !== false && isAll(left) ? undefined : left
}

const isAll = (condition: Condition<Slot>): boolean => condition.kind === "and" && condition.of.length === 0

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

/** Conditions of which any suffices; empty: denied. */
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

/** All is all, whatever else is said. */
const reduced = (alternatives: Alternatives): Alternatives =>
  alternatives.has(everything) ? new Set([everything]) : alternatives

/** The records for which the field's condition holds too. */
function limited(records: Alternatives, field: Alternatives): Alternatives {
  if (records.has(everything) || field.isSubsetOf(records)) return field
  if (field.has(everything)) return records
  return new Set([...records].flatMap((one) => [...field].map((other) => `${one}, ${other}`)))
}
