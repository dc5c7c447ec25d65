// The types that Apollo Federation asks of a subgraph, and the text of its schema (specs.apollo.dev/federation).
import {
  type ConstDirectiveNode,
  type DefinitionNode,
  type DocumentNode,
  type GraphQLFieldConfig,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLScalarType,
  GraphQLString,
  GraphQLUnionType,
  Kind,
  type NamedTypeNode,
  type ObjectTypeDefinitionNode,
  parse,
  print,
  visit,
} from "graphql"
import type { Model, Resource } from "../../model/model.ts"
import { subjectName } from "../../plan/lookup.ts"
import { recordType } from "./record-types.ts"
import { rootFields } from "./roots.ts"
import type { Types } from "./types.ts"

type FieldConfig = GraphQLFieldConfig<unknown, unknown>

const keyed = ({ resources }: Model): readonly Resource[] => [...resources.values()].filter(({ key }) => key)

export function entitiesField(types: Types): FieldConfig {
  const any = types.shared(
    "_Any",
    (name) =>
      new GraphQLScalarType({ name, description: "An object with `__typename` and the members of a key." }),
  )
  const entity = types.shared(
    "_Entity",
    (name) =>
      new GraphQLUnionType({
        name,
        description: "Any record that has a key.",
        types: () => keyed(types.model).map((resource) => recordType(types, resource)),
      }),
  )
  return {
    type: new GraphQLNonNull(new GraphQLList(entity)),
    args: { representations: { type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(any))) } },
    description: `Records by their keys, in this order; at most ${types.model.limits.page.max}.`,
  }
}

/** @param text of the schema; graphql-js answers the field with it, as it answers introspection */
export function serviceField(types: Types, text: () => string): FieldConfig {
  const type = types.shared(
    "_Service",
    (name) =>
      new GraphQLObjectType({
        name,
        description: "This subgraph.",
        fields: { sdl: { type: new GraphQLNonNull(GraphQLString), description: "Its schema." } },
      }),
  )
  return {
    type: new GraphQLNonNull(type),
    description: "This subgraph, for a gateway of Apollo Federation.",
    resolve: () => ({ sdl: text() }),
  }
}

/** Members of each key: `id`, and the members of each unique key. */
const keysOf = (resource: Resource): readonly (readonly string[])[] => [
  ["id"],
  ...resource.uniques.map(({ members }) => members.map((member) => subjectName(resource, member))),
]

/** Roots that are about this service, not about the graph of all of them. */
const localRoots: ReadonlySet<string> = new Set(["viewer", "node", "nodes", "events", "entities"])

/** Equal in all services. */
const shareable: ReadonlySet<string> = new Set(["PageInfo", "TransitionReason"])

const link = parse(
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key", "@shareable"])',
)

/** @param text of the whole schema */
export function federated(model: Model, text: string): string {
  const local = new Set(
    [...rootFields(model)].filter(([, { kind }]) => localRoots.has(kind)).map(([name]) => name),
  )
  const resources = new Map(keyed(model).map((resource) => [resource.type, resource]))
  const document = visit(parse(text), {
    // Composition knows neither.
    DirectiveDefinition: () => null,
    InputObjectTypeDefinition: (node) => ({
      ...node,
      directives: node.directives?.filter(({ name }) => name.value !== "oneOf") ?? [],
    }),
    ObjectTypeDefinition: (node) => {
      const { name, fields = [] } = node
      if (name.value === "Query")
        return {
          ...node,
          fields: fields.filter((field) => !local.has(field.name.value) && field.name.value !== "_service"),
        }
      const resource = resources.get(name.value)
      if (resource) return { ...node, directives: keyDirectives(resource, node) }
      return shareable.has(name.value) ? { ...node, directives: [directive("shareable")] } : node
    },
  })
  return `${print(link)}\n\n${print(reachable(document))}\n`
}

function keyDirectives(resource: Resource, { fields = [] }: ObjectTypeDefinitionNode) {
  const known = new Set(fields.map(({ name }) => name.value))
  return keysOf(resource)
    .filter((members) => members.every((member) => known.has(member)))
    .map((members) => directive("key", members.join(" ")))
}

const directive = (name: string, fields?: string): ConstDirectiveNode => ({
  kind: Kind.DIRECTIVE,
  name: { kind: Kind.NAME, value: name },
  ...(fields !== undefined && {
    arguments: [
      {
        kind: Kind.ARGUMENT,
        name: { kind: Kind.NAME, value: "fields" },
        value: { kind: Kind.STRING, value: fields },
      },
    ],
  }),
})

/** Leaves out the types that only the local roots lead to. */
function reachable(document: DocumentNode): DocumentNode {
  const types = new Map(
    document.definitions.flatMap((definition) =>
      "name" in definition && definition.name ? [[definition.name.value, definition] as const] : [],
    ),
  )
  const seen = new Set<string>()
  const waiting = ["Query", "Mutation", "Subscription", ...rootless(types)]
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const definition = types.get(name)
    if (!definition || seen.has(name)) continue
    seen.add(name)
    visit(definition, { NamedType: ({ name: { value } }: NamedTypeNode) => void waiting.push(value) })
  }
  const kept = document.definitions.filter(
    (definition) => !("name" in definition && definition.name) || seen.has(definition.name.value),
  )
  return { ...document, definitions: kept }
}

/** Records are entities, to which other subgraphs lead. */
const rootless = (types: ReadonlyMap<string, DefinitionNode>): readonly string[] =>
  [...types].flatMap(([name, definition]) =>
    definition.kind === Kind.OBJECT_TYPE_DEFINITION &&
    definition.directives?.some((one) => one.name.value === "key")
      ? [name]
      : [],
  )
