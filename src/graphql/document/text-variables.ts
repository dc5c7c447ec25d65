// The rule of variables' types (specification section 5.8.5). Variables of `String` or `ID` are also taken where the
// schema has a scalar of its own that is text in JSON, such as `Email`. The plan checks the value against the scalar.
import {
  GraphQLID,
  type GraphQLInputType,
  GraphQLList,
  GraphQLNonNull,
  type GraphQLScalarType,
  GraphQLString,
  getNamedType,
  isListType,
  isNonNullType,
  OverlappingFieldsCanBeMergedRule,
  specifiedRules,
  typeFromAST,
  type ValidationContext,
  type ValidationRule,
  VariablesInAllowedPositionRule,
} from "graphql"
import { isText } from "../schema/scalar-types.ts"

/** The rules of the specification without the rule of fields with one response key, which runs before them. */
export const documentRules: readonly ValidationRule[] = specifiedRules
  .filter((rule) => rule !== OverlappingFieldsCanBeMergedRule)
  .map((rule) => (rule === VariablesInAllowedPositionRule ? textVariablesRule : rule))

function textVariablesRule(context: ValidationContext) {
  const lenient: ValidationContext = Object.create(context, {
    getRecursiveVariableUsages: {
      value: (operation: Parameters<ValidationContext["getRecursiveVariableUsages"]>[0]) => {
        const own = new Map(
          operation.variableDefinitions?.map((definition) => [definition.variable.name.value, definition]),
        )
        return context.getRecursiveVariableUsages(operation).map((usage) => {
          const { node, type, fragmentVariableDefinition } = usage
          const definition = fragmentVariableDefinition ?? own.get(node.name.value)
          if (!definition || !type || !isText(getNamedType(type))) return usage
          const given = getNamedType(typeFromAST(context.getSchema(), definition.type))
          return given === GraphQLString || given === GraphQLID
            ? { ...usage, type: asOf(type, given) }
            : usage
        })
      },
    },
  })
  return VariablesInAllowedPositionRule(lenient)
}

/** The same type, lists and non-null included, around another named type. */
function asOf(type: GraphQLInputType, leaf: GraphQLScalarType): GraphQLInputType {
  if (isNonNullType(type)) {
    const inner = type.ofType
    return new GraphQLNonNull(isListType(inner) ? new GraphQLList(asOf(inner.ofType, leaf)) : leaf)
  }
  return isListType(type) ? new GraphQLList(asOf(type.ofType, leaf)) : leaf
}
