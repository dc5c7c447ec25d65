// The shape of documents that differ in literals only: one document, in which variables stand for the literals. The shape
// consists of the text around them alone, so that it holds no value of any request.
import {
  type ArgumentNode,
  type ConstValueNode,
  coerceInputLiteral,
  type DocumentNode,
  type GraphQLInputType,
  type GraphQLSchema,
  isInputObjectType,
  isListType,
  isNonNullType,
  Kind,
  type ObjectFieldNode,
  parse,
  TypeInfo,
  type ValueNode,
  type VariableNode,
  validate,
  visit,
  visitWithTypeInfo,
} from "graphql"
import { invariant, present } from "../../base/invariant.ts"
import { mergeableFieldsRule } from "./mergeable-fields.ts"
import type { PreparedOperation } from "./prepare.ts"
import type { Scan } from "./scan.ts"
import { withVariables } from "./variables.ts"

type Literals = Scan["literals"]
type Values = Readonly<Record<string, unknown>>

export interface DocumentShape {
  /** Its variables for literals have names that no document can have. */
  readonly document: DocumentNode
  /** Values of those variables, which are the values of arguments or parts of them; undefined where a literal is invalid. */
  read(literals: Literals): Values | undefined
}

/**
 * The shape of a valid document. Undefined where another document of the shape may be invalid, or where something else
 * than the planner reads its literals.
 */
export function shapeOf(schema: GraphQLSchema, pieces: Scan["pieces"]): DocumentShape | undefined {
  if (pieces.some((piece) => piece.includes(hole))) return undefined
  const parsed = parse(pieces.join(` $${hole} `), { noLocation: true })
  const parts: Part[] = []
  const document = withParts(schema, parsed, parts)
  if (!document) return undefined
  const found = parts.reduce((sum, { holes }) => sum + holes, 0)
  invariant(found === pieces.length - 1, "each literal is part of an argument's value")
  // As if all literals were different: fields that are merged then have none.
  if (validate(schema, document, [mergeableFieldsRule(Number.POSITIVE_INFINITY)]).length > 0) return undefined
  return { document, read: (literals) => readParts(parts, literals) }
}

/** The operation, run with these values in addition to its own variables. */
export const withValues = (prepared: PreparedOperation, values: Values): PreparedOperation => ({
  ...prepared,
  readVariables: (input) => withVariables(prepared.readVariables(input), values),
  isShared: true,
})

/** The name of a variable in place of a literal, before the literal's part is known. */
const hole = "_bifoldLiteral"

/** The largest value that holds literals and no variable; one variable takes its place in the document. */
interface Part {
  readonly type: GraphQLInputType
  /** Literals in it. */
  readonly holes: number
  /** Takes the next literals, as many as the value has, and gives the value. */
  fill(next: () => ConstValueNode): ConstValueNode
}

function readParts(parts: readonly Part[], literals: Literals): Values | undefined {
  const values: Record<string, unknown> = Object.create(null)
  let used = 0
  const next = (): ConstValueNode => {
    const literal = literals[used]
    invariant(literal, "documents of a shape have equally many literals")
    used += 1
    return literal
  }
  for (const [index, { type, fill }] of parts.entries()) {
    const value = coerceInputLiteral(fill(next), type)
    if (value === undefined) return undefined
    values[index] = value
  }
  return values
}

/** Undefined for subscriptions, introspection, and operations with directives. */
function withParts(schema: GraphQLSchema, document: DocumentNode, parts: Part[]): DocumentNode | undefined {
  const info = new TypeInfo(schema)
  let isPlain = true
  const refuse = (): void => {
    isPlain = false
  }
  const changed: DocumentNode = visit(
    document,
    visitWithTypeInfo(info, {
      OperationDefinition({ operation, directives }) {
        if (operation === "subscription" || directives?.length) refuse()
      },
      Field({ name: { value } }) {
        if (value.startsWith("__") && value !== "__typename") refuse()
      },
      Directive: () => false,
      VariableDefinition: () => false,
      Argument: {
        leave(node): ArgumentNode {
          const type = present(info.getInputType(), "arguments of a valid document have types")
          return { ...node, value: lift({ parts, refuse }, node.value, type) }
        },
      },
    }),
  )
  return isPlain ? changed : undefined
}

interface Lifting {
  readonly parts: Part[]
  refuse(): void
}

/** The value with variables for its parts. A literal is refused inside a scalar that holds a variable, too. */
function lift(lifting: Lifting, node: ValueNode, type: GraphQLInputType): ValueNode {
  const { parts, refuse } = lifting
  const { holes, others } = variablesIn(node)
  if (holes === 0) return node
  if (others === 0) {
    parts.push({ type, holes, fill: fillerOf(node) })
    return { kind: Kind.VARIABLE, name: { kind: Kind.NAME, value: String(parts.length - 1) } }
  }
  const inner = isNonNullType(type) ? type.ofType : type
  if (isListType(inner)) {
    if (node.kind !== "ListValue") return lift(lifting, node, inner.ofType)
    return { ...node, values: node.values.map((item) => lift(lifting, item, inner.ofType)) }
  }
  if (node.kind !== "ObjectValue" || !isInputObjectType(inner)) {
    refuse()
    return node
  }
  const fields = inner.getFields()
  const typeOf = ({ name: { value } }: ObjectFieldNode) =>
    present(fields[value], `a valid ${inner.name} has no ${value}`).type
  return {
    ...node,
    fields: node.fields.map((field) => ({ ...field, value: lift(lifting, field.value, typeOf(field)) })),
  }
}

const isHole = ({ name: { value } }: VariableNode): boolean => value === hole

/** Variables in place of literals, and all others. */
function variablesIn(node: ValueNode): { readonly holes: number; readonly others: number } {
  if (node.kind === "Variable") return isHole(node) ? { holes: 1, others: 0 } : { holes: 0, others: 1 }
  let holes = 0
  let others = 0
  for (const inner of innerOf(node)) {
    const found = variablesIn(inner)
    holes += found.holes
    others += found.others
  }
  return { holes, others }
}

function innerOf(node: ValueNode): readonly ValueNode[] {
  if (node.kind === "ListValue") return node.values
  return node.kind === "ObjectValue" ? node.fields.map(({ value }) => value) : []
}

/** The value as it was written, for its literals in their order. */
function fillerOf(node: ValueNode): Part["fill"] {
  if (node.kind === "Variable") return (next) => next()
  if (node.kind === "ListValue") {
    const items = node.values.map(fillerOf)
    return (next) => ({ kind: Kind.LIST, values: items.map((fill) => fill(next)) })
  }
  if (node.kind === "ObjectValue") {
    const fields = node.fields.map(({ value, ...field }) => ({ field, fill: fillerOf(value) }))
    return (next) => ({
      kind: Kind.OBJECT,
      fields: fields.map(({ field, fill }) => ({ ...field, value: fill(next) })),
    })
  }
  return () => node
}
