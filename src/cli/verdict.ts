// Whether an actor may do something, by what the engine leaves them, and what each rule by itself has to say of it.

import type { Place } from "../base/problem.ts"
import type { Field, Model, Resource, Transition } from "../model/model.ts"
import type { Actor } from "../plan/actor.ts"
import type { Standing } from "../plan/audience.ts"
import { everyRecord } from "../plan/audience.ts"
import { transitionsOf } from "../plan/names.ts"
import type { ActionName } from "../plan/rule-types.ts"
import { rulesOf } from "../plan/rules.ts"
import {
  type RecordsOf,
  recordsOf,
  rulesOfAction,
  rulesOfField,
  rulesOfTransition,
  type SingleRule,
} from "../plan/single-rules.ts"
import type { Filter } from "../plan/types.ts"

export interface Asked {
  readonly actor: Actor
  /** The whole service. */
  readonly model: Model
  readonly resource: Resource
  readonly action: ActionName | Transition
  readonly field?: Field
}

/** Whether the record that is asked about is one of them. */
export type Includes = (records: RecordsOf) => Promise<boolean>

export interface Verdict {
  readonly allowed: boolean
  /** In the order in which they are asked; all have to be met. */
  readonly needs: readonly Need[]
}

/** What has to hold: an action's rules, or a field's. */
export interface Need {
  readonly what: ActionName | "field" | "transition" | "state" | "condition"
  /** Of all records, or of those that this condition is about; null for none. */
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
}

/** @param includes absent when no record is named */
export async function decide(asked: Asked, includes?: Includes): Promise<Verdict> {
  const needs: Need[] = []
  for (const what of needed(asked)) needs.push(await needOf(asked, what, includes))
  return { allowed: needs.every(({ met }) => met), needs }
}

/** What is written has to be readable as well, before and after (docs/access.md). */
function needed({ action, field }: Asked): readonly Need["what"][] {
  if (typeof action === "object")
    return ["read", "transition", "state", ...(action.when ? (["condition"] as const) : [])]
  return [...new Set<Need["what"]>(["read", action, ...(field ? (["field"] as const) : [])])]
}

async function needOf(asked: Asked, what: Need["what"], includes: Includes | undefined): Promise<Need> {
  const { actor, resource } = asked
  const left = leftOf(asked, what)
  const records = left ? recordsOf(actor.model, resource.name, left) : null
  const met = records !== null && (includes === undefined || (await includes(records)))
  const rules: RuleVerdict[] = []
  for (const rule of rulesFor(asked, what))
    rules.push(await judge(rule, what === asked.action ? asked.field : undefined, includes))
  return { what, records: records?.text ?? null, met, rules }
}

/** Undefined for no record. */
function leftOf(asked: Asked, what: Need["what"]): Filter | undefined {
  const { actor, model, resource, action } = asked
  const own = actor.model.resources.get(resource.name)
  switch (what) {
    case "field":
      return fieldLeft(asked)
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

/** What is the same for everybody. */
const transitionRules = (model: Model, { name }: Resource, action: Asked["action"]) =>
  rulesOf(model).resources.get(name)?.transitions.get(nameOf(action))

const nameOf = (action: Asked["action"]): string => (typeof action === "object" ? action.name : action)

/** Undefined for no record. */
function fieldLeft({ actor, resource, action, field }: Asked): Filter | undefined {
  const own = actor.model.resources.get(resource.name)
  const name = field?.name ?? ""
  if (action === "read") {
    const seen = own?.fields.get(name)
    return seen && (seen.seen ?? everyRecord)
  }
  if (field === undefined || neverWritten(field, action) !== undefined) return undefined
  const settable = own?.settable?.get(name)
  return (action === "create" ? settable?.creatable : settable?.changeable) || undefined
}

/** Why nobody writes the field, whatever the rules say. */
export function neverWritten(field: Field, action: Asked["action"]): string | undefined {
  if (action === "read") return undefined
  if (field.computed) return "it is computed"
  if (field.generated) return "the database computes it"
  if (field.readonly) return "it is read-only"
  return action === "update" && field.immutable ? "it never changes" : undefined
}

function rulesFor(
  { model, actor, resource, action, field }: Asked,
  what: Need["what"],
): readonly SingleRule[] {
  const standing = standingOf(actor)
  if (typeof action === "object" && what === "transition")
    return rulesOfTransition(model, standing, { resource, transition: action })
  if (what === "transition" || what === "state" || what === "condition") return []
  if (what !== "field") return rulesOfAction(model, standing, { resource, action: what })
  const access = action === "read" ? "read" : "write"
  return field ? rulesOfField(model, standing, { resource, field: field.name, access }) : []
}

function standingOf({ model, key }: Actor): Standing {
  const { signedIn = false, roles = [], scopes = [] } = model.audience ?? {}
  return { signedIn, viewer: key !== null, roles, scopes }
}

/** @param field that the rule has to be about */
async function judge(
  { place, text, fields, holds }: SingleRule,
  field: Field | undefined,
  includes: Includes | undefined,
): Promise<RuleVerdict> {
  const said = async (): Promise<RuleVerdict["holds"]> => {
    if (field && fields && !fields.has(field.name)) return "elsewhere"
    if (holds === null) return "never"
    if (holds.text === "all") return "always"
    if (!includes) return "where"
    return (await includes(holds)) ? "yes" : "no"
  }
  return { place, rule: text, holds: await said() }
}
