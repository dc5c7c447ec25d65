// The answer of `bifold can` in words and as JSON: a sentence with its reason, and what each rule has to do with it.
import type { Transition } from "../../model/model.ts"
import { placeText } from "../../observe/terminal/failure.ts"
import type { Terminal } from "../../observe/terminal/terminal.ts"
import { setsViewer } from "../../plan/access/visible-model.ts"
import {
  type AccessQuestion,
  type CallQuestion,
  isOwn,
  isTransition,
  type Need,
  neverWritten,
  type PathVerdict,
  type RuleVerdict,
  type Verdict,
} from "../verdict.ts"
import { columns } from "./columns.ts"

/** The question, in the words of the command line. */
interface Words {
  readonly actor: string
  readonly action: string
  readonly what: string | undefined
  readonly options: { readonly field?: string }
}

export interface CanReport {
  readonly asked: AccessQuestion | CallQuestion
  readonly verdict: Verdict
  readonly id: string | undefined
}

export function asText({ out }: Terminal, given: Words, told: CanReport): string {
  const { verdict } = told
  const mark = verdict.allowed ? out.green("✓") : out.red("✗")
  const sections = verdict.needs.map((need) => {
    const records = need.what === "operation" ? null : need.records
    const title = `${titleOf(need, given)}${records === null ? "" : out.dim(` · ${records}`)}`
    const rows = need.rules.flatMap(({ place, rule, holds, paths = [] }) => [
      [`  ${paintFor(holds, out)(saysOf(holds))}`, placeText(place), rule],
      ...paths.map((path) => ["", "", out.dim(pathText(path))]),
    ])
    return [
      `${need.met ? out.green("✓") : out.red("✗")} ${title}`,
      ...(rows.length > 0 ? [columns(rows)] : []),
    ].join("\n")
  })
  return [`${mark} ${sentence(given, told)}`, ...sections].join("\n\n")
}

function titleOf({ what, field }: Need, { action }: Words): string {
  if (what === "field") return `field ${field}`
  return what === "transition" || what === "action" || what === "operation" ? action : what
}

const saysOf = (holds: RuleVerdict["holds"]): string =>
  ({
    always: "holds",
    never: "never holds for them",
    where: "holds where it says",
    yes: "holds for this record",
    no: "does not hold for this record",
    elsewhere: "is about other fields",
  })[holds]

/** `by organisation org_1; memberships mem_1, mem_2 and 3 more`, `organisation org_1; no memberships (level = owner)` */
function pathText({ found, none, against }: PathVerdict): string {
  const parts = found.flatMap(({ relation, records, more }) =>
    records.length === 0 ? [] : [`${relation} ${records.join(", ")}${more > 0 ? ` and ${more} more` : ""}`],
  )
  if (none) {
    const where = none.where === undefined ? "" : ` (${none.where})`
    return [...parts, `no ${none.relation}${where}`].join("; ")
  }
  return `${against ? "against it: " : "by "}${parts.length > 0 ? parts.join("; ") : "none"}`
}

const paintFor = (holds: RuleVerdict["holds"], out: Terminal["out"]) =>
  holds === "always" || holds === "yes" ? out.green : holds === "where" ? out.yellow : out.dim

function sentence(given: Words, { asked, verdict, id }: CanReport): string {
  const { actor } = given
  const done = doing(given, asked, id)
  if (!verdict.allowed) return `${actor} may not ${done}: ${reason(asked, verdict, id)}.`
  const conditions = id === undefined ? conditionsOf(verdict) : []
  return `${actor} may ${done}${conditions.length > 0 ? `, where ${conditions.join(", and ")}` : ""}.`
}

/** `set note of order ord_1` */
function doing({ action, options }: Words, asked: CanReport["asked"], id: string | undefined): string {
  if ("operation" in asked) return action
  const { field, resource } = asked
  const verb = field && action !== "read" ? (action === "create" ? "give" : "set") : action
  return `${verb} ${field ? `${options.field} of ` : ""}${resource.name}${id === undefined ? "" : ` ${id}`}`
}

/** The condition on the record. */
const conditionsOf = ({ needs }: Verdict): readonly string[] => [
  ...new Set(needs.flatMap(({ records }) => (records === null || records === "all" ? [] : [records]))),
]

function reason(asked: CanReport["asked"], { needs }: Verdict, id: string | undefined): string {
  const failed = needs.find(({ met }) => !met)
  const told = failed && "resource" in asked && ownReason(asked, failed, id)
  if (told) return told
  const what = failed?.what === "field" ? "of the field" : "for it"
  if (failed?.rules.length === 0) return `there is no rule ${what}`
  return failed?.records === null
    ? `no rule ${what} can hold for them`
    : `no rule ${what} holds for this record`
}

/** Undefined where the rules of what failed say all that there is to say. */
function ownReason(asked: AccessQuestion, failed: Need, id: string | undefined): string | undefined {
  const { field, needs, action } = asked
  const unmet = isTransition(action) && unmetTransition(asked, action, failed)
  if (unmet) return unmet
  if (failed.what === "read" && action !== "read") {
    const what = isOwn(action) ? "what it is done to" : "what is written"
    return `${id === undefined ? "they can read none, and" : "they cannot read it, and"} ${what} has to be readable`
  }
  if (failed.what !== "field") return undefined
  const never = neverWritten(asked)
  if (never !== undefined) return never
  if (needs) return `it is computed of ${failed.field}, which is kept from them`
  const own = field?.[action === "read" ? "read" : "write"]
  return own === undefined ? "the record's rules keep it from them" : undefined
}

/** Undefined for needs that every action has. */
function unmetTransition(
  { actor, model }: AccessQuestion,
  transition: Transition,
  { what, records }: Need,
): string | undefined {
  const { name, reason } = transition
  if (what === "state") return `\`${name}\` is possible only where ${records}`
  if (what === "condition") return reason?.replace(/\.$/, "") ?? `the record does not meet ${records}`
  return what === "transition" && setsViewer(transition) && actor.key === null
    ? `it sets who fires it, and they are no ${model.viewer}`
    : undefined
}

export function asJson({ actor, action, what, options }: Words, { verdict }: CanReport): string {
  const { allowed, needs } = verdict
  const needJson = ({ what: need, field: of, records, met, rules }: Need) => ({
    what: need,
    ...(of !== undefined && { field: of }),
    met,
    records,
    rules: rules.map(({ place, ...rest }) => ({ place: placeText(place), ...rest })),
  })
  const field = options.field === undefined ? {} : { field: options.field }
  return JSON.stringify({ allowed, actor, action, what, ...field, needs: needs.map(needJson) }, null, 2)
}
