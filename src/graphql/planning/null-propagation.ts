// Nulls where the schema rules them out: completes an answer that holds marks, as specification section 6.4.4 says.
// Only answers that the engine calls flawed come here; all others leave as the text they are.
import { randomUUID } from "node:crypto"
import {
  type FieldNode,
  type GraphQLObjectType,
  type GraphQLOutputType,
  getLocation,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  type SelectionNode,
} from "graphql"
import { invariant, present } from "../../base/invariant.ts"
import { type JsonText, joinObject } from "../../base/json.ts"
import type { Problem } from "../../base/problem.ts"
import { markedJson, unrepresentable } from "../../plan/placeholders.ts"
import type { Failure } from "../../plan/read-plan.ts"
import type { RequestError } from "../document/errors.ts"
import {
  type Collecting,
  collectFields,
  type FieldGroup,
  isIncluded,
  type Operation,
  subselections,
} from "../document/operation.ts"
import type { VariableRequest } from "../document/variables.ts"

type Path = readonly (string | number)[]

interface Completion {
  readonly collecting: Collecting
  /** A mark in the parsed answer, with a number behind it for a failure; no stored value can begin so. */
  readonly mark: string
  readonly failures: readonly Failure[]
  readonly errors: RequestError[]
}

interface Position {
  readonly group: FieldGroup
  readonly parent: GraphQLObjectType
  readonly path: Path
  /** For `node` and `nodes`: the type of the record there. */
  readonly types: readonly (string | undefined)[]
}

interface FlawedRoot {
  readonly group: FieldGroup
  readonly types: readonly (string | undefined)[]
  readonly text: JsonText
}

interface CompletedRoots {
  /** By response key; undefined when the null reached the top: then `data` itself is null. */
  readonly texts: ReadonlyMap<string, JsonText> | undefined
  readonly errors: readonly RequestError[]
}

/** @param failures what the answer's marks of failures stand for */
export function completeRoots(
  operation: Operation,
  asked: VariableRequest,
  roots: readonly FlawedRoot[],
  failures: readonly Failure[] = [],
): CompletedRoots {
  const variables = asked.all()
  const includes = (selection: SelectionNode) => isIncluded(selection, variables)
  const collecting = { operation, includes, spent: { fields: 0 } }
  const mark = `${unrepresentable}${randomUUID()}`
  const completion: Completion = { collecting, mark, failures, errors: [] }
  const { schema, definition } = operation
  const root = definition.operation === "mutation" ? schema.getMutationType() : schema.getQueryType()
  const parent = present(root, "a schema has the type of its operations")
  const texts = new Map<string, JsonText>()
  for (const { group, types, text } of roots) {
    const value = parseExact(markedJson(text, mark))
    const completed = completeField(completion, { group, parent, path: [group.key], types }, value)
    if (completed === undefined) return { texts: undefined, errors: completion.errors }
    texts.set(group.key, completed)
  }
  return { texts, errors: completion.errors }
}

/**
 * Each of these gives the value's text, or undefined for a null whose error is already reported. The nearest nullable
 * position becomes null.
 */
function completeField(completion: Completion, position: Position, value: unknown): JsonText | undefined {
  const { group, parent } = position
  if (group.name === "__typename") return JSON.stringify(value)
  const { type } = present(parent.getFields()[group.name], `${parent.name} has no field ${group.name}`)
  return completeValue(completion, position, type, value)
}

function completeValue(
  completion: Completion,
  position: Position,
  type: GraphQLOutputType,
  value: unknown,
): JsonText | undefined {
  const { mark } = completion
  const failure = failureOf(completion, value)
  if (failure && !failure.missing) {
    report(completion, position, failure)
    return isNonNullType(type) ? undefined : "null"
  }
  if (isNonNullType(type)) {
    if (value !== null && value !== mark && !failure)
      return completeNonNull(completion, position, type.ofType, value)
    const code = failure?.code ?? "unrepresentable_value"
    const message = `Cannot return null for non-nullable field ${nameOf(position)}.`
    report(completion, position, { code, message })
    return undefined
  }
  if (value === null) return "null"
  if (value === mark) {
    const message = `A stored value does not fit the type ${type} of ${nameOf(position)}.`
    report(completion, position, { code: "unrepresentable_value", message })
    return "null"
  }
  return completeNonNull(completion, position, type, value) ?? "null"
}

function completeNonNull(
  completion: Completion,
  position: Position,
  type: GraphQLOutputType,
  value: unknown,
): JsonText | undefined {
  if (isListType(type)) {
    invariant(Array.isArray(value), `${nameOf(position)} is a list`)
    return completeList(completion, position, type.ofType, value)
  }
  return isLeafType(type) ? JSON.stringify(value) : completeObject(completion, position, type, value)
}

function completeList(
  completion: Completion,
  position: Position,
  type: GraphQLOutputType,
  values: readonly unknown[],
): JsonText | undefined {
  const texts: JsonText[] = []
  for (const [index, value] of values.entries()) {
    const types = [position.types[index]]
    const text = completeValue(
      completion,
      { ...position, path: [...position.path, index], types },
      type,
      value,
    )
    if (text === undefined) return undefined
    texts.push(text)
  }
  return `[${texts.join(",")}]`
}

function completeObject(
  completion: Completion,
  position: Position,
  type: GraphQLOutputType,
  value: unknown,
): JsonText | undefined {
  const { collecting } = completion
  const [runtimeType] = position.types
  const parent = isObjectType(type) ? type : collecting.operation.schema.getType(runtimeType ?? "")
  invariant(isObjectType(parent), `${nameOf(position)} is an object of a known type`)
  invariant(isRecord(value), `${nameOf(position)} is an object`)
  const members: [string, JsonText][] = []
  for (const group of collectFields(collecting, parent, subselections(position.group))) {
    const inner = { group, parent, path: [...position.path, group.key], types: [] }
    const text = completeField(completion, inner, value[group.key])
    if (text === undefined) return undefined
    members.push([group.key, text])
  }
  return joinObject(members)
}

function failureOf({ mark, failures }: Completion, value: unknown): Failure | undefined {
  if (typeof value !== "string" || !value.startsWith(mark)) return undefined
  return value === mark ? undefined : present(failures[Number(value.slice(mark.length))], "a failure is told")
}

function report({ errors }: Completion, { group, path }: Position, { code, message, hint }: Problem): void {
  const locations = group.nodes.flatMap(locationOf)
  errors.push({ code, message, path, locations, ...(hint !== undefined && { hint }) })
}

function locationOf({ loc }: FieldNode) {
  return loc ? [getLocation(loc.source, loc.start)] : []
}

const nameOf = ({ parent, group }: Position): string => `${parent.name}.${group.name}`

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

// JSON whose numbers keep the digits that they were written with.

/** Not in TypeScript's library yet: https://tc39.es/proposal-json-parse-with-source/ */
const exact = JSON as unknown as {
  parse(text: string, revive: (key: string, value: unknown, context: { source?: string }) => unknown): unknown
  rawJSON(text: string): object
}

/** Numbers become objects that `JSON.stringify` writes as they were. */
const parseExact = (text: string): unknown =>
  exact.parse(text, (_key, value, { source }) =>
    typeof value === "number" && source !== undefined ? exact.rawJSON(source) : value,
  )
