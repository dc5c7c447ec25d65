// Coerced variables (specification section 6.1.2). The types of an operation's variables are prepared once. Unusual input is
// left to graphql-js, whose errors are reported.
import {
  coerceInputValue,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  GraphQLScalarType,
  type GraphQLSchema,
  getVariableValues,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  isRequiredInputField,
  type OperationDefinitionNode,
  typeFromAST,
  type VariableDefinitionNode,
  type VariableValues,
} from "graphql"
import { invariant } from "../../base/invariant.ts"
import type { SizeLimits } from "../../model/limits.ts"
import { isWritten } from "../schema/input-types.ts"
import { isCondition } from "../schema/where-types.ts"
import { fromGraphqlError, refuse } from "./errors.ts"
import { type Elsewhere, withOperator, withVersion } from "./other-names.ts"

type Input = Readonly<Record<string, unknown>>

/** The part of a request that an operation is run with. */
export interface VariableRequest {
  /** As the client sent them. */
  readonly input: Input
  /** By name, without variables that are absent and have no default. */
  readonly coerced: Readonly<Record<string, unknown>>
  /** The same as graphql-js has it. */
  all(): VariableValues
}

/** Reads a request's variables; wrong ones are refused. */
export type ReadVariables = (input: Input) => VariableRequest

export function prepareVariables(
  schema: GraphQLSchema,
  { variableDefinitions = [], operation }: OperationDefinitionNode,
  options: Elsewhere & { readonly limits: Pick<SizeLimits, "nesting"> },
): ReadVariables {
  // Mistakes of a condition are reported with mistakes of the input.
  const isAsSent = (type: GraphQLInputType): boolean =>
    isWritten(type) || (operation === "mutation" && isCondition(type))
  const variables = variableDefinitions.map((definition) => prepareVariable(schema, definition, isAsSent))
  const sent = variables.filter(({ isAsSent }) => isAsSent)
  const all = (input: Input): VariableValues => {
    const given = sent.filter(({ name }) => Object.hasOwn(input, name) && !isAbsent(input[name]))
    const apart = new Set(given.map(({ name }) => name))
    const others = variableDefinitions.filter(({ variable }) => !apart.has(variable.name.value))
    const { variableValues, errors } = getVariableValues(schema, others, input, {
      maxErrors: 50,
      hideSuggestions: !options.introspection,
    })
    if (errors)
      refuse(
        errors.map((error) => withOperator(withVersion(fromGraphqlError("invalid_value", error), options))),
      )
    if (given.length === 0) return variableValues
    return withSent(variableValues, given, input)
  }
  return (input) => {
    refuseDeep(input, options.limits)
    const coerced = readAll(variables, input)
    if (coerced) return { input, coerced, all: () => all(input) }
    const values = all(input)
    return { input, coerced: values.coerced, all: () => values }
  }
}

/** Adds the values of variables that graphql-js does not look at. */
function withSent(values: VariableValues, variables: readonly Variable[], input: Input): VariableValues {
  return withCoerced(
    values,
    variables.map(({ name, read }) => [name, read(input[name])]),
  )
}

/** The request with values of further variables, which are coerced already. */
export function withVariables({ input, coerced, all }: VariableRequest, values: Input): VariableRequest {
  return {
    input,
    coerced: Object.assign(copyOf(coerced), values),
    all: () => withCoerced(all(), Object.entries(values)),
  }
}

function withCoerced(
  values: VariableValues,
  added: readonly (readonly [name: string, value: unknown])[],
): VariableValues {
  const sources: Record<string, VariableValues["sources"][string]> = copyOf(values.sources)
  const coerced: Record<string, unknown> = copyOf(values.coerced)
  for (const [name, value] of added) {
    sources[name] = { signature: { name, type: anything, default: undefined }, value }
    coerced[name] = value
  }
  return { sources, coerced }
}

/** Without a prototype, so that any name is a member. */
const copyOf = <Of extends object>(of: Of): Of => Object.assign(Object.create(null), of)

/** The value of a variable inside a literal of `JSON`, where its own type does not matter. */
const anything = new GraphQLScalarType({ name: "Anything" })

/** A coerced value; undefined when graphql-js has to coerce it. */
type Read = (value: unknown) => unknown

interface Variable {
  readonly name: string
  readonly read: Read
  /** Inputs that the planner reads as they were sent, so that it can report every mistake in them. */
  readonly isAsSent: boolean
  /** The value of an absent input; undefined when graphql-js has to report the absence. */
  readonly absent: { readonly value?: unknown } | undefined
}

function prepareVariable(
  schema: GraphQLSchema,
  definition: VariableDefinitionNode,
  isAsSent: (type: GraphQLInputType) => boolean,
): Variable {
  const name = definition.variable.name.value
  const type = typeFromAST(schema, definition.type)
  invariant(isInputType(type), `the type of $${name} is an input type`)
  const { variableValues } = getVariableValues(schema, [definition], {})
  const absent =
    variableValues && (name in variableValues.coerced ? { value: variableValues.coerced[name] } : {})
  if (isAsSent(type)) return { name, read: (value) => asSent(type, value), isAsSent: true, absent }
  return { name, read: readerOf(type), isAsSent: false, absent }
}

function readAll(variables: readonly Variable[], input: Input): VariableRequest["coerced"] | undefined {
  const coerced: Record<string, unknown> = Object.create(null)
  for (const { name, read, absent } of variables) {
    const given = Object.hasOwn(input, name) ? input[name] : undefined
    if (given === undefined) {
      if (!absent) return undefined
      if ("value" in absent) coerced[name] = absent.value
      continue
    }
    const value = read(given)
    if (value === undefined) return undefined
    coerced[name] = value
  }
  return coerced
}

function readerOf(type: GraphQLInputType): Read {
  if (isNonNullType(type)) {
    const read = readerOf(type.ofType)
    return (value) => (value === null ? undefined : read(value))
  }
  if (isListType(type)) return listReader(readerOf(type.ofType))
  if (isInputObjectType(type)) return objectReader(type)
  return (value) => {
    if (value === null) return null
    try {
      return type.coerceInputValue(value)
    } catch {
      return undefined
    }
  }
}

/** A single value that stands for a list of it is left to graphql-js. */
function listReader(readItem: Read): Read {
  return (value) => {
    if (value === null) return null
    if (!Array.isArray(value)) return undefined
    const items: unknown[] = []
    for (const item of value) {
      const read = readItem(item)
      if (read === undefined) return undefined
      items.push(read)
    }
    return items
  }
}

function objectReader(type: GraphQLInputObjectType): Read {
  // Types may contain themselves, so the fields of each are prepared when they are first given.
  const readers = new Map<string, Read>()
  const readerFor = (name: string): Read | undefined => {
    const known = readers.get(name)
    if (known) return known
    const fields = type.getFields()
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined
    const reader = field && readerOf(field.type)
    if (reader) readers.set(name, reader)
    return reader
  }
  if (type.isOneOf || Object.values(type.getFields()).some(matters)) {
    return (value) => (value === null ? null : coerceInputValue(value, type))
  }
  return (value) => {
    if (value === null) return null
    if (typeof value !== "object" || Array.isArray(value)) return undefined
    const members: Record<string, unknown> = Object.create(null)
    for (const name of Object.keys(value as object)) {
      const read = readerFor(name)?.((value as Input)[name])
      if (read === undefined) return undefined
      members[name] = read
    }
    return members
  }
}

/**
 * The value as it was sent, with a single value in place of a list made a list (specification section 3.12). A value that
 * does not fit the type is kept: plan/write or plan/read/condition.ts refuses it.
 */
function asSent(type: GraphQLInputType, value: unknown): unknown {
  if (isNonNullType(type)) return value === null ? undefined : itemsAsSent(type.ofType, value)
  return itemsAsSent(type, value)
}

function itemsAsSent(type: GraphQLInputType, value: unknown): unknown {
  const inner = isNonNullType(type) ? type.ofType : type
  if (value === null) return null
  if (isListType(inner))
    return (Array.isArray(value) ? value : [value]).map((item: unknown) => itemsAsSent(inner.ofType, item))
  if (!isInputObjectType(inner) || typeof value !== "object" || Array.isArray(value)) return value
  const fields = inner.getFields()
  // Copied only if a member changes; most do not.
  let changed: Record<string, unknown> | undefined
  for (const name of Object.keys(value)) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined
    const member = (value as Input)[name]
    const sent = field ? itemsAsSent(field.type, member) : member
    if (sent === member) continue
    changed ??= Object.assign(Object.create(null), value) as Record<string, unknown>
    changed[name] = sent
  }
  return changed ?? value
}

/** Whether an absent field is an error or has a default. */
const matters = (field: GraphQLInputField): boolean =>
  isRequiredInputField(field) || field.default !== undefined || field.defaultValue !== undefined

const isAbsent = (value: unknown): boolean => value === undefined || value === null

function refuseDeep(input: Input, { nesting }: Pick<SizeLimits, "nesting">): void {
  if (isNestedBeyond(input, nesting))
    refuse([
      {
        code: "too_deep",
        message: `The variables are nested more than ${nesting} deep (limit \`nesting\`).`,
      },
    ])
}

function isNestedBeyond(value: unknown, depth: number): boolean {
  if (depth < 0) return true
  if (typeof value !== "object" || value === null) return false
  for (const item of Object.values(value)) if (isNestedBeyond(item, depth - 1)) return true
  return false
}
