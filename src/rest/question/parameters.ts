// The parameters of a GET: query string -> Question. `include[path][…]` asks of an included record or list what the
// bare names ask of the outermost one.
import { collectProblems, type Place, type Problems } from "../../base/problem.ts"
import { parseStrict } from "../../http/strict-json.ts"
import { type OperatorName, operators } from "../../model/operators.ts"
import { hintFor } from "../../plan/hints.ts"
import { quoteInput } from "../../plan/quote-input.ts"
import { decodePercent, type QueryParameter, readQuery } from "../http/query.ts"
import {
  emptyQuestion,
  hasFewNames,
  isMemberName,
  type MemberName,
  memberNames,
  type Question,
  type QuestionDraft,
  readSort,
  refuseManyIncludes,
} from "./rest-query.ts"

/** Throws a Refusal that names every parameter that cannot be read. */
export function readParameters(query: string): Question {
  const problems = collectProblems()
  const question = parseParameters(query, problems, memberNames)
  problems.settle()
  return question
}

/**
 * The readable part of the parameters. Places of problems are parameter names taken apart.
 * @param takes names to put into hints
 * @throws Refusal when the query is no list of parameters
 */
export function parseParameters(query: string, problems: Problems, takes: readonly string[]): Question {
  const root = emptyQuestion([])
  const parameters = readQuery(query)
  const included = readIncludes(root, parameters, problems)
  const repeated = repeatedNames(parameters)
  for (const parameter of parameters) {
    const { question, parts } = scopeOf(parameter, root, included)
    const [name = "", ...brackets] = parts
    const place = [...(question?.place ?? parameter.parts.slice(0, 2)), name]
    if (!question)
      problems.add(
        "unknown_parameter",
        place,
        `${parameter.name}: ${quoteInput(parameter.parts[1])} is not included.`,
        `Add it to \`include\`, as in \`include=${parameter.parts[1]}\`.`,
      )
    else if (!isMemberName(name) || (name === "include" && question !== root))
      refuseName(parameter, name, { place, problems, takes })
    else if (name === "filter" && brackets.length > 0)
      readBracketFilter(question, brackets, parameter, problems)
    else if (brackets.length > 0)
      problems.add(
        "unknown_parameter",
        [...place, ...brackets],
        `${quoteInput(parameter.name)} is not a parameter.`,
      )
    else if (repeated.has(parameter.name)) {
      if (repeated.get(parameter.name) === parameter)
        problems.add("invalid_value", place, `${parameter.name} is given more than once.`, "Give it once.")
    } else {
      question.given.push(name)
      members[name](question, parameter.value, { place, problems })
    }
  }
  refuseManyIncludes(root, problems)
  return root
}

function refuseName(
  parameter: QueryParameter,
  name: string,
  { place, problems, takes }: Spot & { readonly takes: readonly string[] },
): void {
  const known = parameter.parts.length === 1 ? takes : memberNames.filter((member) => member !== "include")
  const hint =
    name === "include"
      ? `Write the whole path: \`include=${parameter.parts[1]}.${parameter.value}\`.`
      : name === ""
        ? "Name what is asked of it, as in `include[lines][limit]=5`."
        : hintFor(name, known)
  problems.add("unknown_parameter", place, `${quoteInput(parameter.name)} is not a parameter.`, hint)
}

/** Names given more than once, with the parameter that says so: the second. */
function repeatedNames(parameters: readonly QueryParameter[]): ReadonlyMap<string, QueryParameter> {
  const seen = new Set<string>()
  const repeated = new Map<string, QueryParameter>()
  for (const parameter of parameters) {
    if (seen.has(parameter.name) && !repeated.has(parameter.name)) repeated.set(parameter.name, parameter)
    seen.add(parameter.name)
  }
  return repeated
}

interface Scope {
  /** Absent: about a path that is not included. */
  readonly question?: QuestionDraft
  readonly parts: readonly string[]
}

function scopeOf(
  { parts }: QueryParameter,
  root: QuestionDraft,
  included: ReadonlyMap<string, QuestionDraft>,
): Scope {
  const [head, path] = parts
  if (head !== "include" || path === undefined) return { question: root, parts }
  const question = included.get(path)
  const rest = parts.length > 2 ? parts.slice(2) : [""]
  return question ? { question, parts: rest } : { parts: rest }
}

/** The tree that `include=customer,lines.product` asks for; gives its questions by path. */
function readIncludes(
  root: QuestionDraft,
  parameters: readonly QueryParameter[],
  problems: Problems,
): ReadonlyMap<string, QuestionDraft> {
  const byPath = new Map<string, QuestionDraft>()
  const given = parameters.find(({ name }) => name === "include")
  const asked = new Set<string>()
  for (const path of given ? readNames(given.value, { place: ["include"], problems }) : []) {
    if (asked.has(path))
      problems.add("invalid_value", ["include"], `include names ${quoteInput(path)} twice.`)
    asked.add(path)
    let parent = root
    let sofar = ""
    for (const name of path.split(".")) {
      sofar = sofar === "" ? name : `${sofar}.${name}`
      const question = parent.include.get(name) ?? emptyQuestion(["include", sofar])
      parent.include.set(name, question)
      byPath.set(sofar, question)
      parent = question
    }
  }
  return byPath
}

interface Spot {
  readonly place: Place
  readonly problems: Problems
}

/** How each parameter's text is read. */
const members: Readonly<Record<MemberName, (question: QuestionDraft, text: string, spot: Spot) => void>> = {
  filter(question, text, spot) {
    const parsed = parseStrict(text)
    if ("value" in parsed) question.filters.push({ encoding: "json", value: parsed.value })
    else
      spot.problems.add(
        "invalid_value",
        spot.place,
        `${nameOf(spot)} is not JSON: ${parsed.fault}`,
        'Write a JSON object, as in `filter={"total":{"gte":"10.00"}}`, or brackets, as in `filter[total][gte]=10.00`.',
      )
  },
  sort(question, text, spot) {
    question.sort = readSort(readNames(text, spot), spot.place, spot.problems)
  },
  fields(question, text, spot) {
    question.fields = readNames(text, spot)
  },
  include() {
    // Read before all others, since they may be about what it includes.
  },
  limit(question, text, spot) {
    const limit = readCount(text, spot)
    if (limit !== undefined) question.limit = limit
  },
  after(question, text) {
    question.after = text
  },
  before(question, text) {
    question.before = text
  },
  from(question, text, spot) {
    if (text === "start" || text === "end") question.from = text
    else refuseValue(text, spot, "Write `start` or `end`.")
  },
  total(question, text, spot) {
    if (text === "true" || text === "false") question.total = text === "true"
    else refuseValue(text, spot, "Write `true` or `false`.")
  },
  aggregate(question, text, spot) {
    question.aggregate = readNames(text, spot)
  },
  groupBy(question, text, spot) {
    question.groupBy = readNames(text, spot)
  },
  groups(question, text, spot) {
    const groups = readCount(text, spot)
    if (groups !== undefined) question.groups = groups
  },
}

function nameOf({ place }: Spot): string {
  const [head = "", ...rest] = place.map(String)
  return head + rest.map((part) => `[${part}]`).join("")
}

function refuseValue(text: string, spot: Spot, hint: string): void {
  spot.problems.add("invalid_value", spot.place, `${nameOf(spot)} cannot be ${quoteInput(text)}.`, hint)
}

/** A comma-separated list of names or paths. */
function readNames(text: string, spot: Spot): readonly string[] {
  const names = text.split(",")
  const empty = names.some((name) => name.split(".").includes(""))
  if (empty) refuseValue(text, spot, "Write names, separated by commas without spaces.")
  return !empty && hasFewNames(names, spot.place, spot.problems) ? names : []
}

function readCount(text: string, spot: Spot): number | undefined {
  if (/^(?:0|-?[1-9][0-9]{0,8})$/.test(text)) return Number(text)
  refuseValue(text, spot, "Write a whole number.")
  return undefined
}

/** `filter[customer.email]=x` becomes {"customer": {"email": {"eq": "x"}}}, together with the other bracketed filters. */
function readBracketFilter(
  question: QuestionDraft,
  brackets: readonly string[],
  { name, value }: QueryParameter,
  problems: Problems,
): void {
  const [path = "", operator = "eq", ...more] = brackets
  const names = path.split(".")
  const place = [...question.place, "filter"]
  if (more.length > 0 || names.includes("") || operator === "") {
    problems.add(
      "unknown_parameter",
      [...place, ...brackets],
      `${quoteInput(name)} is not a filter.`,
      "Write `filter[path][operator]`, with points in the path, as in `filter[customer.email][endsWith]=@x.org`.",
    )
    return
  }
  if (!question.given.includes("filter")) question.given.push("filter")
  const list = Object.hasOwn(operators, operator) && operators[operator as OperatorName].operand === "values"
  const operand = list ? splitItems(value) : value
  if (!addComparison(bracketCondition(question), { names, operator, operand }))
    problems.add(
      "invalid_value",
      [...place, ...names, operator],
      `${name} is given more than once.`,
      "Give it once, or ask for one of several with `[in]`.",
    )
}

type Members = Record<string, unknown>

function bracketCondition(question: QuestionDraft): Members {
  const found = question.filters.find(({ encoding }) => encoding === "text")
  if (found) return found.value as Members
  const value: Members = Object.create(null)
  question.filters.push({ encoding: "text", value })
  return value
}

/** False when something else stands there already. Objects here have no prototype, so any name is a plain one. */
function addComparison(
  condition: Members,
  {
    names,
    operator,
    operand,
  }: { names: readonly string[]; operator: string; operand: string | readonly string[] },
): boolean {
  let parent = condition
  for (const name of names) {
    const known = parent[name] ?? Object.create(null)
    if (typeof known !== "object" || Array.isArray(known)) return false
    parent[name] = known
    parent = known as Members
  }
  const before = parent[operator]
  if (before === undefined) parent[operator] = operand
  else if (Array.isArray(before) && Array.isArray(operand)) parent[operator] = [...before, ...operand]
  else return false
  return true
}

/** Items between commas; `\,` is a comma within an item and `\\` a backslash. Empty text: no items. */
function splitItems(text: string): readonly string[] {
  if (text === "") return []
  const items = [""]
  for (const [piece] of text.matchAll(/\\[\\,]|,|[^\\,]+|\\/g)) {
    if (piece === ",") items.push("")
    else items[items.length - 1] += piece === "\\," || piece === "\\\\" ? piece.slice(1) : piece
  }
  return items
}

/** The parameters of `/nodes`: `ids=ord_1,cus_2`. */
export function readIds(query: string): Question {
  const problems = collectProblems()
  const question = parseIds(query, problems)
  problems.settle()
  return question
}

function parseIds(query: string, problems: Problems): Question & { readonly ids: readonly string[] } {
  const question = { ...emptyQuestion([]), ids: [] as readonly string[] }
  const parameters = readQuery(query)
  const [ids, ...repeated] = parameters.filter(({ name }) => name === "ids")
  for (const { name } of parameters)
    if (name !== "ids")
      problems.add(
        "unknown_parameter",
        [name],
        `${quoteInput(name)} is not a parameter here.`,
        "Records are named by `ids`.",
      )
  if (repeated.length > 0)
    problems.add("invalid_value", ["ids"], "ids is given more than once.", "Separate the ids by commas.")
  if (ids) question.ids = splitItems(ids.value)
  else problems.add("invalid_value", ["ids"], "ids is missing.", "Name the records, as in `ids=ord_1,cus_2`.")
  return question
}

/** The parameters of what is done to several records, which `ids` can name one by one as well. */
export function parseSeveral(query: string, problems: Problems, takes: readonly string[]): Question {
  const isIds = (piece: string): boolean => decodePercent(piece.split("=", 1)[0] ?? "") === "ids"
  const [named, others] = [isIds, (piece: string) => !isIds(piece)].map((wanted) =>
    query.split("&").filter(wanted).join("&"),
  )
  const question = parseParameters(others ?? "", problems, takes)
  return named === "" ? question : { ...question, ids: parseIds(named ?? "", problems).ids }
}

/** Where no parameters are known. */
export function refuseParameters(query: string, hint: string): void {
  const problems = collectProblems()
  for (const { name } of readQuery(query))
    problems.add("unknown_parameter", [name], `${quoteInput(name)} is not a parameter here.`, hint)
  problems.settle()
}
