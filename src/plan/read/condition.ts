// Conditions: reads the JSON of docs/guide/reading.md ("Conditions") as a Filter, with every mistake and its place.

import type { Place } from "../../base/problem.ts"
import type { Quantifier, Subject } from "../../model/condition.ts"
import type { Relation, Resource, ToMany } from "../../model/model.ts"
import { apiName } from "../../model/names.ts"
import {
  identityOperators,
  isOperatorName,
  type OperatorName,
  operators,
  operatorsOf,
} from "../../model/operators.ts"
import type { Draft } from "../draft/draft.ts"
import { boundValues, countRelation, countTerms } from "../draft/limits.ts"
import { type Comparand, comparandOf, isNoKey, readFlag, readOperand } from "../draft/operand.ts"
import { hintFor, listed } from "../hints.ts"
import { resourceNamed } from "../lookup.ts"
import { aboutComputed, memberNames, memberOf, type ScalarMember, subjectOf } from "../member.ts"
import { memberHint } from "../other-versions.ts"
import { quoteInput } from "../quote-input.ts"
import type { Filter } from "../read-plan.ts"
import type { Encoding } from "../values/values.ts"

export interface ConditionInput {
  /** As JSON.parse gives it. */
  readonly input: unknown
  readonly encoding: Encoding
  readonly place: Place
}

/** The filter, or undefined when problems were added to the draft. */
export function readCondition(
  draft: Draft,
  resource: Resource,
  condition: ConditionInput,
): Filter | undefined {
  const { input, encoding, place } = condition
  if (!draft.viewer && !countTerms(draft, input, place)) return undefined
  return readObject({ draft, encoding, resource, place, level: 0, relation: undefined }, input)
}

/** Where the reading stands. */
interface Spot {
  readonly draft: Draft
  readonly encoding: Encoding
  readonly resource: Resource
  readonly place: Place
  /** Relations, `and`, `or` and `not` around this spot. */
  readonly level: number
  /** The to-one relation that led to the resource. */
  readonly relation: string | undefined
}

/** Mistakes after which reading stops. */
const mostProblems = 50

const quantifiers: readonly Quantifier[] = ["some", "every", "none"]
const connectives = ["and", "or", "not"]

function readObject(spot: Spot, input: unknown): Filter | undefined {
  const { draft, resource, place, level } = spot
  const deepest = draft.model.limits.depth
  if (level > deepest) {
    draft.problems.add(
      "too_deep",
      place,
      `A condition may be nested at most ${deepest} deep (limit \`depth\`).`,
    )
    return undefined
  }
  if (!isObject(input)) {
    const message = `A condition on \`${apiName(resource)}\` must be an object, not ${quoteInput(input)}.`
    draft.problems.add(
      "invalid_value",
      place,
      message,
      "Name members, and for each an operator with its value.",
    )
    return undefined
  }
  const known = (): readonly string[] => [...memberNames(resource), ...connectives]
  const parts = readEach(spot, entriesOf(input, known), ([name, value]) =>
    readMember(at(spot, name), name, value),
  )
  return parts && conjunction(parts.flat())
}

/** Reads each entry; undefined if one of them is wrong: the others are read all the same. */
function readEach<Entry, Result>(
  spot: Spot,
  entries: Iterable<Entry>,
  read: (entry: Entry) => Result | undefined,
): readonly Result[] | undefined {
  const results: Result[] = []
  let sound = true
  for (const entry of entries) {
    if (spot.draft.problems.found.length >= mostProblems) return undefined
    const result = read(entry)
    if (result === undefined) sound = false
    else results.push(result)
  }
  return sound ? results : undefined
}

function readMember(spot: Spot, name: string, value: unknown): readonly Filter[] | undefined {
  switch (name) {
    case "and":
    case "or": {
      const of = readConditions(spot, name, value)
      return of && [name === "and" ? conjunction(of) : of.length === 1 && of[0] ? of[0] : { kind: "or", of }]
    }
    case "not": {
      const of = readObject({ ...spot, level: spot.level + 1 }, value)
      return of && [{ kind: "not", of }]
    }
  }
  const member = memberOf(spot.resource, name)
  if (!member) return unknownMember(spot, name)
  return member.kind === "relation"
    ? readRelation(spot, member.relation, value)
    : readComparisons(spot, { member, name }, value)
}

function readConditions(spot: Spot, name: string, value: unknown): readonly Filter[] | undefined {
  if (!Array.isArray(value)) {
    const message = `\`${name}\` must be a list of conditions, not ${quoteInput(value)}.`
    spot.draft.problems.add("invalid_value", spot.place, message)
    return undefined
  }
  return readEach(spot, value.entries(), ([index, item]) =>
    readObject({ ...at(spot, index), level: spot.level + 1 }, item),
  )
}

function unknownMember(spot: Spot, name: string): undefined {
  const { draft, resource, place } = spot
  const message = `\`${apiName(resource)}\` has no member ${quoteInput(name)}.`
  const known = [...memberNames(resource), ...connectives]
  const hint =
    misplaced(spot, name) ??
    aboutComputed(resource, name) ??
    memberHint(draft.model, resource, name) ??
    hintFor(name, known)
  draft.problems.add("unknown_field", place, message, hint)
  return undefined
}

/** A hint for an operator or quantifier that stands where a to-one relation's condition does. */
function misplaced({ resource, relation }: Spot, name: string): string | undefined {
  if (relation === undefined) return undefined
  if ((quantifiers as readonly string[]).includes(name)) {
    return `\`${relation}\` is a to-one relation: leave out ${name}.`
  }
  if (!isOperatorName(name) || !resource.key) return undefined
  return `To compare ids ask \`${relation}.id.${name}\`.`
}

function readRelation(spot: Spot, relation: Relation, value: unknown): readonly Filter[] | undefined {
  const { draft } = spot
  if (!draft.viewer && !countRelation(draft, spot.place)) return undefined
  const target = resourceNamed(draft.model, relation.target)
  const inner = { ...spot, resource: target, level: spot.level + 1 }
  if (relation.kind === "many") return readQuantified({ ...inner, relation: undefined }, relation, value)
  const of = readObject({ ...inner, relation: relation.name }, value)
  return of && [{ kind: "related", relation: relation.name, of }]
}

function readQuantified(inner: Spot, relation: ToMany, value: unknown): readonly Filter[] | undefined {
  const { problems } = inner.draft
  const misuse = `\`${relation.name}\` is a to-many relation: ask with some, every or none`
  const hint = `Ask such as \`${relation.name}.some\`.`
  if (!isObject(value)) {
    problems.add("invalid_value", inner.place, `${misuse}, not ${quoteInput(value)}.`, hint)
    return undefined
  }
  return readEach(
    inner,
    entriesOf(value, () => quantifiers),
    ([name, condition]): Filter | undefined => {
      const quantifier = quantifiers.find((known) => known === name)
      if (quantifier === undefined) {
        problems.add("unknown_operator", at(inner, name).place, `${misuse}, not ${quoteInput(name)}.`, hint)
        return undefined
      }
      const of = readObject(at(inner, name), condition)
      return of && { kind: "quantified", relation: relation.name, quantifier, of }
    },
  )
}

interface Named {
  readonly member: ScalarMember
  readonly name: string
}

function readComparisons(spot: Spot, named: Named, value: unknown): readonly Filter[] | undefined {
  if (!isObject(value)) {
    const message = `\`${named.name}\` must be an object of operators, not ${quoteInput(value)}.`
    const hint = `Ask \`${named.name}.${value === null ? "isNull" : "eq"}\`.`
    spot.draft.problems.add("invalid_value", spot.place, message, hint)
    return undefined
  }
  const subject = subjectOf(named.member)
  const allowed = allowedOperators(named.member)
  const comparand = comparandOf(spot.draft.model, spot.resource, subject)
  return readEach(
    spot,
    entriesOf(value, () => allowed),
    ([name, operand]): Filter | undefined => {
      const operator = allowed.find((known) => known === name)
      const inner = at(spot, name)
      if (operator === undefined) return unknownOperator(inner, { ...named, allowed }, name)
      const what = `\`${named.name}.${operator}\``
      if (operand === null) {
        inner.draft.problems.add(
          "invalid_value",
          inner.place,
          `${what} must not be null.`,
          allowed.includes("isNull")
            ? `Ask \`${named.name}.isNull\`.`
            : `\`${named.name}\` is never missing.`,
        )
        return undefined
      }
      if (operator === "isNull") {
        const flag = readFlag(operand, spot.encoding)
        if (flag.ok) return { kind: "isNull", subject, is: flag.value === true }
        inner.draft.problems.add("invalid_value", inner.place, `${what} ${flag.wrong}.`)
        return undefined
      }
      if (inner.draft.viewer && isViewer(operand)) {
        const given = { operator, comparand, member: operand.viewer }
        const slot = inner.draft.viewer.read(given, inner.place)
        return slot && { kind: "compare", subject, operator, operand: slot }
      }
      if (operators[operator].operand === "values" && !boundValues(inner.draft, operand, inner.place))
        return undefined
      const read = readOperand(operator, comparand, operand, spot.encoding)
      if (read.ok) return compare(inner.draft, { subject, operator, comparand }, read.value)
      inner.draft.problems.add("invalid_value", inner.place, `${what} ${read.wrong}.`)
      return undefined
    },
  )
}

interface Comparison {
  readonly subject: Subject
  readonly operator: Exclude<OperatorName, "isNull">
  readonly comparand: Comparand
}

/** An id that no record can have equals none: `eq` becomes `in []`, which never holds, and `ne` its opposite. */
function compare(draft: Draft, comparison: Comparison, value: Parameters<Draft["bind"]>[0]): Filter {
  const { subject, comparand } = comparison
  const single = comparison.operator === "eq" || comparison.operator === "ne"
  const never = single && comparand.kind === "key" && isNoKey(value)
  const operator = never ? (comparison.operator === "eq" ? "in" : "notIn") : comparison.operator
  return { kind: "compare", subject, operator, operand: draft.bind(value) }
}

function allowedOperators(member: ScalarMember): readonly OperatorName[] {
  if (member.kind === "field") return operatorsOf(member.field)
  return identityOperators(member.kind === "reference" && member.relation.optional)
}

function unknownOperator(
  spot: Spot,
  named: Named & { allowed: readonly OperatorName[] },
  name: string,
): undefined {
  const { member, allowed } = named
  const kind =
    member.kind === "field" ? ` (${member.field.list ? "a list of " : ""}${member.field.scalar})` : ""
  const message =
    name === "isNull"
      ? `\`${named.name}\` is never missing: isNull cannot be asked of it.`
      : `\`${named.name}\`${kind} has no operator ${quoteInput(name)}.`
  const near = isOperatorName(name) ? undefined : hintFor(name, allowed)
  const hint = allowed.length === 0 ? "No operator applies to it." : `It takes ${listed(allowed, "and")}.`
  spot.draft.problems.add(
    "unknown_operator",
    spot.place,
    message,
    near?.startsWith("Did") ? `${near} ${hint}` : hint,
  )
  return undefined
}

/**
 * An object's members in the order of the names known here, unknown ones last. Objects have no order (RFC 8259
 * section 1), so that a condition is one plan and one statement however a client writes it.
 */
function entriesOf(
  input: Readonly<Record<string, unknown>>,
  known: () => readonly string[],
): readonly (readonly [string, unknown])[] {
  const entries = Object.entries(input)
  if (entries.length < 2) return entries
  const names = known()
  const rank = new Map(names.map((name, index) => [name, index]))
  const rankOf = (name: string): number => rank.get(name) ?? names.length
  return entries.sort(([a], [b]) => rankOf(a) - rankOf(b))
}

function conjunction(of: readonly Filter[]): Filter {
  return of.length === 1 && of[0] ? of[0] : { kind: "and", of }
}

function at(spot: Spot, step: string | number): Spot {
  return { ...spot, place: [...spot.place, step] }
}

const isViewer = (operand: unknown): operand is { readonly viewer: string } =>
  isObject(operand) && typeof operand["viewer"] === "string" && Object.keys(operand).length === 1

function isObject(input: unknown): input is Readonly<Record<string, unknown>> {
  return typeof input === "object" && input !== null && !Array.isArray(input)
}
