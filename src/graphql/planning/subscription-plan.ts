// A subscription: which changes are followed, and the query that is asked for each of them.

import {
  type DocumentNode,
  type FieldNode,
  getNamedType,
  isObjectType,
  Kind,
  OperationTypeNode,
  parseType,
  print,
  visit,
} from "graphql"
import { invariant, present } from "../../base/invariant.ts"
import type { Resource } from "../../model/model.ts"
import { apiName } from "../../model/names.ts"
import { type PlanContext, startDraft } from "../../plan/draft/draft.ts"
import { refuse } from "../document/errors.ts"
import { collectFields, type FieldGroup, subselections } from "../document/operation.ts"
import type { PreparedOperation } from "../document/prepare.ts"
import type { VariableRequest } from "../document/variables.ts"
import { changeFields, changeMembers } from "../schema/change-types.ts"
import { argumentsOf, fieldOf, mistakes, type Planning, placeOf, startPlanning } from "./planning.ts"

/** The variable of the record's id. */
export const recordVariable = "_bifoldRecord"

export interface PlannedSubscription {
  readonly resource: Resource
  readonly where: unknown
  readonly after: string | undefined
  /** Response key of the root field. */
  readonly key: string
  /** Members of a change, in the order of the answer. */
  readonly members: readonly ChangeMember[]
  /** The text of the query for the selected members of the record; undefined where none is selected. */
  readonly query: string | undefined
  /** Variables of the subscription that the query takes. */
  readonly variables: readonly string[]
  /** Places of arguments in the request. */
  readonly places: { readonly where: readonly string[]; readonly after: readonly string[] }
}

interface ChangeMember {
  /** Response key. */
  readonly key: string
  /** A member of the change by its usual name, the record, or the name of the type. */
  readonly of: keyof ReturnType<typeof changeMembers> | "record" | "__typename"
  readonly typeName: string
}

/** @throws Refusal with every mistake in the operation's arguments */
export function planSubscription(
  context: PlanContext,
  { operation }: PreparedOperation,
  asked: VariableRequest,
): PlannedSubscription {
  const draft = startDraft(context)
  const planning = startPlanning({ operation, draft, asked, ask: ({ read }) => read(draft, asked) })
  const root = present(operation.schema.getSubscriptionType(), "a subscription is of the schema")
  const [group, second] = collectFields(planning, root, [operation.definition.selectionSet])
  const resource = group && changeFields(context.model).get(group.name)
  if (!group || second || !resource)
    return refuse([{ code: "invalid_document", message: "A subscription selects one field of its type." }])
  const place = placeOf(planning, [], group)
  const args = argumentsOf(planning, root, group)
  const type = getNamedType(fieldOf(root, group).type)
  invariant(isObjectType(type), "a change is an object")
  const names = new Map(Object.entries(changeMembers(resource)).map(([usual, name]) => [name, usual]))
  const groups = collectFields(planning, type, subselections(group))
  const members = groups.map(({ key, name }): ChangeMember => {
    const of = name === "__typename" ? name : name === apiName(resource) ? "record" : names.get(name)
    return { key, of: present(of as ChangeMember["of"], `a change has no ${name}`), typeName: type.name }
  })
  const where = args?.read(asked, "where") ?? undefined
  const after = args?.read(asked, "after") ?? undefined
  const errors = mistakes(planning)
  if (errors.length > 0) refuse(errors)
  const records = groups.filter(({ name }) => name === apiName(resource))
  return {
    resource,
    where,
    after: typeof after === "string" ? after : undefined,
    key: group.key,
    members,
    ...queryOf(planning, resource, records),
    places: {
      where: [...place.map(String), "where"],
      after: [...place.map(String), "after"],
    },
  }
}

/** The selections of the record as a query of its own. */
function queryOf(
  { operation }: Planning,
  resource: Resource,
  groups: readonly FieldGroup[],
): Pick<PlannedSubscription, "query" | "variables"> {
  if (groups.length === 0) return { query: undefined, variables: [] }
  const fields = groups.map(
    ({ key, nodes }): FieldNode => ({
      ...nodes[0],
      alias: { kind: Kind.NAME, value: key },
      name: { kind: Kind.NAME, value: apiName(resource) },
      arguments: [
        {
          kind: Kind.ARGUMENT,
          name: { kind: Kind.NAME, value: "id" },
          value: { kind: Kind.VARIABLE, name: { kind: Kind.NAME, value: recordVariable } },
        },
      ],
      directives: [],
      selectionSet: {
        kind: Kind.SELECTION_SET,
        selections: nodes.flatMap(({ selectionSet }) => selectionSet?.selections ?? []),
      },
    }),
  )
  const fragments = usedFragments(operation.fragments, fields)
  const used = new Set<string>()
  for (const node of [...fields, ...fragments])
    visit(node, { Variable: ({ name }) => void used.add(name.value) })
  const { variableDefinitions = [] } = operation.definition
  const variables = variableDefinitions.filter(({ variable }) => used.has(variable.name.value))
  const document: DocumentNode = {
    kind: Kind.DOCUMENT,
    definitions: [
      {
        kind: Kind.OPERATION_DEFINITION,
        operation: OperationTypeNode.QUERY,
        variableDefinitions: [
          ...variables,
          {
            kind: Kind.VARIABLE_DEFINITION,
            variable: { kind: Kind.VARIABLE, name: { kind: Kind.NAME, value: recordVariable } },
            type: parseType("ID!"),
          },
        ],
        selectionSet: { kind: Kind.SELECTION_SET, selections: fields },
      },
      ...fragments,
    ],
  }
  return { query: print(document), variables: variables.map(({ variable }) => variable.name.value) }
}

type Fragments = PreparedOperation["operation"]["fragments"]

/** Fragments that the fields spread, and those that these spread. */
function usedFragments(known: Fragments, fields: readonly FieldNode[]) {
  const used = new Map<string, NonNullable<ReturnType<Fragments["get"]>>>()
  const look = (node: FieldNode | NonNullable<ReturnType<Fragments["get"]>>): void =>
    void visit(node, {
      FragmentSpread({ name: { value } }) {
        const fragment = known.get(value)
        if (!fragment || used.has(value)) return
        used.set(value, fragment)
        look(fragment)
      },
    })
  for (const field of fields) look(field)
  return [...used.values()]
}
