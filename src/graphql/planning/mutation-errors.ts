// Errors of a mutation's fields: one for each field, with every mistake in its arguments.
import type { FieldNode, SourceLocation } from "graphql"
import type { Code } from "../../base/codes.ts"
import { isOfService, type Place, type Problem } from "../../base/problem.ts"
import type { WritePlan } from "../../plan/write-plan.ts"
import type { InputMistake, RequestError } from "../document/errors.ts"

interface Document {
  /** The field of a response key. */
  field(key: string): FieldNode | undefined
  /** Where a mistake in the field stands, by its steps into the field's arguments. */
  locate(field: FieldNode, place: Place): readonly SourceLocation[]
}

/** Moves a problem of a record's unique key to the argument that an upsert takes beside its input. */
export function besideInput(problem: Problem, unique: readonly string[]): Problem {
  const [key, , member, ...more] = problem.place ?? []
  const apart =
    key !== undefined &&
    member !== undefined &&
    more.length === 0 &&
    unique.includes(String(member)) &&
    problem.code !== "readonly_field"
  return apart ? { ...problem, place: [key, member] } : problem
}

/** The members of the unique key by which the problem's field upserts. */
export function upsertedBy({ steps }: WritePlan, { place = [] }: Problem): readonly string[] {
  for (const { writes } of steps)
    for (const write of writes) if (write.kind === "upsert" && write.place[0] === place[0]) return write.names
  return []
}

/** Problems whose place begins with the response key of a field; all others stay unchanged. */
export function groupMistakes(problems: readonly Problem[], document: Document): readonly RequestError[] {
  const groups = Map.groupBy(problems, ({ place = [] }) => document.field(String(place[0])))
  return [...groups].flatMap(([field, group]) => {
    if (!field) return group
    const locate = (place: Place) => document.locate(field, place)
    const isOfAnswer = ({ code }: Problem): boolean => code === "computed_failed"
    const mistakes = group.filter((problem) => !isOfAnswer(problem))
    return [
      ...fieldErrors(
        field,
        mistakes.map((problem) => withArgument(field, problem)),
        locate,
      ),
      ...group
        .filter(isOfAnswer)
        .map(({ place = [], ...problem }) => ({ ...problem, path: place, locations: locate([]) })),
    ]
  })
}

/** At most one. */
function fieldErrors(
  field: FieldNode,
  problems: readonly Problem[],
  locate: (place: Place) => readonly SourceLocation[],
): readonly RequestError[] {
  const [first, ...more] = problems
  if (!first) return []
  const { code, message } = first
  const places = new Map<string, SourceLocation>()
  for (const { place = [] } of problems)
    for (const location of locate(place.slice(1))) places.set(`${location.line}:${location.column}`, location)
  return [
    {
      code,
      message: more.length === 0 ? message : `${message} (And ${more.length} more: see extensions.errors.)`,
      path: [(field.alias ?? field.name).value],
      locations: [...places.values()],
      mistakes: problems.map(mistakeOf),
    },
  ]
}

function mistakeOf({ code, message, hint, place = [] }: Problem): InputMistake {
  const [, argument, ...path] = isOfService(code) ? [] : place
  return {
    ...(argument !== undefined && { argument: String(argument) }),
    pointer: pointerTo(path),
    code,
    message,
    ...(hint !== undefined && { hint }),
  }
}

/** Codes that only the write itself finds, and the argument that each is about: the first that was given. */
const aboutTheRecord: Partial<Readonly<Record<Code, readonly [string, ...string[]]>>> = {
  not_found: ["id"],
  illegal_transition: ["id", "where"],
  condition_not_met: ["id", "where"],
}

function withArgument(field: FieldNode, problem: Problem): Problem {
  const names = aboutTheRecord[problem.code]
  const [key, , ...path] = problem.place ?? []
  if (names === undefined || key === undefined || path.length > 0) return problem
  const given = names.find((name) => field.arguments?.some((argument) => argument.name.value === name))
  return { ...problem, place: [key, given ?? names[0]] }
}

/** RFC 6901, section 3. */
const pointerTo = (path: Place): string =>
  path.map((step) => `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("")
