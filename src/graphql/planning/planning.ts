// The shared context of planning an operation: the draft, the mistakes that graphql-js finds, and where each place of the answer
// stands in the document.
import {
  type ASTNode,
  type FieldNode,
  type GraphQLError,
  type GraphQLObjectType,
  getLocation,
  getNamedType,
  isObjectType,
  type SelectionNode,
  type SelectionSetNode,
  type SourceLocation,
  type ValueNode,
} from "graphql"
import { invariant, present } from "../../base/invariant.ts"
import type { Place, Problem, Problems } from "../../base/problem.ts"
import type { Model, Resource } from "../../model/model.ts"
import type { Draft } from "../../plan/draft/draft.ts"
import type { Ask } from "../../plan/draft/plan-cache.ts"
import { type FieldArguments, prepareArguments } from "../document/arguments.ts"
import { attempt, fromGraphqlError, type RequestError } from "../document/errors.ts"
import {
  type Collecting,
  type FieldGroup,
  isIncluded,
  type Operation,
  subselections,
} from "../document/operation.ts"
import type { VariableRequest } from "../document/variables.ts"
import { groupMistakes } from "./mutation-errors.ts"

export interface Planning extends Collecting {
  readonly model: Model
  readonly problems: Problems
  /** The only way to what a request brings along. */
  readonly ask: Ask<VariableRequest>
  /** Problems with the input of a mutation, and the errors that they become. */
  readonly changes: Map<Problem, Problem>
  /** Mistakes in arguments that graphql-js finds. */
  readonly refused: GraphQLError[]
  /** Whether graphql-js can read a field's arguments; if not, their mistakes are recorded. */
  accepts(field: FieldArguments): boolean
  /** The first field at each place of the answer, by the place's JSON. */
  readonly fields: Map<string, FieldNode>
}

/** An object of the answer whose fields are being planned. */
export interface DocumentPlace {
  readonly type: GraphQLObjectType
  readonly resource: Resource
  readonly selections: readonly SelectionSetNode[]
  /** Response keys, outermost first. */
  readonly place: Place
  /** Relations that lead here. */
  readonly level: number
}

interface Beginning {
  readonly operation: Operation
  readonly draft: Draft
  readonly asked: VariableRequest
  readonly ask: Ask<VariableRequest>
}

export function startPlanning({ operation, draft, asked, ask }: Beginning): Planning {
  const { model, problems } = draft
  const refused: GraphQLError[] = []
  const accepts = (field: FieldArguments): boolean => {
    const read = () => field.names.map((name) => field.read(asked, name))
    return attempt(read, (error) => refused.push(error)) !== undefined
  }
  const includes = askOnce(ask)
  return {
    operation,
    model,
    problems,
    ask,
    changes: new Map(),
    refused,
    accepts,
    includes,
    spent: { fields: 0 },
    fields: new Map(),
  }
}

/** `@skip` and `@include`; each variable is asked for once. */
function askOnce(ask: Ask<VariableRequest>): Collecting["includes"] {
  const flags = new Map<string, boolean>()
  const variable = (name: string, selection: SelectionNode): boolean => {
    const known = flags.get(name)
    if (known !== undefined) return known
    const read = (_: Draft, asked: VariableRequest): boolean => {
      const flag = asked.coerced[name]
      // graphql-js alone knows the mistake, and throws it.
      if (typeof flag !== "boolean") isIncluded(selection, asked.all())
      return flag === true
    }
    const flag = ask({ read, keyOf: String })
    flags.set(name, flag)
    return flag
  }
  return (selection) =>
    (selection.directives ?? []).every((directive) => {
      const value = directive.arguments?.find(({ name }) => name.value === "if")?.value
      const skips = directive.name.value === "skip"
      if (!value || (!skips && directive.name.value !== "include")) return true
      return (
        skips !==
        (value.kind === "Variable"
          ? variable(value.name.value, selection)
          : value.kind === "BooleanValue" && value.value)
      )
    })
}

/** The spot of the object behind a field of an object at `spot`. */
export function enter(planning: Planning, spot: DocumentPlace, group: FieldGroup): DocumentPlace {
  const { type } = fieldOf(spot.type, group)
  const inner = getNamedType(type)
  invariant(isObjectType(inner), `${group.name} of ${spot.type.name} is no object`)
  return {
    ...spot,
    type: inner,
    selections: subselections(group),
    place: placeOf(planning, spot.place, group),
  }
}

/** `__typename`, which is known before anything is read. */
export function typeName({ key }: FieldGroup, { type }: Pick<DocumentPlace, "type">) {
  return { kind: "constant", key, json: JSON.stringify(type.name) } as const
}

/** The place of a field in the answer, which is remembered with the field. */
export function placeOf(planning: Planning, parent: Place, group: FieldGroup): Place {
  const place = [...parent, group.key]
  planning.fields.set(JSON.stringify(place), group.nodes[0])
  return place
}

/** The field's arguments; none when graphql-js refuses them. */
export function argumentsOf(
  planning: Planning,
  type: GraphQLObjectType,
  group: FieldGroup,
): FieldArguments | undefined {
  const prepared = prepareArguments(fieldOf(type, group), group.nodes[0])
  return planning.accepts(prepared) ? prepared : undefined
}

export function fieldOf(type: GraphQLObjectType, group: FieldGroup) {
  return present(type.getFields()[group.name], `${type.name} has no field ${group.name}`)
}

/** Every mistake found, each with its place in the document. */
export function mistakes({ problems, changes, refused, fields }: Planning): readonly RequestError[] {
  const own = problems.found
    .filter((problem) => !changes.has(problem))
    .map((problem) => locate(problem, fields))
  const changed = groupMistakes([...changes.values()], {
    field: (key) => fields.get(JSON.stringify([key])),
    locate: locateArgument,
  })
  return [...refused.map((error) => fromGraphqlError("invalid_value", error)), ...changed, ...own]
}

/** A problem's place begins with the place of a field, and goes on into the field's arguments. */
function locate(problem: Problem, fields: Planning["fields"]): RequestError {
  const place = problem.place ?? []
  for (let end = place.length; end > 0; end -= 1) {
    const field = fields.get(JSON.stringify(place.slice(0, end)))
    if (field) return { ...problem, locations: locateArgument(field, place.slice(end)) }
  }
  return problem
}

/** Where a place in a field's arguments stands in the document. */
export const locateArgument = (field: FieldNode, place: Place): readonly SourceLocation[] =>
  locationsOf(argumentNode(field, place))

function argumentNode(field: FieldNode, [name, ...path]: Place): ASTNode {
  const argument = field.arguments?.find((candidate) => candidate.name.value === name)
  if (!argument) return field
  return path.length === 0 ? argument : (valueNode(argument.value, path) ?? argument)
}

/** The deepest literal on the path; undefined when not even its first step is written in the document. */
function valueNode(node: ValueNode, [step, ...rest]: Place): ASTNode | undefined {
  if (step === undefined) return node
  if (node.kind === "ObjectValue") {
    const member = node.fields.find((candidate) => candidate.name.value === step)
    return member && (valueNode(member.value, rest) ?? member)
  }
  if (node.kind === "ListValue" && typeof step === "number") {
    const item = node.values[step]
    return item && (valueNode(item, rest) ?? item)
  }
  return undefined
}

function locationsOf(node: ASTNode): readonly SourceLocation[] {
  return node.loc ? [getLocation(node.loc.source, node.loc.start)] : []
}
