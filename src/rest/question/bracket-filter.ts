// Filters in brackets: `filter[customer][email]=x` and its like become one condition for each question, with `and` and
// `or` as lists. A filter that is JSON as well is refused, since one of the two may be a mistake.
import type { Problems } from "../../base/problem.ts"
import { isOperatorName, operators } from "../../model/operators.ts"
import { quoteInput } from "../../plan/quote-input.ts"
import { isConnective, isIndex, placeOf } from "./parameter-place.ts"
import type { QuestionDraft } from "./rest-query.ts"
import { indexHint, nameOf, readItems, readText, type Spelled } from "./spellings.ts"

export interface Filters {
  /** False, with a problem, where the question has a filter of the other form. */
  accepts(question: QuestionDraft, spelled: Spelled): boolean
  /** Adds a comparison in brackets that was accepted. */
  add(question: QuestionDraft, spelled: Spelled): void
  /** Makes lists of what has indexes; after all comparisons were added. */
  settle(): void
}

/** Without a prototype, so that any name is a plain one. */
type Members = Record<string, unknown>

interface Condition {
  /** The parameter that came first. */
  readonly first: Spelled
  /** Members by name; undefined for JSON. */
  readonly value: Members | undefined
  /** Comparisons, for the names of those that contradict one another. */
  readonly added: Spelled[]
}

/** Conditions of `and` or `or`, by index. */
interface Connective {
  readonly parent: Members
  readonly name: string
  readonly spelled: Spelled
}

export function createFilters(problems: Problems): Filters {
  const conditions = new Map<QuestionDraft, Condition>()
  const connectives: Connective[] = []
  const begin = (question: QuestionDraft, first: Spelled): Condition => {
    const value: Members | undefined = first.steps.length === 0 ? undefined : Object.create(null)
    const condition = { first, value, added: [] }
    conditions.set(question, condition)
    if (value) question.filters.push({ encoding: "text", value })
    return condition
  }
  return {
    accepts(question, spelled) {
      const { first, value } = conditions.get(question) ?? begin(question, spelled)
      if ((value === undefined) === (spelled.steps.length === 0)) return true
      problems.add(
        "invalid_value",
        placeOf(spelled),
        `${nameOf(spelled)} and ${nameOf(first)} are two spellings of one filter: JSON and brackets.`,
        "Write the whole filter in one of them.",
      )
      return false
    },
    add(question, spelled) {
      const condition = conditions.get(question)
      if (!condition?.value || !hasPath(spelled, problems)) return
      const operand = readOperand(spelled, problems)
      if (operand === undefined) return
      if (insert(condition.value, { spelled, operand, connectives })) condition.added.push(spelled)
      else refuseSecond(condition, spelled, problems)
    },
    settle() {
      // Those within others come after them.
      for (const connective of connectives.toReversed()) settleList(connective, problems)
    },
  }
}

/** False, with a problem, when a name is empty, or the path ends at `or` or an index of it. */
function hasPath(spelled: Spelled, problems: Problems): boolean {
  const names = spelled.steps.slice(0, -1)
  const last = names.at(-1) ?? ""
  if (!names.includes("") && !isConnective(last) && !isIndex(last)) return true
  problems.add(
    "unknown_parameter",
    placeOf(spelled),
    `${quoteInput(nameOf(spelled))} is not a filter.`,
    names.some(isConnective)
      ? `Each condition has an index, as in ${indexed}.`
      : "Write a path and an operator, as in `filter[customer][email][endsWith]=@x.org` or `filter[customer.email]=a@x.org`.",
  )
  return false
}

const indexed = "`filter[or][0][status]=paid&filter[or][1][total][gte]=10.00`"

function readOperand(spelled: Spelled, problems: Problems): string | readonly string[] | undefined {
  const operator = spelled.steps.at(-1) ?? ""
  if (isOperatorName(operator) && operators[operator].operand === "values")
    return readItems(spelled, problems)
  return readText(spelled, problems, "Give it once, or ask for one of several with `[in]`.")
}

interface Insertion {
  readonly spelled: Spelled
  readonly operand: string | readonly string[]
  readonly connectives: Connective[]
}

/** False when something else stands there already. */
function insert(condition: Members, { spelled, operand, connectives }: Insertion): boolean {
  const { steps } = spelled
  let parent = condition
  for (let index = 0; index < steps.length - 1; index++) {
    const name = steps[index] ?? ""
    const known = parent[name]
    if (typeof known === "string" || Array.isArray(known)) return false
    const next: Members = (known as Members | undefined) ?? Object.create(null)
    if (known === undefined) {
      parent[name] = next
      if (isConnective(name)) connectives.push({ parent, name, spelled })
    }
    parent = next
  }
  const operator = steps.at(-1) ?? ""
  if (parent[operator] !== undefined) return false
  parent[operator] = operand
  return true
}

function refuseSecond({ added }: Condition, spelled: Spelled, problems: Problems): void {
  const first = added.find(({ steps }) => isWithin(steps, spelled.steps) || isWithin(spelled.steps, steps))
  const names = [spelled, first ?? spelled].map(nameOf)
  problems.add(
    "invalid_value",
    placeOf(spelled),
    `${names[0]} and ${names[1]} contradict one another: one is a value, and the other is within it.`,
    "Give one of them.",
  )
}

const isWithin = (outer: readonly string[], inner: readonly string[]): boolean =>
  outer.every((step, index) => step === inner[index])

/** Replaces the object by the list that its indexes say. */
function settleList({ parent, name, spelled }: Connective, problems: Problems): void {
  const members = parent[name] as Members
  const parameter = nameOf(spelled)
  const keys = Object.keys(members)
  if (!keys.every(isIndex)) {
    const message = `${parameter}: \`${name}\` is a list of conditions.`
    problems.add("invalid_value", placeOf(spelled), message, `Each condition has an index, as in ${indexed}.`)
    return
  }
  const sorted = keys.toSorted((a, b) => Number(a) - Number(b))
  const gap = sorted.findIndex((key, index) => key !== String(index))
  if (gap < 0) parent[name] = sorted.map((key) => members[key])
  else {
    const message = `${parameter}: \`${name}\` has no condition ${gap}, and has ${sorted[gap]}.`
    problems.add("invalid_value", placeOf(spelled), message, indexHint)
  }
}
