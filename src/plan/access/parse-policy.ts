// A rule of a declaration, read with every mistake and its place. Its conditions are read as conditions of requests are;
// docs/guide/permissions.md says what each form means.
import { withArticle } from "../../base/article.ts"
import type { Place } from "../../base/problem.ts"
import type { Condition } from "../../model/condition.ts"
import { onlyMachine } from "../../model/declaration/states.ts"
import type { Machine, Model, Resource, Transition } from "../../model/model.ts"
import { operators } from "../../model/operators.ts"
import type { RuleDeclaration } from "../../model/policy-declaration.ts"
import type { Draft, ViewerOperand } from "../draft/draft.ts"
import { type Comparand, comparandOf } from "../draft/operand.ts"
import { hintFor, listed } from "../hints.ts"
import { memberNames, memberOf, subjectOf } from "../member.ts"
import { isObject } from "../pending-key.ts"
import { quoteInput } from "../quote-input.ts"
import { readCondition } from "../read/condition.ts"
import type { Filter, Slot } from "../read-plan.ts"
import type { PlacedGrant, Rule, TransitionRules } from "./policy-types.ts"
import { whyUnsatisfiable } from "./unsatisfiable.ts"

export interface Reading {
  readonly model: Model
  readonly draft: Draft
  /** Whether the condition being read compares with the viewer's record. */
  readonly mentions: { viewer: boolean }
  /** The rule is about a record that is written, and which others may be made together with. */
  readonly writes?: true
  /** Handles a condition that can never hold, where it is not simply left out. */
  readonly whenNever?: string
}

export const severalOf = (given: RuleDeclaration): readonly unknown[] =>
  Array.isArray(given) ? given : [given]

/** Any of several is enough. */
export function readUnion(
  reading: Reading,
  resource: Resource,
  given: RuleDeclaration,
  place: Place,
): Rule | undefined {
  const several = severalOf(given)
  const of = several.map((one, index) =>
    readPossible(reading, resource, one, Array.isArray(given) ? [...place, index] : place),
  )
  return of.some((rule) => rule === undefined) ? undefined : joined("or", of as readonly Rule[])
}

export const joined = (kind: "and" | "or", of: readonly Rule[]): Rule =>
  of.length === 1 && of[0] ? of[0] : { kind, of }

/** A satisfiable rule; undefined when problems were added to the draft. */
export function readPossible(
  reading: Reading,
  resource: Resource,
  given: unknown,
  place: Place,
): Rule | undefined {
  const rule = readRule(reading, resource, given, place)
  const why = rule && whyUnsatisfiable(reading.model, resource, rule, reading.draft.values)
  if (why === undefined) return rule
  reading.draft.problems.add(
    "invalid_declaration",
    place,
    `This rule can never hold: ${why}.`,
    reading.whenNever ?? "Leave it out: access is denied by default.",
  )
  return undefined
}

/** Undefined when problems were added to the draft. */
function readRule(reading: Reading, resource: Resource, given: unknown, place: Place): Rule | undefined {
  const { problems } = reading.draft
  if (!isObject(given)) {
    problems.add("invalid_declaration", place, `A rule must be an object, not ${quoteInput(given)}.`)
    return undefined
  }
  if (Object.keys(given).length === 0) {
    problems.add(
      "invalid_declaration",
      place,
      "An empty rule would hold for every actor.",
      "If that is meant, say so: anyone.",
    )
    return undefined
  }
  const parts: (Rule | undefined)[] = []
  const members: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(given)) {
    const at = [...place, name]
    if (name === "anyone" && value === true) parts.push({ kind: "and", of: [] })
    else if (name === "signedIn" && value === true) parts.push({ kind: "signedIn" })
    else if ((name === "role" || name === "scope") && typeof value === "string")
      parts.push(readName(reading, name, value, at))
    else if (name === "together" && typeof value === "string")
      parts.push(readTogether(reading, resource, value, at))
    else if ((name === "and" || name === "or") && Array.isArray(value))
      parts.push(readJoined(reading, resource, { kind: name, of: value }, at))
    else if (name === "not" && isObject(value)) {
      const of = readPossible(reading, resource, value, at)
      parts.push(of && { kind: "not", of })
    } else members[name] = value
  }
  // Each separately, so that an undecidable one does not affect the others.
  for (const [name, value] of inOrder(resource, members))
    parts.push(readRecords(reading, resource, { [name]: value }, place))
  return parts.some((part) => part === undefined) ? undefined : joined("and", parts as readonly Rule[])
}

/** Members in the order of the resource's: a rule is the same however it is written. */
function inOrder(
  resource: Resource,
  members: Readonly<Record<string, unknown>>,
): readonly (readonly [string, unknown])[] {
  const rank = new Map(memberNames(resource).map((name, index) => [name, index]))
  const rankOf = (name: string): number => rank.get(name) ?? rank.size
  return Object.entries(members).toSorted(([a], [b]) => rankOf(a) - rankOf(b))
}

function readJoined(
  reading: Reading,
  resource: Resource,
  { kind, of }: { readonly kind: "and" | "or"; readonly of: readonly unknown[] },
  place: Place,
): Rule | undefined {
  const rules = of.map((one, index) => readPossible(reading, resource, one, [...place, index]))
  return rules.some((rule) => rule === undefined) ? undefined : joined(kind, rules as readonly Rule[])
}

function readName(
  { model, draft }: Reading,
  kind: "role" | "scope",
  name: string,
  place: Place,
): Rule | undefined {
  const declared = kind === "role" ? model.roles : model.scopes
  if (declared.includes(name)) return { kind, name }
  draft.problems.add(
    "invalid_declaration",
    place,
    `There is no ${kind} ${quoteInput(name)}.`,
    hintFor(name, declared) ?? `Declare it with the service: ${kind}s: [${JSON.stringify(name)}].`,
  )
  return undefined
}

function readTogether(
  { draft, writes }: Reading,
  resource: Resource,
  name: string,
  place: Place,
): Rule | undefined {
  const wrong = (message: string, hint: string): undefined =>
    draft.problems.add("invalid_declaration", place, message, hint) as undefined
  if (!writes)
    return wrong(
      "`together` is about a record that is being created or updated.",
      "Use it in `create` and `update` of `allow`, and in `write` of a field.",
    )
  const relation = resource.relations.get(name)
  if (relation?.kind === "one" && relation.reference !== undefined)
    return { kind: "records", where: { kind: "together", relation: name }, viewer: false }
  const references = [...resource.relations.values()].flatMap((one) =>
    one.kind === "one" && one.reference !== undefined ? [one.name] : [],
  )
  return wrong(
    `${resource.name} has no reference ${quoteInput(name)}.`,
    hintFor(name, references) ?? "Name a to-one relation whose reference the record has.",
  )
}

function readRecords(
  { draft, mentions }: Reading,
  resource: Resource,
  input: object,
  place: Place,
): Rule | undefined {
  mentions.viewer = false
  const found = readCondition(draft, resource, { input, encoding: "json", place })
  if (!found) return undefined
  const where = shortened(draft.model, resource, found)
  if (holdsWithoutViewer(where)) {
    draft.problems.add(
      "invalid_declaration",
      place,
      "Within a negation, only the viewer's id may be used: for a viewer without the value the negation would hold.",
      "Say what must hold instead.",
    )
    return undefined
  }
  return { kind: "records", where, viewer: mentions.viewer }
}

/** Shortens `{customer: {id: …}}` to `{customerId: …}`, which needs no lookup of another record. */
function shortened(model: Model, resource: Resource, filter: Filter): Filter {
  switch (filter.kind) {
    case "and":
    case "or":
      return { ...filter, of: filter.of.map((part) => shortened(model, resource, part)) }
    case "not":
      return { ...filter, of: shortened(model, resource, filter.of) }
    case "related":
    case "quantified": {
      const relation = resource.relations.get(filter.relation)
      const target = relation && model.resources.get(relation.target)
      const of = target ? shortened(model, target, filter.of) : filter.of
      const isKey =
        filter.kind === "related" &&
        relation?.kind === "one" &&
        relation.reference !== undefined &&
        of.kind === "compare" &&
        of.subject.kind === "id" &&
        (of.operator === "eq" || of.operator === "in")
      return isKey ? { ...of, subject: { kind: "reference", relation: filter.relation } } : { ...filter, of }
    }
    default:
      return filter
  }
}

/** Whether it may hold because the viewer's record has no value, or is not there. */
function holdsWithoutViewer(filter: Condition<Slot>, positive = true): boolean {
  switch (filter.kind) {
    case "and":
    case "or":
      return filter.of.some((part) => holdsWithoutViewer(part, positive))
    case "not":
      return holdsWithoutViewer(filter.of, !positive)
    case "related":
      return holdsWithoutViewer(filter.of, positive)
    case "quantified":
      // `every` is that none is found for which it does not hold.
      return holdsWithoutViewer(filter.of, filter.quantifier === "none" ? !positive : positive)
    case "compare":
      return filter.operand.viewer !== undefined && (filter.operator === "ne" ? positive : !positive)
    default:
      return false
  }
}

/** The operand for `viewer.name`. */
export function readViewer(
  { model, draft, mentions }: Reading,
  { operator, comparand, member: name }: ViewerOperand,
  place: Place,
): Slot | undefined {
  const wrong = (message: string, hint?: string): undefined =>
    draft.problems.add("invalid_declaration", place, message, hint) as undefined
  const resource = model.viewer === undefined ? undefined : model.resources.get(model.viewer)
  if (!resource)
    return wrong("This service says of no resource that its records are those who sign in.", 'viewer: "user"')
  if (operators[operator].operand !== "value" || operator === "has")
    return wrong(`\`${operator}\` cannot be asked with the viewer.`, "Ask with eq.")
  const member = memberOf(resource, name)
  if (!member || member.kind === "relation" || (member.kind === "field" && member.field.list)) {
    const names = [...resource.fields.values()].filter(({ list }) => !list).map((field) => field.name)
    return wrong(
      `The viewer, ${withArticle(resource.name)}, has no value ${quoteInput(name)}.`,
      hintFor(name, ["id", ...names]),
    )
  }
  const subject = subjectOf(member)
  const own = comparandOf(model, resource, subject)
  if (!isAlike(own, comparand))
    return wrong(
      `viewer.${name} is ${described(own)}, and is compared with ${described(comparand)}.`,
      "Both have to be of one kind.",
    )
  mentions.viewer = true
  return subject.kind === "id" ? { slot: 0 } : { slot: 0, viewer: subject }
}

function isAlike(a: Comparand, b: Comparand): boolean {
  if (a.kind === "key" || b.kind === "key")
    return a.kind === "key" && b.kind === "key" && a.resource === b.resource
  return a.type.scalar === b.type.scalar
}

const described = (of: Comparand): string =>
  of.kind === "key" ? `an id of ${of.resource.name}` : `${listed([of.type.scalar], "and")}`

// Rules of transitions: callers that may fire each, and conditions on the record. They are read with the other rules.
interface ReadTransition {
  readonly name: string
  /** Each rule of `allow`. */
  readonly allowed: readonly PlacedGrant[]
  /** Undefined when problems were added to the draft. */
  readonly rules: TransitionRules | undefined
}

export function readTransitionRules(reading: Reading, resource: Resource): readonly ReadTransition[] {
  return [...resource.machines.values()].flatMap((machine) =>
    [...machine.transitions.values()].map((transition) =>
      readOne(reading, resource, transition, [...machinePlace(resource, machine), transition.name]),
    ),
  )
}

/** Where the transitions of a machine are declared; a resource's only machine needs no name. */
export function machinePlace({ name, machines }: Resource, machine: Machine): Place {
  const named = machines.size > 1 || machine.name !== onlyMachine
  return ["resources", name, "states", ...(named ? [machine.name] : []), "transitions"]
}

function readOne(reading: Reading, resource: Resource, transition: Transition, place: Place): ReadTransition {
  const { name } = transition
  const allowed = readAllow(reading, resource, transition, [...place, "allow"])
  const from: Filter = {
    kind: "compare",
    subject: { kind: "field", field: transition.machine },
    operator: "in",
    operand: reading.draft.bind(transition.from),
  }
  const when = readWhen(reading, resource, transition, { from, place })
  if (!when || (allowed && allowed.length < severalOf(transition.allow ?? []).length))
    return { name, allowed: allowed ?? [], rules: undefined }
  const allow =
    allowed &&
    joined(
      "or",
      allowed.map(({ rule }) => rule),
    )
  return { name, allowed: allowed ?? [], rules: { from, when, ...(allow && { allow }) } }
}

/** Undefined for an absent member. */
function readAllow(
  reading: Reading,
  resource: Resource,
  { allow }: Transition,
  place: Place,
): readonly PlacedGrant[] | undefined {
  if (allow === undefined) return undefined
  return severalOf(allow).flatMap((one, index): PlacedGrant[] => {
    const at = Array.isArray(allow) ? [...place, index] : place
    const rule = readPossible(reading, resource, one, at)
    return rule ? [{ rule, place: at }] : []
  })
}

function readWhen(
  reading: Reading,
  resource: Resource,
  { name, when }: Transition,
  { from, place }: { readonly from: Filter; readonly place: Place },
): Filter | undefined {
  if (when === undefined) return { kind: "and", of: [] }
  const at = [...place, "when"]
  const wrong = (message: string, hint: string): undefined =>
    reading.draft.problems.add("invalid_declaration", at, message, hint) as undefined
  const rule = readUnion(
    { ...reading, whenNever: `Then \`${name}\` can never be fired.` },
    resource,
    when,
    at,
  )
  if (!rule) return undefined
  const filter = conditionOf(rule)
  if (!filter)
    return wrong("The condition of a transition cannot use the viewer.", "Say in `allow` who may fire it.")
  const both: Rule = {
    kind: "and",
    of: [
      { kind: "records", where: from, viewer: false },
      { kind: "records", where: filter, viewer: false },
    ],
  }
  const why = whyUnsatisfiable(reading.model, resource, both, reading.draft.values)
  return why === undefined
    ? filter
    : wrong(
        `\`${name}\` can never be fired: ${why}.`,
        "Ask for a condition that a record can meet in a state that it starts from.",
      )
}

/** Undefined where it depends on the caller. */
function conditionOf(rule: Rule): Filter | undefined {
  switch (rule.kind) {
    case "and":
    case "or": {
      const of = rule.of.map(conditionOf)
      if (of.some((part) => part === undefined)) return undefined
      const [only, ...more] = of as readonly Filter[]
      return only && more.length === 0 ? only : { kind: rule.kind, of: of as readonly Filter[] }
    }
    case "not": {
      const of = conditionOf(rule.of)
      return of && { kind: "not", of }
    }
    case "records":
      return rule.viewer ? undefined : rule.where
    default:
      return undefined
  }
}
