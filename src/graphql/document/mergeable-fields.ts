// The rule that fields with one response key can be merged (specification section 5.3.2), in linear time. The rule compares
// fields of a key with the first of them, where graphql-js compares each with each. Its verdict is the same
// (test/graphql/mergeable-fields.test.ts).
import {
  type FieldNode,
  GraphQLError,
  type GraphQLNamedType,
  type GraphQLOutputType,
  getNamedType,
  isInterfaceType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  type SelectionSetNode,
  type ValidationContext,
  type ValidationRule,
  type ValueNode,
} from "graphql"

/** Levels of fields, including levels of fragments. */
const mostLevels = 1_000

/** The document is too large for the rule, once its fragments are spread. */
export class TooManyFields extends Error {}

interface Found {
  readonly node: FieldNode
  readonly parent: GraphQLNamedType | undefined
  /** Absent for an unknown field. */
  readonly type: GraphQLOutputType | undefined
}

interface SelectionSet {
  readonly set: SelectionSetNode
  readonly parent: GraphQLNamedType | undefined
}

/** @param most fields of a document, each time that they are looked at */
export const mergeableFieldsRule =
  (most: number): ValidationRule =>
  (context) => {
    const check = new Check(context, most)
    return {
      OperationDefinition(operation) {
        const parent = context.getSchema().getRootType(operation.operation)
        check.merge([{ set: operation.selectionSet, parent: parent ?? undefined }], {
          isExclusive: false,
          level: 0,
        })
        return false
      },
      // Fragments are looked at where they are spread.
      FragmentDefinition: () => false,
    }
  }

interface Merging {
  /** A value has only one of the fields' types: the fields may differ, but not in shape. */
  readonly isExclusive: boolean
  readonly level: number
}

class Check {
  readonly #context: ValidationContext
  readonly #most: number
  readonly #isEndless: boolean
  readonly #arguments = new Map<FieldNode, string>()
  readonly #reported = new Set<FieldNode>()
  #fields = 0

  constructor(context: ValidationContext, most: number) {
    this.#context = context
    this.#most = most
    this.#isEndless = spreadsItself(context)
  }

  merge(sets: readonly SelectionSet[], merging: Merging): void {
    // Another rule reports it.
    if (sets.length === 0 || this.#isEndless) return
    if (merging.level > mostLevels) throw new TooManyFields()
    for (const fields of this.#collect(sets).values()) {
      if (fields.length > 1) this.#compare(fields, merging)
      const next = { ...merging, level: merging.level + 1 }
      const groups = merging.isExclusive ? [fields] : commonGroups(fields)
      for (const group of groups) this.merge(inner(group), next)
      if (groups.length > 1) this.merge(inner(fields), { ...next, isExclusive: true })
    }
  }

  #collect(sets: readonly SelectionSet[]): ReadonlyMap<string, readonly Found[]> {
    const schema = this.#context.getSchema()
    const groups = new Map<string, Found[]>()
    const visited = new Set<string>()
    const visit = ({ set, parent }: SelectionSet): void => {
      for (const selection of set.selections) {
        this.#fields += 1
        if (this.#fields > this.#most) throw new TooManyFields()
        if (selection.kind === "Field") {
          const key = (selection.alias ?? selection.name).value
          const found = { node: selection, parent, type: this.#typeOf(selection, parent) }
          const group = groups.get(key)
          if (group) group.push(found)
          else groups.set(key, [found])
        } else if (selection.kind === "InlineFragment") {
          const name = selection.typeCondition?.name.value
          visit({ set: selection.selectionSet, parent: name === undefined ? parent : schema.getType(name) })
        } else if (!visited.has(selection.name.value)) {
          visited.add(selection.name.value)
          const fragment = this.#context.getFragment(selection.name.value)
          if (fragment)
            visit({ set: fragment.selectionSet, parent: schema.getType(fragment.typeCondition.name.value) })
        }
      }
    }
    for (const set of sets) visit(set)
    return groups
  }

  #typeOf({ name: { value } }: FieldNode, parent: GraphQLNamedType | undefined): Found["type"] {
    return isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[value]?.type : undefined
  }

  #compare(fields: readonly Found[], { isExclusive }: Merging): void {
    for (const group of isExclusive ? [] : commonGroups(fields)) {
      this.#differing(
        group,
        ({ node }) => node.name.value,
        ([one, other]) => `"${one?.node.name.value}" and "${other?.node.name.value}" are different fields`,
      )
      this.#differing(
        group,
        ({ node }) => this.#argumentsOf(node),
        () => "they have differing arguments",
      )
    }
    const typed = fields.filter(({ type }) => type)
    this.#differing(
      typed,
      shapeOf,
      ([one, other]) => `they return conflicting types "${one?.type}" and "${other?.type}"`,
    )
  }

  /** Reports the first field that differs from the first of all. */
  #differing(
    fields: readonly Found[],
    read: (field: Found) => string,
    why: (pair: readonly [Found, Found]) => string,
  ): void {
    const [first] = fields
    const other = first && fields.find((field) => read(field) !== read(first))
    if (!first || !other || this.#reported.has(other.node)) return
    this.#reported.add(other.node)
    const key = (first.node.alias ?? first.node.name).value
    this.#context.reportError(
      new GraphQLError(
        `Fields "${key}" conflict because ${why([first, other])}. Use different aliases on the fields to fetch both if this was intentional.`,
        { nodes: [first.node, other.node] },
      ),
    )
  }

  #argumentsOf(node: FieldNode): string {
    const { arguments: given = [] } = node
    if (given.length === 0) return ""
    const known = this.#arguments.get(node)
    if (known !== undefined) return known
    const pairs = given.map(({ name, value }) => [name.value, comparable(value)] as const)
    const text = JSON.stringify(pairs.toSorted(byName))
    this.#arguments.set(node, text)
    return text
  }
}

type Pair = readonly [name: string, value: unknown]

const byName = ([one]: Pair, [other]: Pair): number => (one < other ? -1 : one > other ? 1 : 0)

/** Equal for values that are equal whatever the order of their members. */
function comparable(value: ValueNode): unknown {
  if (value.kind === "Variable") return [value.kind, value.name.value]
  if (value.kind === "ListValue") return [value.kind, value.values.map(comparable)]
  if (value.kind === "ObjectValue")
    return [
      value.kind,
      value.fields.map((field): Pair => [field.name.value, comparable(field.value)]).toSorted(byName),
    ]
  if (value.kind === "StringValue") return [value.kind, value.value, value.block === true]
  return [value.kind, value.kind === "NullValue" ? null : value.value]
}

/** Wrappers and leaves have to be the same; objects are compared by their fields. */
function shapeOf({ type }: Pick<Found, "type">): string {
  if (isNonNullType(type)) return `${shapeOf({ type: type.ofType })}!`
  if (isListType(type)) return `[${shapeOf({ type: type.ofType })}]`
  return isLeafType(type) ? type.name : "{}"
}

/** Groups of fields that one value may have at the same time. Fields of an abstract type are in each group. */
function commonGroups(fields: readonly Found[]): readonly (readonly Found[])[] {
  const [first] = fields
  if (fields.every(({ parent }) => parent === first?.parent)) return [fields]
  const abstract = fields.filter(({ parent }) => !isObjectType(parent))
  const objects = new Set(fields.map(({ parent }) => parent).filter(isObjectType))
  if (objects.size <= 1) return [fields]
  return [...objects].map((type) => [...abstract, ...fields.filter(({ parent }) => parent === type)])
}

const inner = (fields: readonly Found[]): readonly SelectionSet[] =>
  fields.flatMap(({ node: { selectionSet: set }, type }) =>
    set ? [{ set, parent: type && getNamedType(type) }] : [],
  )

/** Whether a fragment leads back to itself. */
function spreadsItself(context: ValidationContext): boolean {
  const state = new Map<string, "open" | "done">()
  const leadsBack = (name: string): boolean => {
    const known = state.get(name)
    if (known) return known === "open"
    state.set(name, "open")
    const fragment = context.getFragment(name)
    const spreads = fragment ? context.getFragmentSpreads(fragment.selectionSet) : []
    const found = spreads.some((spread) => leadsBack(spread.name.value))
    state.set(name, "done")
    return found
  }
  const { definitions } = context.getDocument()
  return definitions.some((one) => one.kind === "FragmentDefinition" && leadsBack(one.name.value))
}
