// The query of a REST request for one record or list, in a form that the query string and a JSON body share. Names in it
// are as given; plan.ts looks them up in the Model. The table has a row for each parameter, and all else derives from it.
import type { JsonValue } from "../../base/json.ts"
import type { Place, Problems } from "../../base/problem.ts"
import type { Json } from "../../http/schemas/values.ts"
import { fixedLimits, overLimit } from "../../model/limits.ts"
import type { Limits, Resource } from "../../model/model.ts"
import { listed } from "../../plan/hints.ts"
import { groupable } from "../../plan/read/groups.ts"
import { count, flag, measured, type Names, names, type One, oneOf, order, text } from "./forms.ts"
import { aggregateNames, exampleSort, namedMembers, scalarNames, sortNames } from "./names.ts"

interface Row<Value = unknown> {
  /** Absent for what readers have a case of their own for. */
  readonly form?: One<Value> | Names<Value>
  /** A single record takes it, too. */
  readonly ofRecord?: true
  /** Where not every resource takes it. */
  isTaken?(resource: Resource): boolean
  /** Names that other APIs give it, in lower case without `-` and `_`, and how it is written here. */
  readonly elsewhere?: { readonly names: readonly string[]; readonly hint: string }
  /** In the OpenAPI document. */
  readonly description?: string
  /** Numbers are at most the records of a page. Absent for what only an earlier answer can say. */
  readonly example?: JsonValue
  /** Members of the parameter's schema that its form lacks. */
  schema?(page: Limits["page"]): Json
  readonly names?: NamesRow
}

/** A list of names in the OpenAPI document. */
export interface NamesRow {
  of(resource: Resource): readonly string[]
  example(resource: Resource): string | undefined
  /** In place of the row's description. */
  describe?(resource: Resource): string
  /** The form of names in the documents of clients. */
  readonly pattern?: string
  /** Paths through relations are among them, and so there is no end of them. */
  readonly isOpen?: true
  /** Clients have one parameter for all such resources. */
  readonly alike?: { readonly example: string; isAlike(resource: Resource): boolean }
  /** Clients have one schema for all resources, called so. */
  readonly schema?: string
  /** The description in a JSON body. */
  readonly inBody?: string
}

const row = <const Of extends Row>(of: Of): Of => of

/** Cursors come from earlier answers: an invented one as the parameter's example would be refused. */
const cursor = { examples: ["the page.next of an answer"] }

const table = {
  filter: row({
    // A history has an order of its own, and is returned as a whole.
    isTaken: ({ historyOf }) => !historyOf,
    elsewhere: {
      names: ["where", "q", "query", "search", "filterby"],
      hint: "Conditions are written `filter[name]=…`, or `filter[name][contains]=…` for a part of a text.",
    },
  }),
  sort: row({
    form: order,
    isTaken: ({ historyOf }) => !historyOf,
    elsewhere: {
      names: ["order", "orderby", "sortby", "ordering"],
      hint: "The order is written `sort=name`, or `sort=-name` for descending.",
    },
    description:
      "Order, most significant first: `-` for descending, `:nulls-first` for missing values first, `customer.name` through a relation.",
    names: {
      of: sortNames,
      example: exampleSort,
      pattern: "^-?[\\w.]+(:nulls-(first|last))?$",
      isOpen: true,
      alike: { example: "-id", isAlike: ({ key }) => key !== undefined },
      inBody: "As in the parameter: `-placedAt`, `customer.name:nulls-first`.",
    },
  }),
  fields: row({
    form: names,
    ofRecord: true,
    isTaken: (resource) => scalarNames(resource).length + namedMembers(resource).length > 0,
    elsewhere: { names: ["select", "columns", "only"], hint: "Members are chosen by `fields=id,name`." },
    names: {
      describe(resource) {
        const named = namedMembers(resource).map((name) => `\`${name}\``)
        return `All when absent${named.length > 0 ? `, but ${listed(named, "and")}` : ""}.`
      },
      example: (resource) => [...scalarNames(resource), ...namedMembers(resource)][0],
      of: (resource) => [
        ...(resource.key ? ["id"] : []),
        ...scalarNames(resource),
        ...namedMembers(resource),
      ],
      inBody: "Members of each record; `id` is always there.",
    },
  }),
  include: row({
    ofRecord: true,
    isTaken: ({ relations }) => relations.size > 0,
    elsewhere: {
      names: ["expand", "embed", "populate", "with"],
      hint: "Related records are written `include=customer,lines.product`.",
    },
    description: "Related records, by paths such as `customer,lines.product`.",
    names: {
      of: ({ relations }) => [...relations.keys()],
      example: ({ relations }) => [...relations.keys()][0],
      pattern: "^[\\w.]+$",
      isOpen: true,
      schema: "Paths",
    },
  }),
  limit: row({
    form: count,
    elsewhere: {
      names: ["perpage", "pagesize", "size", "count", "first", "top", "take", "maxresults", "pagelimit"],
      hint: "The number of records is written `limit=20`.",
    },
    description: "Records per page.",
    example: 10,
    schema: (page) => ({ default: page.default }),
  }),
  after: row({
    form: text,
    elsewhere: {
      names: ["page", "pagenumber", "offset", "skip", "start", "cursor", "pagetoken", "startingafter"],
      hint: "Lists have cursors: write `limit=20`, then `after=` with the `page.next` of the answer.",
    },
    description: "A cursor, `page.next` of an earlier answer: the records behind it.",
    schema: () => cursor,
  }),
  before: row({
    form: text,
    description: "A cursor, `page.prev` of an earlier answer: the records in front of it.",
    schema: () => cursor,
  }),
  from: row({ form: oneOf("start", "end"), description: "`end` for the last page.", example: "start" }),
  total: row({
    form: flag,
    description: "Whether `page.total` is given.",
    example: true,
    schema: () => ({ default: false }),
  }),
  aggregate: row({
    form: names,
    description: "Figures over all records that meet the filter, on all pages: `count`, `sum.total`.",
    names: {
      of: aggregateNames,
      example: () => "count",
      pattern: "^(count|(sum|avg|min|max)\\.\\w+)$",
      alike: { example: "count", isAlike: () => true },
      inBody: "`count`, or a measure and a field: `sum.total`.",
    },
  }),
  groupBy: row({
    form: names,
    isTaken: (resource) => groupable(resource).length > 0,
    description: "One to three members, by which `aggregate` is given.",
    names: {
      of: groupable,
      example: (resource) => groupable(resource)[0],
      pattern: "^\\w+$",
      schema: "GroupMembers",
    },
  }),
  groups: row({
    form: count,
    isTaken: (resource) => groupable(resource).length > 0,
    description: "Groups at the most.",
    example: 10,
  }),
}

export type MemberName = keyof typeof table
type Values = {
  readonly [Name in MemberName as (typeof table)[Name] extends { readonly form: unknown }
    ? Name
    : never]?: (typeof table)[Name] extends { readonly form: One<infer Value> | Names<infer Value> }
    ? Value
    : never
}

export const parameters: Readonly<Record<MemberName, Row>> = table

/** Parameters of a list. */
export const memberNames = Object.keys(table) as readonly MemberName[]
export const recordMemberNames = memberNames.filter((name) => parameters[name].ofRecord)

export const isMemberName = (name: string): name is MemberName => Object.hasOwn(table, name)

export interface Question extends Values {
  /** Where it stands in the request. */
  readonly place: Place
  /** Members that were given, for those that do not apply to a single record. */
  readonly given: readonly MemberName[]
  /** All must hold. `text` has been written in brackets: every value in it is a string. */
  readonly filters: readonly { readonly encoding: "json" | "text"; readonly value: unknown }[]
  /** For `/nodes`, and for transitions of several records. */
  readonly ids?: readonly string[]
  /** By relation name, in the order of the request. */
  readonly include: ReadonlyMap<string, Question>
}

/** A Question that is still being read. */
export interface QuestionDraft extends Question {
  readonly given: MemberName[]
  readonly filters: Question["filters"][number][]
  readonly include: Map<string, QuestionDraft>
}

export const emptyQuestion = (place: Place): QuestionDraft => ({
  place,
  given: [],
  filters: [],
  include: new Map(),
})

/** @param value what the parameter's form has read */
export const setMember = (question: QuestionDraft, name: MemberName, value: unknown): void =>
  void Object.assign(question, { [name]: value })

/** Mistakes after which reading stops. */
export const mostProblems = 50

/** Every relation that is included costs the database something. */
export function refuseManyIncludes(root: Question, problems: Problems): void {
  let all = 0
  const pending = [root]
  for (let question = pending.pop(); question; question = pending.pop()) {
    all += question.include.size
    pending.push(...question.include.values())
  }
  const { includes } = fixedLimits
  if (all > includes)
    problems.add("too_large", ["include"], overLimit(`There are ${all} includes`, "includes", includes))
}

/**
 * The part of a question that the plan depends on: names, without values. Equal texts: questions that differ
 * in filters, positions and numbers only, which the planner asks for.
 */
export function structureOf(question: Question): string {
  let text = ""
  for (const name of question.given) {
    const value: unknown = Reflect.get(question, name)
    text += `${name}${value === undefined ? "" : (parameters[name].form?.structure?.(value) ?? "")},`
  }
  for (const [name, inner] of question.include) text += `${measured(name)}{${structureOf(inner)}}`
  return text
}
