// Whether an actor may do something, by the permissions that the engine gives, and by each rule alone.

import type { Place } from "../base/problem.ts"
import type { Action, Field, Model, Resource, Transition } from "../model/model.ts"
import type { Actor } from "../plan/access/actor.ts"
import { rulesOf } from "../plan/access/policies.ts"
import type { ActionName } from "../plan/access/policy-types.ts"
import { stranger } from "../plan/access/visible-model.ts"
import {
  type IsolatedPolicy,
  type RecordsOf,
  recordsOf,
  rulesOfAction,
  rulesOfField,
  rulesOfOperation,
  rulesOfTransition,
  rulesOfUserAction,
} from "../plan/analysis/isolated-policies.ts"
import { everyRecord } from "../plan/every-record.ts"
import { transitionsOf } from "../plan/lookup.ts"
import type { Filter } from "../plan/read-plan.ts"

export interface AccessQuestion {
  readonly actor: Actor
  /** The whole service. */
  readonly model: Model
  readonly resource: Resource
  readonly action: ActionName | Transition | Action
  readonly field?: Field
  /** Needed members of a field computed by user code. */
  readonly needs?: readonly string[]
}

/** About an operation of the service. */
export interface CallQuestion {
  readonly actor: Actor
  readonly model: Model
  readonly operation: Action
}

export const isTransition = (action: AccessQuestion["action"]): action is Transition =>
  typeof action === "object" && "machine" in action

export const isOwn = (action: AccessQuestion["action"]): action is Action =>
  typeof action === "object" && "run" in action

/** Whether the record that is asked about is one of them. */
export type Includes = (records: RecordsOf) => Promise<boolean>

export interface Verdict {
  readonly allowed: boolean
  /** In the order in which they are asked; all have to be met. */
  readonly needs: readonly Need[]
}

/** The rules that must hold: for an action, a field, or user code (`action`, `operation`). */
export interface Need {
  readonly what: ActionName | "field" | "transition" | "state" | "condition" | "action" | "operation"
  /** Which field. */
  readonly field?: string
  /** The records: all, or those that meet this condition; null for none. */
  readonly records: string | null
  readonly met: boolean
  /** Any of them is enough. */
  readonly rules: readonly RuleVerdict[]
}

export interface RuleVerdict {
  readonly place: Place
  readonly rule: string
  /** `yes` and `no` are about the record that was asked about; `where`: for some records. */
  readonly holds: "always" | "never" | "where" | "yes" | "no" | "elsewhere"
  /** Paths of a rule that leads to other records: those by which it holds for the record, or those that fail. */
  readonly paths?: readonly PathVerdict[]
}

/** The records that a path of a rule leads to. */
export interface PathVerdict {
  /** In the order of the path. */
  readonly found: readonly FoundRecords[]
  /** The step that has no fitting record. */
  readonly none?: { readonly relation: string; readonly where?: string }
  /** The last records are why the path fails: it asks for none of them. */
  readonly against?: true
}

/** At most a few of them are named. */
export interface FoundRecords {
  readonly relation: string
  readonly records: readonly string[]
  readonly more: number
}

/** Follows the paths of a rule from the record that is asked about. */
export type Follow = (rule: RecordsOf, isMet: boolean) => Promise<readonly PathVerdict[]>

/** Asks the database about the record. */
export interface AboutRecord {
  readonly includes: Includes
  readonly follow?: Follow
}

/** @param about absent when no record is named */
export async function decide(asked: AccessQuestion, about?: AboutRecord): Promise<Verdict> {
  const needs: Need[] = []
  for (const part of needed(asked)) needs.push(await needOf(asked, part, about))
  return { allowed: needs.every(({ met }) => met), needs }
}

/** Nothing else has to hold than one of its rules. */
export async function decideCall({ actor, model, operation }: CallQuestion): Promise<Verdict> {
  const met = actor.model.operations?.has(operation.name) === true
  const rules: RuleVerdict[] = []
  for (const rule of rulesOfOperation(model, actor.claims ?? stranger, operation))
    rules.push(await judge(rule, [], undefined))
  return { allowed: met, needs: [{ what: "operation", records: met ? "all" : null, met, rules }] }
}

interface Part {
  readonly what: Exclude<Need["what"], "operation">
  /** Or a reference, where user code needs one. */
  readonly field?: string
}

/** A written record has to be readable as well, before and after (docs/guide/permissions.md). */
function needed({ action, field, needs }: AccessQuestion): readonly Part[] {
  const read: Part = { what: "read" }
  if (isOwn(action)) return [read, { what: "action" }]
  if (isTransition(action))
    return [
      read,
      { what: "transition" },
      { what: "state" },
      ...(action.when ? [{ what: "condition" } as const] : []),
    ]
  const fields = action === "read" && needs ? needs : field ? [field.name] : []
  return [
    read,
    ...(action === "read" ? [] : [{ what: action }]),
    ...fields.map((name): Part => ({ what: "field", field: name })),
  ]
}

async function needOf(asked: AccessQuestion, part: Part, record: AboutRecord | undefined): Promise<Need> {
  const { actor, resource, action, field, needs } = asked
  const { what } = part
  const left = leftOf(asked, part)
  const records = left ? recordsOf(actor.model, resource.name, left) : null
  const met = records !== null && (record === undefined || (await record.includes(records)))
  const rules: RuleVerdict[] = []
  const about = what === action && field ? (needs ?? [field.name]) : []
  const fields = about.filter((name) => resource.fields.has(name))
  for (const rule of rulesFor(asked, part)) rules.push(await judge(rule, fields, record))
  return { ...part, records: records?.text ?? null, met, rules }
}

/** Undefined for no record. */
function leftOf(asked: AccessQuestion, { what, field = "" }: Part): Filter | undefined {
  const { actor, model, resource, action } = asked
  const own = actor.model.resources.get(resource.name)
  switch (what) {
    case "field":
      return fieldLeft(asked, field)
    case "action":
      return own?.actions?.get(nameOf(action))?.access
    case "transition":
      return own && transitionsOf(own).find(({ name }) => name === nameOf(action))?.access?.allow
    case "state":
      return transitionRules(model, resource, action)?.from
    case "condition":
      return transitionRules(model, resource, action)?.when
    default:
      return own?.access?.[what]
  }
}

/** Conditions that are the same for all callers. */
const transitionRules = (model: Model, { name }: Resource, action: AccessQuestion["action"]) =>
  rulesOf(model).resources.get(name)?.transitions.get(nameOf(action))

const nameOf = (action: AccessQuestion["action"]): string =>
  typeof action === "object" ? action.name : action

/** Undefined for no record. */
function fieldLeft(asked: AccessQuestion, name: string): Filter | undefined {
  const { actor, resource, action } = asked
  const own = actor.model.resources.get(resource.name)
  if (action === "read") {
    if (!resource.fields.has(name)) return own && hasReference(own, name) ? everyRecord : undefined
    const seen = own?.fields.get(name)
    return seen && (seen.seen ?? everyRecord)
  }
  if (neverWritten(asked) !== undefined) return undefined
  const settable = own?.settable?.get(name)
  return (action === "create" ? settable?.creatable : settable?.changeable) || undefined
}

/** A reference goes with its relation: a caller that can see no record at its end does not see it. */
const hasReference = ({ relations }: Resource, name: string): boolean =>
  [...relations.values()].some((relation) => relation.kind === "one" && relation.reference === name)

/** Why the field cannot be written, whatever the rules. */
export function neverWritten({ field, needs, action }: AccessQuestion): string | undefined {
  if (field === undefined || action === "read") return undefined
  if (field.computed || needs) return "it is computed"
  if (field.generated) return "the database computes it"
  if (field.readonly) return "it is read-only"
  return action === "update" && field.immutable ? "it never changes" : undefined
}

function rulesFor(
  { model, actor, resource, action }: AccessQuestion,
  { what, field = "" }: Part,
): readonly IsolatedPolicy[] {
  const standing = actor.claims ?? stranger
  if (what === "transition" && isTransition(action))
    return rulesOfTransition(model, standing, { resource, transition: action })
  if (what === "action" && isOwn(action)) return rulesOfUserAction(model, standing, { resource, action })
  if (what === "transition" || what === "action" || what === "state" || what === "condition") return []
  if (what !== "field") return rulesOfAction(model, standing, { resource, action: what })
  const access = action === "read" ? "read" : "write"
  return rulesOfField(model, standing, { resource, field, access })
}

/** @param about fields: the rule has to be about one of them */
async function judge(
  { place, text, fields, holds }: IsolatedPolicy,
  about: readonly string[],
  record: AboutRecord | undefined,
): Promise<RuleVerdict> {
  const rule = { place, rule: text }
  if (about.length > 0 && fields && !about.some((name) => fields.has(name)))
    return { ...rule, holds: "elsewhere" }
  if (holds === null) return { ...rule, holds: "never" }
  if (holds.text === "all") return { ...rule, holds: "always" }
  if (!record) return { ...rule, holds: "where" }
  const isMet = await record.includes(holds)
  const paths = (await record.follow?.(holds, isMet)) ?? []
  return { ...rule, holds: isMet ? "yes" : "no", ...(paths.length > 0 && { paths }) }
}
