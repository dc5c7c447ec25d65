// The query of a REST request for one record or list, in a form that the query string and a JSON body share. Names in it
// are as given; plan.ts looks them up in the Model.
import type { Place, Problems } from "../../base/problem.ts"
import { fixedLimits, overLimit } from "../../model/limits.ts"
import { quoteInput } from "../../plan/quote-input.ts"
import type { RequestedTerm } from "../../plan/read/list.ts"

export interface Question {
  /** Where it stands in the request. */
  readonly place: Place
  /** Members that were given, for those that do not apply to a single record. */
  readonly given: readonly MemberName[]
  /** All must hold. `text` has been written in brackets: every value in it is a string. */
  readonly filters: readonly { readonly encoding: "json" | "text"; readonly value: unknown }[]
  readonly sort: readonly RequestedTerm[]
  readonly fields?: readonly string[]
  readonly limit?: number
  readonly after?: string
  readonly before?: string
  readonly from?: "start" | "end"
  readonly total: boolean
  readonly aggregate: readonly string[]
  readonly groupBy: readonly string[]
  readonly groups?: number
  /** For `/nodes`, and for transitions of several records. */
  readonly ids?: readonly string[]
  /** By relation name, in the order of the request. */
  readonly include: ReadonlyMap<string, Question>
}

/** Parameters of a list; a single record takes `fields` and `include` only. */
export const memberNames = [
  "filter",
  "sort",
  "fields",
  "include",
  "limit",
  "after",
  "before",
  "from",
  "total",
  "aggregate",
  "groupBy",
  "groups",
] as const

export type MemberName = (typeof memberNames)[number]

export const recordMemberNames: readonly MemberName[] = ["fields", "include"]

export function isMemberName(name: string): name is MemberName {
  return (memberNames as readonly string[]).includes(name)
}

/** A Question that is still being read. */
export type QuestionDraft = { -readonly [Member in keyof Settable]: Settable[Member] } & {
  readonly given: MemberName[]
  readonly filters: Question["filters"][number][]
  readonly include: Map<string, QuestionDraft>
}
type Settable = Omit<Question, "given" | "filters" | "include">

export function emptyQuestion(place: Place): QuestionDraft {
  return {
    place,
    given: [],
    filters: [],
    sort: [],
    total: false,
    aggregate: [],
    groupBy: [],
    include: new Map(),
  }
}

/** Mistakes after which reading stops. */
export const mostProblems = 50

/** Names are looked up one by one, so there are not too many of them. */
export function hasFewNames(names: readonly string[], place: Place, problems: Problems): boolean {
  const { names: most } = fixedLimits
  if (names.length <= most) return true
  problems.add("too_large", place, overLimit(`There are ${names.length} names`, "names", most))
  return false
}

/** Every relation that is included costs the database something. */
export function refuseManyIncludes(root: Question, problems: Problems): void {
  let count = 0
  const pending = [root]
  for (let question = pending.pop(); question; question = pending.pop()) {
    count += question.include.size
    pending.push(...question.include.values())
  }
  const { includes } = fixedLimits
  if (count > includes)
    problems.add("too_large", ["include"], overLimit(`There are ${count} includes`, "includes", includes))
}

const sortTerm = /^(?<descending>-?)(?<path>[^-:][^:]*)(?::nulls-(?<nulls>first|last))?$/

/** `-placedAt` or `customer.name:nulls-first`. */
export function readSort(
  texts: readonly string[],
  place: Place,
  problems: Problems,
): readonly RequestedTerm[] {
  const terms: RequestedTerm[] = []
  for (const text of texts) {
    const { descending, path = "", nulls } = sortTerm.exec(text)?.groups ?? {}
    const names = path.split(".")
    const name = names.pop() ?? ""
    if (name === "" || names.includes("")) {
      problems.add(
        "invalid_value",
        place,
        `${quoteInput(text)} is not an order term.`,
        "Write a name or a path to one, as in `-placedAt` (descending) or `customer.name:nulls-first`.",
      )
      continue
    }
    terms.push({
      path: names,
      name,
      descending: descending === "-",
      ...(nulls === "first" || nulls === "last" ? { nulls } : {}),
    })
  }
  return terms
}

/**
 * The part of a question that the plan depends on: names, without values. Equal texts: questions that differ
 * in filters, positions and numbers only, which the planner asks for.
 */
export function structureOf(question: Question): string {
  const { given, fields, sort, total, aggregate, groupBy, groups, include } = question
  let text = `${given.join()}${total ? "+" : "-"}${groups === undefined ? "-" : "+"}`
  text += `${fields ? listed(fields) : "-"}${listed(aggregate)}${listed(groupBy)}[`
  for (const { path, name, descending, nulls = "" } of sort)
    text += `${listed(path)}${measured(name)}${descending ? "-" : "+"}${nulls}`
  text += "]"
  for (const [name, inner] of include) text += `${measured(name)}{${structureOf(inner)}}`
  return text
}

const listed = (names: readonly string[]): string => `[${names.map(measured).join("")}]`

/** With its length before it, no name can pass for something else. */
const measured = (name: string): string => `${name.length}:${name}`
