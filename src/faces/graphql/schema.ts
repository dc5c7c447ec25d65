// The GraphQL schema of a model, and its text. It describes and validates; our reads are not executed by graphql-js.
import {
  type GraphQLFieldConfig,
  type GraphQLFieldConfigArgumentMap,
  GraphQLID,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLSchema,
  Kind,
  type NamedTypeNode,
  OperationTypeNode,
  print,
  printType,
} from "graphql"
import { present } from "../../base/invariant.ts"
import { match } from "../../base/match.ts"
import type { Model, Resource, Unique } from "../../model/model.ts"
import { subjectName } from "../../plan/names.ts"
import { connectionType, listArguments } from "./connection-types.ts"
import { nodeInterface, recordType } from "./record-types.ts"
import { type RootField, rootFields } from "./roots.ts"
import { valueType } from "./scalar-types.ts"
import { collectTypes, type Types } from "./types.ts"

export function buildSchema(model: Model): GraphQLSchema {
  return assemble(model).schema
}

/** The schema as text (SDL): `Query`, then what the resources need, in the model's order. */
export function printGraphql(model: Model): string {
  const { schema, query, types } = assemble(model)
  const definition = printDefinition(model.description, query.name)
  const others = types.all().filter((type) => type !== query && schema.getType(type.name) === type)
  return `${[...definition, ...[query, ...others].map(printType)].join("\n\n")}\n`
}

/** The `schema { … }` block, which is left out when it says nothing. */
function printDefinition(description: string | undefined, query: string): readonly string[] {
  if (description === undefined && query === "Query") return []
  const type: NamedTypeNode = { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: query } }
  return [
    print({
      kind: Kind.SCHEMA_DEFINITION,
      ...(description !== undefined && {
        description: { kind: Kind.STRING, value: description, block: true },
      }),
      operationTypes: [{ kind: Kind.OPERATION_TYPE_DEFINITION, operation: OperationTypeNode.QUERY, type }],
    }),
  ]
}

function assemble(model: Model): { schema: GraphQLSchema; query: GraphQLObjectType; types: Types } {
  const types = collectTypes(model)
  const records = [...model.resources.values()].map((resource) => recordType(types, resource))
  const query = types.shared(
    "Query",
    (name) => new GraphQLObjectType({ name, fields: queryFields(types, rootFields(model)) }),
  )
  // Valid by its making, which the tests hold against graphql-js: with many resources to check it took longer than to build it.
  const schema = new GraphQLSchema({
    description: model.description,
    query,
    types: records,
    assumeValid: true,
  })
  return { schema, query, types }
}

type Fields = Record<string, GraphQLFieldConfig<unknown, unknown>>

function queryFields(types: Types, roots: ReadonlyMap<string, RootField>): Fields {
  const fields: Fields = {}
  for (const [name, root] of roots) fields[name] = rootField(types, root)
  return fields
}

const idArgument = { id: { type: new GraphQLNonNull(GraphQLID) } }

function rootField(types: Types, root: RootField): GraphQLFieldConfig<unknown, unknown> {
  return match<RootField, GraphQLFieldConfig<unknown, unknown>>(root, {
    node: () => ({
      type: nodeInterface(types),
      args: idArgument,
      description: "Any record by its global id; null when there is none.",
    }),
    nodes: () => ({
      type: new GraphQLNonNull(new GraphQLList(nodeInterface(types))),
      args: { ids: { type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(GraphQLID))) } },
      description: `Records by their global ids, in this order; at most ${types.model.limits.page.max}.`,
    }),
    record: ({ resource }) => ({ type: recordType(types, resource), args: idArgument }),
    list: ({ resource }) => ({
      type: new GraphQLNonNull(connectionType(types, resource, () => recordType(types, resource))),
      args: listArguments(types, resource),
    }),
    unique: ({ resource, unique }) => ({
      type: recordType(types, resource),
      args: uniqueArguments(types, resource, unique),
    }),
  })
}

function uniqueArguments(types: Types, resource: Resource, unique: Unique): GraphQLFieldConfigArgumentMap {
  const args: GraphQLFieldConfigArgumentMap = {}
  for (const member of unique.members) {
    const type =
      member.kind === "reference"
        ? GraphQLID
        : valueType(types, present(resource.fields.get(member.field), `no field ${member.field}`))
    args[subjectName(resource, member)] = { type: new GraphQLNonNull(type) }
  }
  return args
}
