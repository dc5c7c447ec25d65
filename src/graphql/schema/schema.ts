// The GraphQL schema of a model, and its text. The schema describes and validates; graphql-js does not execute our reads.
import {
  type GraphQLFieldConfig,
  GraphQLID,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLSchema,
  isSpecifiedDirective,
  Kind,
  OperationTypeNode,
  print,
  printDirective,
  printType,
  specifiedDirectives,
} from "graphql"
import { present } from "../../base/invariant.ts"
import { match } from "../../base/match.ts"
import type { Model } from "../../model/model.ts"
import { changeField, changeFields } from "./change-types.ts"
import { codeField } from "./code-types.ts"
import { connectionType, listArguments } from "./connection-types.ts"
import { eventsField } from "./event-types.ts"
import { entitiesField, federated, serviceField } from "./federation-types.ts"
import { liveDirective } from "./live-directive.ts"
import { mutationFields } from "./mutation-roots.ts"
import { mutationField } from "./mutation-types.ts"
import { nodeInterface, recordType } from "./record-types.ts"
import { idArgument, uniqueArguments } from "./root-arguments.ts"
import { type RootField, rootFields } from "./roots.ts"
import { collectTypes, type Types } from "./types.ts"
import { viewerType } from "./viewer-type.ts"

export function buildSchema(model: Model): GraphQLSchema {
  return assemble(model).schema
}

/** The schema as text (SDL): `Query`, then what the resources need, in the model's order. */
export function printGraphql(model: Model): string {
  const { schema, roots, types } = assemble(model)
  const definition = printDefinition(model.description, roots)
  const others = types
    .all()
    .filter((type) => !roots.some((root) => root === type) && schema.getType(type.name) === type)
  const directives = schema.getDirectives().filter((directive) => !isSpecifiedDirective(directive))
  return `${[...definition, ...directives.map(printDirective), ...[...roots, ...others].map(printType)].join("\n\n")}\n`
}

/** The schema as a subgraph of Apollo Federation has it. */
export const printSubgraph = (model: Model): string => federated(model, printGraphql(model))

const serviceFields = (types: Types) => ({
  _service: serviceField(types, () => printSubgraph(types.model)),
})

/** The `schema { … }` block, which is left out when it says nothing. */
function printDefinition(
  description: string | undefined,
  roots: readonly GraphQLObjectType[],
): readonly string[] {
  if (description === undefined) return []
  return [
    print({
      kind: Kind.SCHEMA_DEFINITION,
      description: { kind: Kind.STRING, value: description, block: true },
      operationTypes: roots.map(({ name }) => ({
        kind: Kind.OPERATION_TYPE_DEFINITION,
        operation: present(operations.get(name), "a root type is that of an operation"),
        type: { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: name } },
      })),
    }),
  ]
}

/** By the reserved names of their types. */
const operations = new Map([
  ["Query", OperationTypeNode.QUERY],
  ["Mutation", OperationTypeNode.MUTATION],
  ["Subscription", OperationTypeNode.SUBSCRIPTION],
])

interface Assembled {
  readonly schema: GraphQLSchema
  /** `Query`, `Mutation` where anything can be changed, and `Subscription` where changes are kept. */
  readonly roots: readonly GraphQLObjectType[]
  readonly types: Types
}

function assemble(model: Model): Assembled {
  const types = collectTypes(model)
  const records = [...model.resources.values()].map((resource) => recordType(types, resource))
  const query = rootType(
    types,
    "Query",
    rootFields(model),
    rootField,
    model.federation && serviceFields(types),
  )
  const changes = mutationFields(model)
  const mutation =
    changes.size > 0
      ? rootType(types, "Mutation", changes, (of, field) =>
          field.kind === "action" ? codeField(of, field) : mutationField(of, field),
        )
      : undefined
  const followed = changeFields(model)
  const subscription = followed.size > 0 ? rootType(types, "Subscription", followed, changeField) : undefined
  // Valid by its making, which the tests hold against graphql-js: with many resources to check it took longer than to build it.
  const schema = new GraphQLSchema({
    description: model.description,
    query,
    mutation,
    subscription,
    types: records,
    directives: followed.size > 0 ? [...specifiedDirectives, liveDirective] : specifiedDirectives,
    assumeValid: true,
  })
  return { schema, roots: [query, mutation, subscription].filter((root) => root !== undefined), types }
}

/** Their names are reserved, so that the types have them. */
function rootType<Root>(
  types: Types,
  wanted: "Query" | "Mutation" | "Subscription",
  roots: ReadonlyMap<string, Root>,
  describe: (types: Types, root: Root) => FieldConfig,
  others: Readonly<Record<string, FieldConfig>> = {},
): GraphQLObjectType {
  const own = Object.fromEntries([...roots].map(([name, root]) => [name, describe(types, root)]))
  const fields = { ...own, ...others }
  return types.shared(
    wanted,
    (name) => new GraphQLObjectType({ name, description: meanings[wanted], fields }),
  )
}

const meanings = {
  Query: "Reads. All roots of an operation are answered from one snapshot.",
  Mutation: "Writes. All fields of an operation are done, or none.",
  Subscription: "Changes, as they happen.",
} as const

type FieldConfig = GraphQLFieldConfig<unknown, unknown>

function rootField(types: Types, root: RootField): FieldConfig {
  return match<RootField, FieldConfig>(root, {
    viewer: () => ({
      type: viewerType(types),
      description: "The authenticated viewer; null if anonymous.",
    }),
    node: () => ({
      type: nodeInterface(types),
      args: idArgument,
      description: "Any record by its global id; null if absent.",
    }),
    nodes: () => ({
      type: new GraphQLNonNull(new GraphQLList(nodeInterface(types))),
      args: {
        ids: {
          type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(GraphQLID))),
          description: "Global ids.",
        },
      },
      description: `Records by their global ids, in this order; at most ${types.model.limits.page.max}.`,
    }),
    events: () => eventsField(types),
    entities: () => entitiesField(types),
    record: ({ resource }) => ({
      type: recordType(types, resource),
      args: idArgument,
      description: "A record by its id; null if absent.",
    }),
    list: ({ resource }) => ({
      type: new GraphQLNonNull(connectionType(types, resource, () => recordType(types, resource))),
      args: listArguments(types, resource),
      description: `A page of ${resource.collection} that the caller sees.`,
    }),
    unique: ({ resource, unique }) => ({
      type: recordType(types, resource),
      args: uniqueArguments(types, resource, unique),
      description: "A record by a unique key; null if absent.",
    }),
  })
}
