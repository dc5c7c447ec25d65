// Visits a document for many rules at once, in the order of `visitInParallel` of graphql-js. Each node goes to the rules
// of its kind, and names to no rule. Definitions of types are not entered: no document may have them.
import { type ASTNode, type ASTVisitor, getEnterLeaveForKind, TypeInfo, ValidationContext } from "graphql"

interface Rule {
  readonly visitor: ASTVisitor
  /** The node whose inner nodes the rule does not look at. */
  skipped: ASTNode | undefined
}

type Call = readonly [rule: Rule, call: NonNullable<ReturnType<typeof getEnterLeaveForKind>["enter"]>]

interface Calls {
  readonly enter: readonly Call[]
  readonly leave: readonly Call[]
}

type Ancestor = ASTNode | readonly ASTNode[]

class Walk {
  readonly #rules: readonly Rule[]
  readonly #types: TypeInfo | undefined
  readonly #calls = new Map<ASTNode["kind"], Calls>()
  readonly #ancestors: Ancestor[] = []

  constructor(visitors: readonly ASTVisitor[], types?: TypeInfo) {
    this.#rules = visitors.map((visitor) => ({ visitor, skipped: undefined }))
    this.#types = types
  }

  node(node: ASTNode | undefined, parent?: Ancestor): void {
    if (!node) return
    const { enter, leave } = this.#calls.get(node.kind) ?? this.#callsOf(node.kind)
    this.#types?.enter(node)
    let isSkipped = false
    for (const [rule, call] of enter)
      if (
        !rule.skipped &&
        call.call(rule.visitor, node, undefined, parent, none, this.#ancestors) === false
      ) {
        rule.skipped = node
        isSkipped = true
      }
    if (!isSkipped || this.#rules.some(({ skipped }) => !skipped)) {
      if (parent) this.#ancestors.push(parent)
      this.#inner(node)
      if (parent) this.#ancestors.pop()
    }
    for (const [rule, call] of leave)
      if (!rule.skipped) call.call(rule.visitor, node, undefined, parent, none, this.#ancestors)
    if (isSkipped) for (const rule of this.#rules) if (rule.skipped === node) rule.skipped = undefined
    this.#types?.leave(node)
  }

  #inner(node: ASTNode): void {
    switch (node.kind) {
      case "Document":
        this.#each(node.definitions, node)
        break
      case "OperationDefinition":
        this.#each(node.variableDefinitions, node)
        this.#each(node.directives, node)
        this.node(node.selectionSet, node)
        break
      case "FragmentDefinition":
        this.#each(node.variableDefinitions, node)
        this.node(node.typeCondition, node)
        this.#each(node.directives, node)
        this.node(node.selectionSet, node)
        break
      case "VariableDefinition":
        this.node(node.variable, node)
        this.node(node.type, node)
        this.node(node.defaultValue, node)
        this.#each(node.directives, node)
        break
      case "SelectionSet":
        this.#each(node.selections, node)
        break
      case "Field":
        this.#each(node.arguments, node)
        this.#each(node.directives, node)
        this.node(node.selectionSet, node)
        break
      case "InlineFragment":
        this.node(node.typeCondition, node)
        this.#each(node.directives, node)
        this.node(node.selectionSet, node)
        break
      case "FragmentSpread":
        this.#each(node.arguments, node)
        this.#each(node.directives, node)
        break
      case "Directive":
        this.#each(node.arguments, node)
        break
      case "Argument":
      case "FragmentArgument":
      case "ObjectField":
        this.node(node.value, node)
        break
      case "ListValue":
        this.#each(node.values, node)
        break
      case "ObjectValue":
        this.#each(node.fields, node)
        break
      case "ListType":
      case "NonNullType":
        this.node(node.type, node)
        break
    }
  }

  #each(nodes: readonly ASTNode[] | undefined, owner: ASTNode): void {
    if (!nodes || nodes.length === 0) return
    this.#ancestors.push(owner)
    for (const node of nodes) this.node(node, nodes)
    this.#ancestors.pop()
  }

  #callsOf(kind: ASTNode["kind"]): Calls {
    const enter: Call[] = []
    const leave: Call[] = []
    for (const rule of this.#rules) {
      const own = getEnterLeaveForKind(rule.visitor, kind)
      if (own.enter) enter.push([rule, own.enter])
      if (own.leave) leave.push([rule, own.leave])
    }
    const calls = { enter, leave }
    this.#calls.set(kind, calls)
    return calls
  }
}

const none: readonly (string | number)[] = []

/** Visitors return false, or nothing. */
export const walk = (node: ASTNode, visitors: readonly ASTVisitor[], types?: TypeInfo): void =>
  new Walk(visitors, types).node(node)

type Definition = Parameters<ValidationContext["getVariableUsages"]>[0]
type Usages = ReturnType<ValidationContext["getVariableUsages"]>

/** Finds variables by the same walk. */
export class WalkedContext extends ValidationContext {
  readonly #usages = new Map<Definition, Usages>()

  override getVariableUsages(node: Definition): Usages {
    const known = this.#usages.get(node)
    if (known) return known
    const usages: Usages[number][] = []
    this.#usages.set(node, usages)
    const types = new TypeInfo(this.getSchema(), undefined, this.getFragmentSignatureByName())
    const signature =
      node.kind === "FragmentDefinition" ? this.getFragmentSignatureByName()(node.name.value) : undefined
    const visitor: ASTVisitor = {
      VariableDefinition: () => false,
      Variable(variable) {
        usages.push({
          node: variable,
          type: types.getInputType(),
          parentType: types.getParentInputType(),
          defaultValue: types.getDefaultValue(),
          fragmentVariableDefinition: signature?.variableDefinitions.get(variable.name.value),
        })
      },
    }
    walk(node, [visitor], types)
    return usages
  }
}
