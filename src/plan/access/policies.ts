// Rules: what a service's declaration allows, read once for each model. docs/guide/permissions.md says what each form means.

import { withArticle } from "../../base/article.ts"
import { perObject } from "../../base/caches.ts"
import { present } from "../../base/invariant.ts"
import { type Place, Refusal } from "../../base/problem.ts"
import type { ServiceDeclaration } from "../../model/declaration/declaration.ts"
import { type CostLimits, costLimitNames } from "../../model/limits.ts"
import { examine } from "../../model/load.ts"
import type { Limits, Model, Resource } from "../../model/model.ts"
import { actions, type RuleDeclaration } from "../../model/policy-declaration.ts"
import { noCursors } from "../draft/cursor.ts"
import { type Draft, startDraft, type ViewerOperand } from "../draft/draft.ts"
import { hintFor } from "../hints.ts"
import { isObject } from "../pending-key.ts"
import { quoteInput } from "../quote-input.ts"
import { readComputed } from "../read/computed.ts"
import type { Slot } from "../read-plan.ts"
import { valueKey } from "../values/values.ts"
import { inputMembers } from "../write/inputs.ts"
import {
  joined,
  type Reading,
  readPossible,
  readTransitionRules,
  readUnion,
  readViewer,
  severalOf,
} from "./parse-policy.ts"
import type {
  ActionName,
  FieldRules,
  GrantRule,
  PlacedGrant,
  ResourceRules,
  Rule,
  Rules,
} from "./policy-types.ts"
import { refusePrivate } from "./public.ts"
import { whyUnsatisfiable } from "./unsatisfiable.ts"

/** Throws a Refusal with every mistake, each with its place in the declaration. */
export const rulesOf: (model: Model) => Rules = perObject(readRules)

/** Whether a service says of anything who may do it. */
export const hasRules = ({ identity, resources }: Model): boolean =>
  identity !== undefined ||
  [...resources.values()].some(
    ({ allow, fields, events, internal }) =>
      !internal &&
      (allow !== undefined ||
        [...fields.values()].some(({ read, write }) => read ?? write) ||
        [...(events?.values() ?? [])].some(({ payload }) => [...payload.values()].some(({ read }) => read))),
  )

function readRules(model: Model): Rules {
  const mentions = { viewer: false }
  const viewer = { read: (given: ViewerOperand, place: Place) => readViewer(reading, given, place) }
  const started = startDraft({ model, cursors: noCursors })
  started.bind(null) // the viewer's key
  const draft = { ...started, viewer, bind: bindOnce(started) }
  const reading: Reading = { model, draft, mentions }
  const resources = new Map([...model.resources].map(([name, it]) => [name, readResource(reading, it)]))
  const operations = readOwn(reading, noResource, model.operations, ["code", "operations"])
  readComputed(model, draft.problems)
  // Rules with mistakes are missing, and would mislead this check.
  if (hasRules(model) && draft.problems.found.length === 0) refusePrivate(model, resources, draft.problems)
  draft.problems.settle()
  return { resources, operations, seats: [...draft.values] }
}

/** The subject of an operation's rules: operations are about no record, and conditions that name members are refused. */
export const noResource: Resource = {
  name: "operation",
  type: "Operation",
  collection: "operations",
  path: "operations",
  prefix: "operation",
  table: { name: "" },
  version: { kind: "row" },
  writable: false,
  needsVersion: false,
  tiebreak: "columns",
  fields: new Map(),
  relations: new Map(),
  uniques: [],
  indexes: [],
  machines: new Map(),
  logged: false,
}

function readOwn(
  reading: Reading,
  resource: Resource,
  actions: Model["operations"],
  place: Place,
): ReadonlyMap<string, Rule> {
  const found = new Map<string, Rule>()
  for (const [name, { allow }] of actions ?? []) {
    const rule = allow && readUnion(reading, resource, allow, [...place, name, "allow"])
    if (rule) found.set(name, rule)
  }
  return found
}

/** Equal values have one slot, so that equal rules are equal data. */
function bindOnce(draft: Draft): Draft["bind"] {
  const slots = new Map<string, Slot>()
  return (value) => {
    const key = valueKey(value)
    const slot = slots.get(key) ?? draft.bind(value)
    slots.set(key, slot)
    return slot
  }
}

function readResource(reading: Reading, resource: Resource): ResourceRules {
  const place: Place = ["resources", resource.name]
  const read = (action: ActionName): readonly PlacedGrant[] =>
    readGrants(
      action === "create" || action === "update" ? { ...reading, writes: true } : reading,
      resource,
      resource.allow?.[action],
      [...place, "allow", action],
    )
  const actions = {
    read: read("read"),
    create: read("create"),
    update: read("update"),
    delete: read("delete"),
  }
  const transitions = readTransitionRules(reading, resource)
  refuseUnseen(reading, resource, actions.read, [
    { done: "created", grants: actions.create },
    { done: "updated", grants: actions.update },
    { done: "deleted", grants: actions.delete },
    ...transitions.map(({ name, allowed }) => ({ done: `moved by \`${name}\``, grants: allowed })),
  ])
  if (actions.create.length > 0)
    refuseUnmade(reading, resource, actions.create, [...place, "allow", "create"])
  const fields = [...resource.fields.values()].flatMap((field): [string, FieldRules][] => {
    const at = [...place, "fields", field.name]
    const read = field.read && readUnion(reading, resource, field.read, [...at, "read"])
    const write =
      field.write && readUnion({ ...reading, writes: true }, resource, field.write, [...at, "write"])
    if (read) refuseHiddenKey(reading, resource, field.column, [...at, "read"])
    return read || write ? [[field.name, { ...(read && { read }), ...(write && { write }) }]] : []
  })
  return {
    actions,
    fields: new Map(fields),
    grants: readGrantRules(reading, resource, place),
    payloads: readPayloads(reading, resource, [...place, "events"]),
    transitions: new Map(transitions.flatMap(({ name, rules }) => (rules ? [[name, rules]] : []))),
    own: readOwn(reading, resource, resource.actions, ["code", "actions", resource.name]),
  }
}

function readPayloads(reading: Reading, resource: Resource, place: Place): ResourceRules["payloads"] {
  const found = new Map<string, ReadonlyMap<string, Rule>>()
  for (const [event, { payload }] of resource.events ?? []) {
    const rules = new Map<string, Rule>()
    for (const { name, read } of payload.values()) {
      const at = [...place, event, "payload", name, "read"]
      const rule = read && readUnion(reading, resource, read, at)
      if (rule) rules.set(name, rule)
    }
    if (rules.size > 0) found.set(event, rules)
  }
  return found
}

/** Writing needs reading: a rule for invisible records could never be used. */
function refuseUnseen(
  reading: Reading,
  resource: Resource,
  read: readonly PlacedGrant[],
  others: readonly { readonly done: string; readonly grants: readonly PlacedGrant[] }[],
): void {
  if (isMisread(resource, read)) return
  const seen = joined(
    "or",
    read.map(({ rule }) => rule),
  )
  for (const { done, grants } of others)
    for (const { rule, place } of grants) {
      const why = whyUnsatisfiable(reading.model, resource, joined("and", [rule, seen]), reading.draft.values)
      if (why !== undefined)
        reading.draft.problems.add(
          "invalid_declaration",
          place,
          read.length === 0
            ? `No rule allows reading ${withArticle(resource.name)}, and only a visible record can be ${done}.`
            : `Only a visible record can be ${done}, and no caller that this allows sees one: ${why}.`,
          "Give a rule for `read` that allows the same callers and records.",
        )
    }
}

/** Whether some reading rules are unknown because of reported mistakes. */
function isMisread({ allow = {} }: Resource, read: readonly PlacedGrant[]): boolean {
  if (allow.read === undefined) return Object.keys(allow).some((name) => !isAction(name))
  return read.length < severalOf(allow.read).length
}

const isAction = (name: string): boolean => (actions as readonly string[]).includes(name)

/** Members that Bifold makes itself, with the record. */
const isMade = ({ secret }: Resource, name: string): boolean =>
  secret !== undefined && (secret.digest === name || secret.hint === name)

/** A record has a value in each field that is not optional, from its default or from who creates it. */
function refuseUnmade(
  { model, draft }: Reading,
  resource: Resource,
  grants: readonly PlacedGrant[],
  place: Place,
): void {
  if (!resource.writable || !resource.key) return
  const needed = [...resource.fields.values()].filter(
    (field) =>
      !field.optional && !field.generated && field.default === undefined && !isMade(resource, field.name),
  )
  const unset = needed.filter(
    ({ name, readonly }) =>
      readonly || grants.every(({ fields }) => fields !== undefined && !fields.has(name)),
  )
  for (const { name, readonly } of unset)
    draft.problems.add(
      "invalid_declaration",
      place,
      `No caller could create ${withArticle(resource.name)}: it needs a value for \`${name}\`, ${readonly ? "which is read-only" : "which no rule lets a caller set"}.`,
      `Give \`${name}\` a default, make it optional, ${readonly ? "or let it be set" : "or name it in only([…])"}.`,
    )
  if (unset.length > 0 || inputMembers(model, resource, "create") !== undefined) return
  const keyless = [...resource.relations.values()].find(
    (relation) => relation.kind === "one" && !relation.optional && relation.reference === undefined,
  )
  draft.problems.add(
    "invalid_declaration",
    place,
    keyless
      ? `No caller could create ${withArticle(resource.name)}: \`${keyless.name}\` leads to a unique key of ${keyless.target}, which has no scalar that clients give.`
      : `No caller could create ${withArticle(resource.name)}: its key, or a relation that it needs, cannot be given.`,
    keyless
      ? `Name the columns of the key of ${keyless.target}, make the relation optional, or leave out the rule.`
      : "Leave out the rule, or make the resource readonly.",
  )
}

/** Keys and columns of relations are visible with the record. */
function refuseHiddenKey({ draft }: Reading, resource: Resource, column: string, place: Place): void {
  const isKey = resource.key?.parts.some((part) => part.column === column)
  const leads = [...resource.relations.values()].some(({ join }) => join.some(({ from }) => from === column))
  if (!isKey && !leads) return
  const what = isKey ? "its records are named by it" : "a relation goes by it"
  draft.problems.add(
    "invalid_declaration",
    place,
    `This field is visible with its ${resource.name}: ${what}.`,
    "Leave out the rule, or give one for the whole record.",
  )
}

function readGrants(
  reading: Reading,
  resource: Resource,
  given: RuleDeclaration | undefined,
  place: Place,
): readonly PlacedGrant[] {
  if (given === undefined) return []
  return severalOf(given).flatMap((one, index): PlacedGrant[] => {
    const at = Array.isArray(given) ? [...place, index] : place
    if (!isObject(one) || !Array.isArray(one["fields"])) {
      const rule = readPossible(reading, resource, one, at)
      return rule ? [{ rule, place: at }] : []
    }
    const { fields, when, ...others } = one
    for (const name of Object.keys(others))
      reading.draft.problems.add(
        "invalid_declaration",
        [...at, name],
        `Beside \`fields\` there is only \`when\`.`,
        `Write only(["${String(fields[0])}"], …), with the whole rule in it.`,
      )
    const names = readFieldNames(reading, resource, fields, [...at, "fields"])
    const rule = readUnion(reading, resource, when as RuleDeclaration, [...at, "when"])
    return rule ? [{ rule, fields: names, place: at }] : []
  })
}

function readFieldNames(
  { draft }: Reading,
  resource: Resource,
  given: readonly unknown[],
  place: Place,
): ReadonlySet<string> {
  for (const [index, name] of given.entries())
    if (typeof name !== "string" || !resource.fields.has(name))
      draft.problems.add(
        "invalid_declaration",
        [...place, index],
        `${resource.name} has no field ${quoteInput(name)}.`,
        hintFor(String(name), resource.fields.keys()),
      )
  return new Set(given.map(String))
}

// Rules of grants: who may have a record give a role, scope or tier to its user (docs/guide/sign-in.md).

/** @param place of the resource */
function readGrantRules(reading: Reading, resource: Resource, place: Place): readonly GrantRule[] {
  return (resource.grants ?? []).flatMap((declared): readonly GrantRule[] => {
    const at = [...place, "grants", declared.name ?? ""]
    const allow = declared.allow && readUnion(reading, resource, declared.allow, [...at, "allow"])
    const lacks = readUnion(reading, resource, declared.lacks, [...at, "lacks"])
    if (!lacks || (declared.allow && !allow)) return []
    const covering = declared.kind === "tier" && !allow && tiersCovering(reading.model.limits, declared.name)
    return [{ declared, lacks, ...(allow && { allow }), ...(covering && { covering }) }]
  })
}

/** Tiers that meet or exceed every limit of the tier; undefined stands for the service's own limits. */
function tiersCovering({ tiers, cost }: Limits, name: string | null): GrantRule["covering"] {
  const wanted = (name === null ? undefined : tiers.get(name)) ?? cost
  const all = [[undefined, cost] as const, ...tiers]
  return all.flatMap(([tier, limits]) => (isAtMost(wanted, limits) ? [tier] : []))
}

const isAtMost = (limits: CostLimits, others: CostLimits): boolean =>
  costLimitNames.every(
    (name) => (limits[name] ?? Number.POSITIVE_INFINITY) <= (others[name] ?? Number.POSITIVE_INFINITY),
  )

// A service as it is opened: its declaration and its rules, with the mistakes of both at once.

/**
 * The Model of a service. Throws a Refusal with every mistake, each with its place in the declaration. Mistakes in rules
 * are included unless names, keys or relations of resources are wrong: rules build on them.
 */
export function loadService(declaration: ServiceDeclaration): Model {
  const { problems, model } = examine(declaration)
  if (model)
    try {
      rulesOf(model)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      problems.found.push(...error.problems)
    }
  problems.settle()
  return present(model, "a service without mistakes has a Model")
}
