// The parameters of a GET: query string -> Question. `include[path][…]` asks of an included record or list what the
// bare names ask of the outermost one. All spellings of a parameter are read in spellings.ts.
import { collectProblems, type Problems } from "../../base/problem.ts"
import { parseStrict } from "../../http/strict-json.ts"
import { hintFor } from "../../plan/hints.ts"
import { quoteInput } from "../../plan/quote-input.ts"
import { readQuery } from "../http/query.ts"
import { createFilters, type Filters } from "./bracket-filter.ts"
import { hasFewNames } from "./forms.ts"
import { placeOf, placeOfQuestion } from "./parameter-place.ts"
import {
  emptyQuestion,
  isMemberName,
  type MemberName,
  memberNames,
  parameters,
  type Question,
  type QuestionDraft,
  refuseManyIncludes,
  setMember,
} from "./rest-query.ts"
import { nameOf, readItems, readSpellings, readText, type Spelled } from "./spellings.ts"

/** Throws a Refusal that names every parameter that cannot be read. */
export function readParameters(query: string): Question {
  const problems = collectProblems()
  const question = parseParameters(query, problems, { takes: memberNames })
  problems.settle()
  return question
}

interface Taking {
  /** Names to put into hints. */
  readonly takes: readonly string[]
  /** Reads the caller's own parameters; false for any other. */
  readonly own?: (spelled: Spelled) => boolean
}

/**
 * The readable part of the parameters. Places of problems are parameter names taken apart.
 * @throws Refusal when the query is no list of parameters
 */
export function parseParameters(query: string, problems: Problems, { takes, own }: Taking): Question {
  const root = emptyQuestion([])
  const all = readSpellings(query, problems)
  const included = readIncludes(root, all, problems)
  let filters: Filters | undefined
  for (const spelled of all) {
    const { path, member, steps } = spelled
    const question = path === undefined ? root : included.get(path)
    if (question === root && steps.length === 0 && own?.(spelled)) continue
    if (!question)
      problems.add(
        "unknown_parameter",
        [...placeOfQuestion(spelled), member],
        `${nameOf(spelled)}: ${quoteInput(path)} is not included.`,
        `Add it to \`include\`, as in \`include=${path}\`.`,
      )
    else if (!isMemberName(member) || (member === "include" && question !== root))
      refuseName(spelled, { problems, takes })
    else if (member === "filter") {
      filters ??= createFilters(problems)
      readFilter(question, spelled, { filters, problems })
    } else if (steps.length > 0)
      problems.add(
        "unknown_parameter",
        placeOf(spelled),
        `${quoteInput(nameOf(spelled))} is not a parameter.`,
      )
    else {
      question.given.push(member)
      readValue(question, spelled, problems, member)
    }
  }
  filters?.settle()
  refuseManyIncludes(root, problems)
  return root
}

function refuseName(
  spelled: Spelled,
  { problems, takes }: { readonly problems: Problems; readonly takes: readonly string[] },
): void {
  const { path, member } = spelled
  const [{ name, value }] = spelled.written
  const known = path === undefined ? takes : memberNames.filter((one) => one !== "include")
  const hint =
    member === "include"
      ? `Write the whole path: \`include=${path}.${value}\`.`
      : path !== undefined && member === ""
        ? "Name an option of it, as in `include[lines][limit]=5`."
        : hintForParameter(spelled, known)
  problems.add("unknown_parameter", placeOf(spelled), `${quoteInput(name)} is not a parameter.`, hint)
}

/** The tree that `include=customer,lines.product` asks for; gives its questions by path. */
function readIncludes(
  root: QuestionDraft,
  all: readonly Spelled[],
  problems: Problems,
): ReadonlyMap<string, QuestionDraft> {
  const byPath = new Map<string, QuestionDraft>()
  const given = all.find(
    ({ path, member, steps }) => path === undefined && member === "include" && steps.length === 0,
  )
  const asked = new Set<string>()
  for (const path of given ? readNames(given, problems) : []) {
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

/** JSON, or one of the comparisons in brackets. */
function readFilter(
  question: QuestionDraft,
  spelled: Spelled,
  { filters, problems }: { readonly filters: Filters; readonly problems: Problems },
): void {
  if (!filters.accepts(question, spelled)) return
  if (!question.given.includes("filter")) question.given.push("filter")
  if (spelled.steps.length > 0) {
    filters.add(question, spelled)
    return
  }
  const text = readText(spelled, problems)
  if (text === undefined) return
  const parsed = parseStrict(text)
  if ("value" in parsed) question.filters.push({ encoding: "json", value: parsed.value })
  else
    problems.add(
      "invalid_value",
      placeOf(spelled),
      `${nameOf(spelled)} is not JSON: ${parsed.fault}`,
      'Write a JSON object, as in `filter={"total":{"gte":"10.00"}}`, or brackets, as in `filter[total][gte]=10.00`.',
    )
}

function readValue(question: QuestionDraft, spelled: Spelled, problems: Problems, name: MemberName): void {
  const { form } = parameters[name]
  // `include` is read first, since other parameters may concern included relations.
  if (!form) return
  if (form.kind === "names") {
    setMember(question, name, form.read(readNames(spelled, problems), placeOf(spelled), problems))
    return
  }
  const text = readText(spelled, problems)
  if (text === undefined) return
  const value = form.fromText(text)
  if (value === undefined) refuseValue(text, spelled, { problems, hint: form.hints.text })
  else setMember(question, name, value)
}

interface Refusing {
  readonly problems: Problems
  readonly hint: string
}

function refuseValue(text: string, spelled: Spelled, { problems, hint }: Refusing): void {
  problems.add("invalid_value", placeOf(spelled), `${nameOf(spelled)} cannot be ${quoteInput(text)}.`, hint)
}

/** Names or paths. */
export function readNames(spelled: Spelled, problems: Problems): readonly string[] {
  const names = readItems(spelled, problems)
  if (!names) return []
  const wrong =
    names.length === 0 ? "" : names.find((name) => name.includes(",") || name.split(".").includes(""))
  if (wrong === undefined) return hasFewNames(names, placeOf(spelled), problems) ? names : []
  const { item, written } = spelled
  const several = item !== undefined || written.length > 1
  const hint = several ? "Write one name in each." : "Write names, separated by commas without spaces."
  refuseValue(several ? wrong : written[0].value, spelled, { problems, hint })
  return []
}

/** The parameters of `/nodes`: `ids=ord_1,cus_2`. */
export function readIds(query: string): Question {
  const problems = collectProblems()
  let ids: readonly string[] | undefined
  for (const spelled of readSpellings(query, problems))
    if (isIds(spelled)) ids = readItems(spelled, problems) ?? []
    else {
      const name = nameOf(spelled)
      const hint = "Records are named by `ids`."
      problems.add(
        "unknown_parameter",
        placeOf(spelled),
        `${quoteInput(name)} is not a parameter here.`,
        hint,
      )
    }
  if (!ids)
    problems.add("invalid_value", ["ids"], "ids is missing.", "Name the records, as in `ids=ord_1,cus_2`.")
  problems.settle()
  return { ...emptyQuestion([]), ids: ids ?? [] }
}

const isIds = ({ path, member, steps }: Spelled): boolean =>
  path === undefined && member === "ids" && steps.length === 0

/** The parameters of writes to several records, which `ids` can name one by one as well. */
export function parseSeveral(query: string, problems: Problems, takes: readonly string[]): Question {
  let ids: readonly string[] | undefined
  const own = (spelled: Spelled): boolean => {
    if (!isIds(spelled)) return false
    ids = readItems(spelled, problems) ?? []
    return true
  }
  const question = parseParameters(query, problems, { takes, own })
  return ids ? { ...question, ids } : question
}

/** Where no parameters are known. */
export function refuseParameters(query: string, hint: string): void {
  const problems = collectProblems()
  for (const { name } of readQuery(query))
    problems.add("unknown_parameter", [name], `${quoteInput(name)} is not a parameter here.`, hint)
  problems.settle()
}

/** The hint for a parameter that is not taken. @param known names that are */
function hintForParameter({ path, member, steps, written }: Spelled, known: readonly string[]) {
  const plain = member.toLowerCase().replaceAll(/[-_]/g, "")
  const meant = memberNames.find(
    (name) => known.includes(name) && parameters[name].elsewhere?.names.includes(plain),
  )
  if (meant !== undefined && path === undefined) return parameters[meant].elsewhere?.hint
  const near = hintFor(member, known)
  if (near?.startsWith("Did") || path !== undefined || !known.includes("filter")) return near
  if (!/^\w{1,64}$/.test(member)) return near
  const [{ value }] = written
  const operand = /^[\w.:@+-]{1,40}$/.test(value) ? value : "…"
  const operator = steps.length === 1 && /^\w{1,20}$/.test(steps[0] ?? "") ? `[${steps[0]}]` : ""
  return `Conditions are written \`filter[${member}]${operator}=${operand}\`.${near === undefined ? "" : ` ${near}`}`
}
