// Arguments of a field (specification section 6.4.1). The document's part is read once; each request adds only its
// variables. graphql-js reads unusual input and reports its errors.
import {
  coerceInputLiteral,
  type FieldNode,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  getArgumentValues,
  isInputObjectType,
  isListType,
  isNonNullType,
  type ObjectValueNode,
  type ValueNode,
} from "graphql"
import type { VariableRequest } from "./variables.ts"

export interface FieldArguments {
  /** Null is the same as absent: undefined. Throws GraphQLError when graphql-js refuses the field's arguments. */
  read(asked: VariableRequest, name: string): unknown
  /** Whether these arguments are the same for every request. */
  isConstant(...names: readonly string[]): boolean
  /** Arguments that the document gives. */
  readonly names: readonly string[]
}

export const noArguments: FieldArguments = { read: () => undefined, isConstant: () => true, names: [] }

export function prepareArguments(field: GraphQLField<unknown, unknown>, node: FieldNode): FieldArguments {
  const readers = new Map<string, Reader>()
  for (const argument of field.args) {
    const value = node.arguments?.find(({ name }) => name.value === argument.name)?.value
    if (value || hasDefault(argument))
      readers.set(argument.name, prepareArgument({ field, node, argument }, value))
  }
  return {
    read: (asked, name) => readers.get(name)?.read(asked),
    isConstant: (...names) => names.every((name) => readers.get(name)?.constant ?? true),
    names: [...readers.keys()],
  }
}

interface Reader {
  readonly constant: boolean
  readonly read: (asked: VariableRequest) => unknown
}

interface Spot {
  readonly field: GraphQLField<unknown, unknown>
  readonly node: FieldNode
  readonly argument: GraphQLArgument
}

function prepareArgument({ field, node, argument }: Spot, value: ValueNode | undefined): Reader {
  const { name, type } = argument
  const byGraphqlJs = (asked: VariableRequest): unknown =>
    getArgumentValues(field, node, asked.all())[name] ?? undefined
  const usual = value && !hasDefault(argument) ? prepareValue(value, type) : undefined
  if (value?.kind === "Variable" && usual && !isNonNullType(type)) {
    const variable = value.name.value
    return { constant: false, read: ({ coerced }) => coerced[variable] ?? undefined }
  }
  if (!usual) return { constant: false, read: byGraphqlJs }
  if (usual.kind === "constant") return { constant: true, read: () => usual.value ?? undefined }
  return {
    constant: false,
    read(asked) {
      const read = usual.read(asked.coerced)
      return read === undefined ? byGraphqlJs(asked) : (read ?? undefined)
    },
  }
}

const hasDefault = (of: GraphQLArgument | GraphQLInputField): boolean =>
  of.default !== undefined || of.defaultValue !== undefined

type Coerced = VariableRequest["coerced"]

type Prepared =
  | { readonly kind: "constant"; readonly value: unknown }
  /** Undefined when graphql-js has to coerce the value. */
  | { readonly kind: "varying"; readonly read: (coerced: Coerced) => unknown }

/** Undefined when only graphql-js can read it. */
function prepareValue(node: ValueNode, type: GraphQLInputType): Prepared | undefined {
  if (!hasVariable(node)) {
    const value = coerceInputLiteral(node, type)
    return value === undefined ? undefined : { kind: "constant", value }
  }
  if (node.kind === "Variable") {
    const name = node.name.value
    if (!isNonNullType(type)) return { kind: "varying", read: (coerced) => coerced[name] }
    return { kind: "varying", read: (coerced) => coerced[name] ?? undefined }
  }
  const inner = isNonNullType(type) ? type.ofType : type
  if (isListType(inner)) return prepareList(node, inner.ofType)
  return isInputObjectType(inner) && node.kind === "ObjectValue" ? prepareObject(node, inner) : undefined
}

function hasVariable(node: ValueNode): boolean {
  switch (node.kind) {
    case "Variable":
      return true
    case "ListValue":
      return node.values.some(hasVariable)
    case "ObjectValue":
      return node.fields.some(({ value }) => hasVariable(value))
    default:
      return false
  }
}

function prepareList(node: ValueNode, type: GraphQLInputType): Prepared | undefined {
  const prepared = (node.kind === "ListValue" ? node.values : [node]).map((item) => prepareValue(item, type))
  const items = prepared.filter((item) => item !== undefined)
  if (items.length < prepared.length) return undefined
  return {
    kind: "varying",
    read(coerced) {
      const values: unknown[] = []
      for (const item of items) {
        const value = item.kind === "constant" ? item.value : item.read(coerced)
        if (value === undefined) return undefined
        values.push(value)
      }
      return values
    },
  }
}

interface Member {
  readonly name: string
  readonly prepared: Prepared
  /** A variable that is absent leaves the member out. */
  readonly mayLack: boolean
}

function prepareObject(node: ObjectValueNode, type: GraphQLInputObjectType): Prepared | undefined {
  const fields = type.getFields()
  const defaults = coerceInputLiteral({ ...node, fields: [] }, type) as object | undefined
  if (type.isOneOf || !defaults) return undefined
  const members: Member[] = []
  for (const { name, value } of node.fields) {
    const field = fields[name.value]
    const prepared = field && prepareValue(value, field.type)
    if (!prepared || (isNonNullType(field.type) && hasDefault(field))) return undefined
    members.push({
      name: name.value,
      prepared,
      mayLack: value.kind === "Variable" && !isNonNullType(field.type),
    })
  }
  return {
    kind: "varying",
    read(coerced) {
      const object: Record<string, unknown> = Object.assign(Object.create(null), defaults)
      for (const { name, prepared, mayLack } of members) {
        const value = prepared.kind === "constant" ? prepared.value : prepared.read(coerced)
        if (value !== undefined) object[name] = value
        else if (!mayLack) return undefined
      }
      return object
    },
  }
}
