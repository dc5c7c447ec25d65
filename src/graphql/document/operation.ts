// An operation about to be planned, and field collection: specification sections 6.1 and 6.3.2, GraphQL of September 2025.
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLIncludeDirective,
  type GraphQLObjectType,
  type GraphQLSchema,
  GraphQLSkipDirective,
  getDirectiveValues,
  isAbstractType,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
  type VariableValues,
} from "graphql"
import { present } from "../../base/invariant.ts"
import { refusal } from "../../base/problem.ts"
import { overLimit, type SizeLimits } from "../../model/limits.ts"

export interface Operation {
  readonly schema: GraphQLSchema
  readonly definition: OperationDefinitionNode
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>
  readonly limits: Pick<SizeLimits, "fields">
}

/** The purpose of collecting fields: a plan, or an answer. */
export interface Collecting {
  readonly operation: Operation
  /** Whether `@skip` and `@include` keep the field. */
  includes(selection: SelectionNode): boolean
  /** Fields collected so far: fragments can make a short document very large. */
  readonly spent: { fields: number }
}

/** Fields that share a response key: one place in the answer. They have the same name and arguments (validated). */
export interface FieldGroup {
  /** The response key. */
  readonly key: string
  readonly name: string
  readonly nodes: readonly [FieldNode, ...FieldNode[]]
}

export function fragmentsOf(document: DocumentNode): ReadonlyMap<string, FragmentDefinitionNode> {
  const fragments = new Map<string, FragmentDefinitionNode>()
  for (const definition of document.definitions) {
    if (definition.kind === "FragmentDefinition") fragments.set(definition.name.value, definition)
  }
  return fragments
}

/** The fields asked of an object of this type, in the order of their first appearance. */
export function collectFields(
  collecting: Collecting,
  type: GraphQLObjectType,
  sets: readonly SelectionSetNode[],
): readonly FieldGroup[] {
  const { operation } = collecting
  const groups = new Map<string, [FieldNode, ...FieldNode[]]>()
  const visited = new Set<string>()
  const visit = (set: SelectionSetNode): void => {
    for (const selection of set.selections) {
      if (selection.directives?.length && !collecting.includes(selection)) continue
      if (selection.kind === "Field") add(collecting, groups, selection)
      else if (selection.kind === "InlineFragment") {
        if (applies(operation, type, selection.typeCondition?.name.value)) visit(selection.selectionSet)
      } else if (!visited.has(selection.name.value)) {
        visited.add(selection.name.value)
        const fragment = present(
          operation.fragments.get(selection.name.value),
          "a fragment that validation knew",
        )
        if (applies(operation, type, fragment.typeCondition.name.value)) visit(fragment.selectionSet)
      }
    }
  }
  for (const set of sets) visit(set)
  return [...groups].map(([key, nodes]) => ({ key, name: nodes[0].name.value, nodes }))
}

/** The selection sets below the fields of a group; they are merged by collecting them together. */
export function subselections(group: FieldGroup): readonly SelectionSetNode[] {
  return group.nodes.flatMap(({ selectionSet }) => selectionSet ?? [])
}

function add(
  { spent, operation: { limits } }: Collecting,
  groups: Map<string, [FieldNode, ...FieldNode[]]>,
  field: FieldNode,
): void {
  spent.fields += 1
  if (spent.fields > limits.fields)
    throw refusal(
      "too_large",
      overLimit(`The operation has more than ${limits.fields} fields`, "fields", limits.fields),
      { hint: "Send it as several requests." },
    )
  const key = (field.alias ?? field.name).value
  const group = groups.get(key)
  if (group) group.push(field)
  else groups.set(key, [field])
}

/** Whether `@skip` and `@include` keep the field, with these variables. */
export function isIncluded(selection: SelectionNode, variables: VariableValues): boolean {
  if (getDirectiveValues(GraphQLSkipDirective, selection, variables)?.["if"] === true) return false
  return getDirectiveValues(GraphQLIncludeDirective, selection, variables)?.["if"] !== false
}

function applies({ schema }: Operation, type: GraphQLObjectType, condition: string | undefined): boolean {
  if (condition === undefined || condition === type.name) return true
  const conditional = schema.getType(condition)
  return conditional !== undefined && isAbstractType(conditional) && schema.isSubType(conditional, type)
}
