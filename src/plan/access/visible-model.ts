// Audiences: a service as callers with the same credentials may see it. Their model lacks everything that no record could
// show them, so that no request can name it. Conditions in the model decide about single records (docs/guide/permissions.md).

import { createRecent, perObject, type Recent } from "../../base/caches.ts"
import { eventTypesOf } from "../../model/event-types.ts"
import { anonymousTier } from "../../model/limits.ts"
import type {
  Access,
  Action,
  CodeComputed,
  Enumeration,
  Field,
  Machine,
  Model,
  OwnEvent,
  Relation,
  Resource,
  Transition,
  TransitionAccess,
} from "../../model/model.ts"
import type { WriteAction } from "../../model/policy-declaration.ts"
import { everyRecord, noRecord } from "../every-record.ts"
import { transitionsOf } from "../lookup.ts"
import type { Filter } from "../read-plan.ts"
import { rulesOf } from "./policies.ts"
import type { FieldRules, Grant, GrantRule, ResourceRules, Rule } from "./policy-types.ts"

/** Claims of credentials that decide the outcome of a rule. */
export interface Claims {
  readonly signedIn: boolean
  /** The caller has a viewer record. */
  readonly viewer: boolean
  readonly roles: readonly string[]
  readonly scopes: readonly string[]
  /** The tier whose limits hold; the service's own when absent. Known only where records give tiers. */
  readonly tier?: string
}

export const stranger: Claims = { signedIn: false, viewer: false, roles: [], scopes: [] }

/** Audiences of a service that are kept; others are made anew when they come. */
const mostKept = 64

const audiencesOf = perObject(
  (_: Model): Recent<string, Model> => createRecent({ count: mostKept, weight: mostKept }),
)

/** The claims that the service knows, in the order of its declaration. */
export function declaredClaims(whole: Model, { tier, ...claims }: Claims): Claims {
  const known = (declared: readonly string[], given: readonly string[]): readonly string[] =>
    declared.filter((name) => given.includes(name))
  const { roles, scopes, limits } = whole
  const named = tier ?? (claims.signedIn ? undefined : anonymousTier)
  return {
    ...claims,
    roles: known(roles, claims.roles),
    scopes: known(scopes, claims.scopes),
    ...(named !== undefined && limits.tiers.has(named) && givesTiers(whole) && { tier: named }),
  }
}

const givesTiers = ({ resources }: Model): boolean =>
  [...resources.values()].some(({ grants }) => grants?.some(({ kind }) => kind === "tier"))

/** The part of a service that callers with these claims may see. Throws a Refusal when its rules have mistakes. */
export function visibleModelOf(whole: Model, claims: Claims): Model {
  const audiences = audiencesOf(whole)
  const who = declaredClaims(whole, claims)
  const key = JSON.stringify([who.signedIn, who.viewer, who.roles, who.scopes, who.tier])
  const found = audiences.get(key) ?? makeAudience(whole, who)
  audiences.set(key, found, 1)
  return found
}

const everything: Access = {
  read: everyRecord,
  create: everyRecord,
  update: everyRecord,
  delete: everyRecord,
}

function accessLeft({ withheld = [] }: Resource): Access {
  if (withheld.length === 0) return everything
  const left = Object.entries(everything).filter(([action]) => !withheld.some((one) => one === action))
  return { ...Object.fromEntries(left), read: everything.read }
}

/** The resources that some caller could be served. */
export const withoutInternal = (model: Model): Model => ({
  ...model,
  resources: new Map([...model.resources].filter(([, { internal }]) => !internal)),
})

/** The service without rules: every caller may do everything. */
export function openModel(model: Model): Model {
  // The condition of a transition on the record is for every caller.
  const asks = [...model.resources.values()].some((it) => transitionsOf(it).some(({ when }) => when))
  const rules = asks ? rulesOf(model) : undefined
  const opened = (resource: Resource): Resource => {
    const own = rules?.resources.get(resource.name)?.transitions
    const machines = leaveMachines(resource, (transition) =>
      setsViewer(transition)
        ? undefined
        : { allow: everyRecord, when: own?.get(transition.name)?.when ?? everyRecord },
    )
    return { ...resource, machines, access: accessLeft(resource) }
  }
  return {
    ...model,
    resources: new Map([...withoutInternal(model).resources].map(([name, it]) => [name, opened(it)])),
    ...(rules && { seats: rules.seats }),
  }
}

/** The transition sets a field to the viewer, so there must be one. */
export const setsViewer = ({ sets }: Transition): boolean => sets.some(({ value }) => value.kind === "viewer")

/** With the transitions that are left, of records that can be written at all. */
function leaveMachines(
  { machines, writable, withheld, key }: Resource,
  accessOf: (transition: Transition) => TransitionAccess | undefined,
): ReadonlyMap<string, Machine> {
  const changes = writable && !withheld?.includes("update")
  const left = (machine: Machine): ReadonlyMap<string, Transition> =>
    new Map(
      [...machine.transitions].flatMap(([name, transition]): [string, Transition][] => {
        const access = changes && key ? accessOf(transition) : undefined
        return access ? [[name, { ...transition, access }]] : []
      }),
    )
  return new Map([...machines].map(([name, it]) => [name, { ...it, transitions: left(it) }]))
}

function makeAudience(whole: Model, who: Claims): Model {
  const rules = rulesOf(whole)
  const left = new Map<string, Resource>()
  for (const resource of whole.resources.values()) {
    const own = rules.resources.get(resource.name)
    const seen = own && leaveResource(resource, own, who)
    if (seen) left.set(resource.name, seen)
  }
  const resources = new Map(
    [...left.values()].map((resource): [string, Resource] => [
      resource.name,
      withoutHiddenTypes(withoutHidden(resource, left), left),
    ]),
  )
  const { signedIn, roles, scopes } = who
  const operations = leaveActions(whole.operations, rules.operations, who)
  return {
    ...whole,
    resources,
    ...(operations && { operations }),
    enums: enumsOf(whole, resources, operations),
    audience: { whole, seats: rules.seats, signedIn, roles, scopes },
  }
}

/** Undefined when no record can be seen. */
function leaveResource(resource: Resource, rules: ResourceRules, who: Claims): Resource | undefined {
  const leave = (grants: readonly Grant[]) => settledGrants(grants, who)
  const [read, create, update] = [rules.actions.read, rules.actions.create, rules.actions.update].map(leave)
  const rows = unionOf(read ?? [])
  if (rows === false) return undefined
  const granted = leaveGrants(rules.grants, who)
  const action = (name: WriteAction): Partial<Access> => {
    if (resource.withheld?.includes(name)) return {}
    const within = name === "delete" ? undefined : granted?.within
    const records = allOf([unionOf(leave(rules.actions[name])), within ?? true])
    return records === false ? {} : { [name]: filterOf(records) }
  }
  const access: Access = {
    read: filterOf(rows),
    ...action("create"),
    ...action("update"),
    ...action("delete"),
  }
  const fields = new Map<string, Field>()
  const settable = new Map<string, Field>()
  for (const field of resource.fields.values()) {
    const own = rules.fields.get(field.name)
    // The id, the references and the relations come with a record.
    const seen = isBound(resource, field.column) || seenBy(field, read ?? [], own, who)
    const shown = leaveField(field, seen)
    if (shown) fields.set(field.name, shown)
    const creatable = setBy(field, create ?? [], own, who)
    const changeable = setBy(field, update ?? [], own, who)
    if (creatable !== false || changeable !== false)
      settable.set(field.name, {
        ...field,
        creatable: outcome(creatable),
        changeable: outcome(changeable),
      })
  }
  const machines = leaveMachines(resource, (transition) =>
    leaveTransition(transition, rules, { update: unionOf(update ?? []), who }),
  )
  const moves = [...machines.values()].some(({ transitions }) => transitions.size > 0)
  const writable = resource.writable && (Object.keys(access).length > 1 || moves)
  const actions = leaveActions(resource.actions, rules.own, who)
  const computed = leaveComputed(resource, fields)
  const events = leaveEvents(resource.events, rules.payloads, who)
  return {
    ...resource,
    fields,
    settable,
    machines,
    access,
    writable,
    ...(actions && { actions }),
    ...(computed && { computed }),
    ...(events && { events }),
    ...(granted && { granted }),
  }
}

/** Events with the members of their payloads that some record's event shows. */
function leaveEvents(
  events: Resource["events"],
  rules: ResourceRules["payloads"],
  who: Claims,
): Resource["events"] {
  if (!events) return undefined
  const left = ({ name, payload }: OwnEvent): readonly [string, Field][] =>
    [...payload.values()].flatMap((field): [string, Field][] => {
      const rule = rules.get(name)?.get(field.name)
      const shown = leaveField(field, rule ? settle(rule, who, true) : true)
      return shown ? [[field.name, shown]] : []
    })
  return new Map([...events].map(([name, event]) => [name, { ...event, payload: new Map(left(event)) }]))
}

/** Own operations that may be done, each with the records that it may be done to. */
function leaveActions(
  all: Resource["actions"],
  rules: ReadonlyMap<string, Rule>,
  who: Claims,
): Resource["actions"] {
  if (!all) return undefined
  const left = new Map<string, Action>()
  for (const [name, action] of all) {
    const rule = rules.get(name)
    const records = rule ? settle(rule, who, true) : false
    if (records !== false) left.set(name, { ...action, access: filterOf(records) })
  }
  return left
}

/** Undefined when it can be fired on no record. */
function leaveTransition(
  transition: Transition,
  { transitions }: ResourceRules,
  { update, who }: { readonly update: Settled; readonly who: Claims },
): TransitionAccess | undefined {
  const rules = transitions.get(transition.name)
  if (!rules || (setsViewer(transition) && !who.viewer)) return undefined
  const allow = rules.allow ? settle(rules.allow, who, true) : update
  return allow === false ? undefined : { allow: filterOf(allow), when: rules.when }
}

/** A caller that does not see a source of a computed field does not see the field. */
function leaveComputed(
  { computed, fields: all }: Resource,
  fields: ReadonlyMap<string, Field>,
): Resource["computed"] {
  if (!computed) return undefined
  const left = new Map<string, CodeComputed>()
  for (const [name, one] of computed) {
    const needed = one.needs.filter((need) => all.has(need)).map((need) => fields.get(need))
    if (needed.some((field) => field === undefined)) continue
    const seen = distinct(needed.flatMap((field) => field?.seen ?? []))
    const field: Field =
      seen.length === 0 ? one.field : { ...one.field, optional: true, seen: { kind: "and", of: seen } }
    left.set(name, { ...one, field })
  }
  return left
}

const distinct = (filters: readonly Filter[]): readonly Filter[] => [
  ...new Map(filters.map((filter) => [JSON.stringify(filter), filter])).values(),
]

/** Whether the records are named by the column, or a relation goes by it. */
const isBound = ({ key, relations }: Resource, column: string): boolean =>
  key?.parts.some((part) => part.column === column) === true ||
  [...relations.values()].some(({ join }) => join.some(({ from }) => from === column))

function leaveField(field: Field, seen: Settled): Field | undefined {
  if (seen === false) return undefined
  return seen === true ? field : { ...field, optional: true, seen }
}

/** A record's history is visible with the record. */
const isHistory = ({ relations }: Resource, name: string): boolean => {
  const relation = relations.get(name)
  return relation?.kind === "many" && relation.history === true
}

/** Without relations to hidden resources, and without unique keys that have a hidden part. */
function withoutHidden(resource: Resource, left: ReadonlyMap<string, Resource>): Resource {
  const relations = new Map<string, Relation>(
    [...resource.relations].filter(([name, { target }]) => left.has(target) || isHistory(resource, name)),
  )
  const uniques = resource.uniques.filter(({ members }) =>
    members.every((member) =>
      member.kind === "field" ? resource.fields.has(member.field) : relations.has(member.relation),
    ),
  )
  const computed = resource.computed && withoutReferences(resource, resource.computed, relations)
  return { ...resource, relations, uniques, ...(computed && { computed }) }
}

/** Lists of types of events take only types that the audience sees: others would reveal hidden resources. */
function withoutHiddenTypes(resource: Resource, left: ReadonlyMap<string, Resource>): Resource {
  const { fields, settable } = resource
  if (![...fields.values()].some(({ constraints }) => constraints.items?.eventTypes)) return resource
  const known = new Set([...left.values()].flatMap((one) => [`${one.name}.*`, ...eventTypesOf(one)]))
  const leave = (all: ReadonlyMap<string, Field>): ReadonlyMap<string, Field> =>
    new Map(
      [...all].map(([name, field]) => {
        const { items } = field.constraints
        if (!items?.eventTypes) return [name, field]
        const declared = items.declared?.filter((type) => known.has(type)) ?? []
        return [name, { ...field, constraints: { ...field.constraints, items: { ...items, declared } } }]
      }),
    )
  return { ...resource, fields: leave(fields), ...(settable && { settable: leave(settable) }) }
}

/** Fields computed from references need their relations. */
function withoutReferences(
  { relations: all }: Resource,
  computed: ReadonlyMap<string, CodeComputed>,
  relations: ReadonlyMap<string, Relation>,
): ReadonlyMap<string, CodeComputed> {
  const hidden = new Set<string>()
  for (const [name, relation] of all)
    if (!relations.has(name) && relation.kind === "one" && relation.reference !== undefined)
      hidden.add(relation.reference)
  return new Map([...computed].filter(([, { needs }]) => !needs.some((need) => hidden.has(need))))
}

function enumsOf(
  whole: Model,
  left: ReadonlyMap<string, Resource>,
  operations: Model["operations"],
): ReadonlyMap<string, Enumeration> {
  const used = new Set<string | undefined>()
  const use = (fields: Iterable<Field>): void => {
    for (const field of fields) used.add(field.enumeration)
  }
  const useAll = (actions: Model["operations"]): void => {
    for (const { input, output } of actions?.values() ?? []) {
      use(input.values())
      use(output.values())
    }
  }
  useAll(operations)
  for (const resource of left.values()) {
    const { fields, settable, actions, computed, events } = resource
    for (const { payload } of events?.values() ?? []) use(payload.values())
    for (const { field } of computed?.values() ?? []) use([field])
    use(fields.values())
    use(settable?.values() ?? [])
    useAll(actions)
    for (const { input } of transitionsOf(resource)) use(input.values())
  }
  return new Map([...whole.enums].filter(([name]) => used.has(name)))
}

/** The outcome of a rule: true for all records, false for none. */
type Settled = Filter | boolean

const filterOf = (settled: Filter | true): Filter => (settled === true ? everyRecord : settled)
const outcome = (settled: Settled): Filter | false => (settled === false ? false : filterOf(settled))

interface SettledGrant {
  readonly records: Filter | true
  readonly fields?: ReadonlySet<string>
}

function settledGrants(grants: readonly Grant[], who: Claims): readonly SettledGrant[] {
  return grants.flatMap(({ rule, fields }): SettledGrant[] => {
    const records = settle(rule, who, true)
    return records === false ? [] : [{ records, ...(fields && { fields }) }]
  })
}

const unionOf = (grants: readonly SettledGrant[]): Settled => anyOf(grants.map(({ records }) => records))

/** Records of the grants that also grant the field; true if every grant does. */
function grantedOf({ name }: Field, grants: readonly SettledGrant[]): Settled {
  const own = grants.filter(({ fields }) => fields === undefined || fields.has(name))
  return own.length === grants.length && own.length > 0 ? true : unionOf(own)
}

function seenBy(
  field: Field,
  grants: readonly SettledGrant[],
  rules: FieldRules | undefined,
  who: Claims,
): Settled {
  const read = rules?.read ? settle(rules.read, who, true) : true
  return allOf([grantedOf(field, grants), read])
}

function setBy(
  field: Field,
  grants: readonly SettledGrant[],
  rules: FieldRules | undefined,
  who: Claims,
): Settled {
  const write = rules?.write ? settle(rules.write, who, true) : true
  return allOf([grantedOf(field, grants), write])
}

/**
 * @param positive whether the whole rule becomes wider when this part holds. Without a viewer's record to compare with, the
 * result makes the whole rule narrower.
 */
function settle(rule: Rule, who: Claims, positive: boolean): Settled {
  switch (rule.kind) {
    case "and":
      return allOf(rule.of.map((part) => settle(part, who, positive)))
    case "or":
      return anyOf(rule.of.map((part) => settle(part, who, positive)))
    case "not": {
      const of = settle(rule.of, who, !positive)
      return typeof of === "boolean" ? !of : { kind: "not", of }
    }
    case "signedIn":
      return who.signedIn
    case "role":
      return who.roles.includes(rule.name)
    case "scope":
      return who.scopes.includes(rule.name)
    case "records":
      return rule.viewer && !who.viewer ? !positive : rule.where
  }
}

/** Undefined where records give nothing. */
function leaveGrants(grants: readonly GrantRule[], who: Claims): Resource["granted"] {
  if (grants.length === 0) return undefined
  const each = grants.map((rule) => ({ rule, may: mayGrant(rule, who) }))
  const within = allOf(each.map(({ rule, may }) => anyOf([may, settle(rule.lacks, who, true)])))
  return {
    within: within === false ? noRecord : filterOf(within),
    each: each.map(({ rule, may }) => ({ ...rule.declared, may: outcome(may) })),
  }
}

/** The records that the caller may have give it: all where the caller has it, and no rule says otherwise. */
function mayGrant({ declared, allow, covering }: GrantRule, who: Claims): Settled {
  if (allow) return settle(allow, who, true)
  if (covering) return covering.includes(who.tier)
  const has = declared.kind === "role" ? who.roles : who.scopes
  return declared.name !== null && has.includes(declared.name)
}

function allOf(parts: readonly Settled[]): Settled {
  if (parts.includes(false)) return false
  const of = parts.filter((part) => typeof part !== "boolean")
  return of.length === 0 ? true : of.length === 1 && of[0] ? of[0] : { kind: "and", of }
}

function anyOf(parts: readonly Settled[]): Settled {
  if (parts.includes(true)) return true
  const of = parts.filter((part) => typeof part !== "boolean")
  return of.length === 0 ? false : of.length === 1 && of[0] ? of[0] : { kind: "or", of }
}
