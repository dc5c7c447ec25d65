// Prints rules and the conditions in them in the words of a declaration: `customer.id = viewer.id`, `status in paid, shipped`.
import { match } from "../../base/match.ts"
import type { Subject } from "../../model/condition.ts"
import type { Model, Resource } from "../../model/model.ts"
import type { Grant, Rule } from "../access/policy-types.ts"
import { resourceNamed, subjectName, targetOf, wholeOf } from "../lookup.ts"
import type { Filter, Slot, Value } from "../read-plan.ts"

/** The meaning of names and slots in a condition: the declared service, and the values that `rulesOf` bound. */
export interface Wording {
  readonly model: Model
  readonly seats: readonly unknown[]
}

/** For a visible model, or any other without rules. */
export const wordingOf = (model: Model): Wording => ({
  model: wholeOf(model),
  seats: model.audience?.seats ?? model.seats ?? [],
})

/** No parts are `all`, no alternatives are `none`. */
export function printCondition(wording: Wording, resource: Resource, filter: Filter): string {
  return conditionPhrase({ ...wording, resource, path: "" }, filter).text
}

/** `role:staff`, `role:warehouse and status in paid, shipped` */
function printRule(wording: Wording, resource: Resource, rule: Rule): string {
  return rulePhrase(wording, resource, rule).text
}

/** A rule of an action: `only name, phone: role:warehouse` where it is about some fields. */
export function printGrant(wording: Wording, resource: Resource, { rule, fields }: Grant): string {
  const text = printRule(wording, resource, rule)
  return fields ? `only ${[...fields].join(", ")}: ${text}` : text
}

/** Text, and the word that holds its parts together, if it has several. */
interface Phrase {
  readonly text: string
  readonly word?: "and" | "or"
}

function joined(word: "and" | "or", parts: readonly Phrase[], empty: string): Phrase {
  const [only, ...more] = parts
  if (only === undefined) return { text: empty }
  if (more.length === 0) return only
  const texts = parts.map((part) => (part.word && part.word !== word ? `(${part.text})` : part.text))
  return { text: texts.join(` ${word} `), word }
}

const opposite = ({ text, word }: Phrase): Phrase => ({ text: word ? `not (${text})` : `not ${text}` })

function rulePhrase(wording: Wording, resource: Resource, rule: Rule): Phrase {
  const inner = (of: Rule): Phrase => rulePhrase(wording, resource, of)
  switch (rule.kind) {
    case "and":
      return joined("and", rule.of.map(inner), "anyone")
    case "or":
      return joined("or", rule.of.map(inner), "nobody")
    case "not":
      return opposite(inner(rule.of))
    case "signedIn":
      return { text: "signed in" }
    case "role":
    case "scope":
      return { text: `${rule.kind}:${rule.name}` }
    case "records":
      return conditionPhrase({ ...wording, resource, path: "" }, rule.where)
  }
}

interface Spot extends Wording {
  readonly resource: Resource
  /** To-one relations that led to the resource: empty, or such as `order.customer.`. */
  readonly path: string
}

function conditionPhrase(spot: Spot, filter: Filter): Phrase {
  const { model, resource, path } = spot
  const inner = (of: Filter): Phrase => conditionPhrase(spot, of)
  return match(filter, {
    and: ({ of }): Phrase => joined("and", of.map(inner), "all"),
    or: ({ of }): Phrase => joined("or", of.map(inner), "none"),
    not: ({ of }): Phrase => opposite(inner(of)),
    compare: ({ subject, operator, operand }): Phrase => ({
      text: `${path}${memberName(resource, subject)} ${signs[operator] ?? operator} ${operandText(spot, subject, operand)}`,
    }),
    isNull: ({ subject, is }): Phrase => ({
      text: `${path}${memberName(resource, subject)} is ${is ? "missing" : "present"}`,
    }),
    related: ({ relation, of }): Phrase => {
      const target = targetOf(model, resource, relation)
      if (of.kind === "and" && of.of.length === 0) return { text: `${path}${relation} is present` }
      const within = (at: string): Phrase => conditionPhrase({ ...spot, resource: target, path: at }, of)
      // A condition that an existing target must not meet.
      return holdsOfNothing(of)
        ? { text: `${path}${relation} (${within("").text})` }
        : within(`${path}${relation}.`)
    },
    quantified: ({ quantifier, relation, of }): Phrase => {
      const target = targetOf(model, resource, relation)
      const which = `${quantifier === "none" ? "no" : quantifier} ${path}${relation}`
      if (of.kind === "and" && of.of.length === 0) return { text: which }
      return { text: `${which} (${conditionPhrase({ ...spot, resource: target, path: "" }, of).text})` }
    },
    together: ({ relation }): Phrase => ({ text: `${relation} made together` }),
    settled: (): Phrase => ({ text: "the state before the step" }),
  })
}

/** Whether the condition would hold where there is no record: then the relation has to stand before it. */
function holdsOfNothing(filter: Filter): boolean {
  if (filter.kind === "and" || filter.kind === "or") return filter.of.some(holdsOfNothing)
  if (filter.kind === "related") return holdsOfNothing(filter.of)
  return (
    filter.kind === "not" ||
    (filter.kind === "isNull" && filter.is) ||
    (filter.kind === "quantified" && filter.quantifier !== "some")
  )
}

const signs: Readonly<Record<string, string>> = {
  eq: "=",
  ne: "!=",
  lt: "<",
  lte: "<=",
  gt: ">",
  gte: ">=",
  notIn: "not in",
  startsWith: "starts with",
  endsWith: "ends with",
  search: "has the words",
  hasAny: "has any of",
  hasAll: "has all of",
}

/** A reference in the words of its relation: `customer.id`. */
const memberName = (resource: Resource, subject: Subject): string =>
  subject.kind === "reference" ? `${subject.relation}.id` : subjectName(resource, subject)

function operandText({ model, seats, resource }: Spot, subject: Subject, { slot, viewer }: Slot): string {
  if (viewer) return `viewer.${subjectName(resourceNamed(model, model.viewer ?? ""), viewer)}`
  // The first seat is kept for the viewer's key.
  if (slot === 0) return "viewer.id"
  const value = (seats[slot] ?? null) as Value
  const keyOf =
    subject.kind === "id"
      ? resource
      : subject.kind === "reference"
        ? targetOf(model, resource, subject.relation)
        : undefined
  if (!Array.isArray(value)) return valueText(value)
  if (value.length === 0) return "nothing"
  if (keyOf && !value.some(Array.isArray)) return idText(keyOf, value)
  return value
    .map((item) => (keyOf && Array.isArray(item) ? idText(keyOf, item) : valueText(item)))
    .join(", ")
}

const idText = ({ prefix }: Resource, parts: readonly Value[]): string => `${prefix}_${parts.join("~")}`

/** Bare where it cannot be taken for anything else. */
const valueText = (value: Value): string =>
  typeof value === "bigint"
    ? String(value)
    : typeof value === "string" && /^\p{L}[\p{L}\p{N}_-]*$/u.test(value) && !reserved.has(value)
      ? value
      : JSON.stringify(value)

const reserved = new Set([
  "true",
  "false",
  "null",
  "and",
  "or",
  "not",
  "viewer",
  "nothing",
  "missing",
  "present",
])
