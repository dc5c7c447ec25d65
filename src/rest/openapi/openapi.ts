// `GET /openapi.json`: the service described in OpenAPI 3.1, derived from the Model like everything this face does.
import type { JsonValue } from "../../base/json.ts"
import { csv, ndjson } from "../../http/accept.ts"
import { hasEvents } from "../../http/changes.ts"
import { type Detail, defaultDetail } from "../../http/schemas/values.ts"
import type { Model } from "../../model/model.ts"
import { batchOperation, callOperations } from "./calls.ts"
import type { Json } from "./components.ts"
import { eventReads, webhookItems } from "./events.ts"
import { generalTag, type Paths, pathsOf } from "./operations.ts"
import { generalReads, resourceReads } from "./reads.ts"
import { ruledService } from "./ruled-service.ts"
import { securePaths, securitySchemes, signedIn, strangersModel } from "./security.ts"
import { type Describing, startDescribing } from "./values.ts"
import { resourceWrites } from "./writes.ts"

/** The document; what clients generate types from when the detail is absent. */
export interface OpenapiOptions extends Partial<Detail> {
  /** The path before all others, without a slash at the end; empty when absent. */
  readonly base?: string
}

/** Linters of OpenAPI documents want a license, with the identifier or the URL that OpenAPI requires. */
const notStated = { name: "Not stated by the service", identifier: "LicenseRef-not-stated" } as const

/** The document (https://spec.openapis.org/oas/v3.1.1.html). Schemas are draft 2020-12. */
export function openapi(model: Model, { base = "", ...asked }: OpenapiOptions = {}): JsonValue {
  const detail = { ...defaultDetail, ...asked }
  const { describing, paths: described } = describePaths(model, detail)
  const service = ruledService(model)
  const paths = service
    ? securePaths(describing, described, describePaths(strangersModel(service, model.version), detail).paths)
    : described
  const sent = webhookItems(describing)
  return {
    openapi: "3.1.1",
    info: {
      title: model.title,
      description: descriptionOf(describing),
      version: model.about?.version ?? "1",
      license: { ...(model.about?.licence ?? notStated) },
      ...(model.about?.contact && { contact: { ...model.about.contact } }),
    },
    servers: [{ url: base === "" ? "/" : base }],
    security: service ? signedIn : [],
    tags: [
      ...[...model.resources.values()].map(({ type, description, collection }) => ({
        name: type,
        description: description ?? `The ${collection} of the service.`,
      })),
      { name: generalTag, description: "Records of any kind, and this description." },
    ],
    paths: Object.fromEntries([...paths].map(([path, item]) => [path, shareParameters(item)])),
    ...(sent && { webhooks: sent }),
    components: {
      ...describing.components.all(),
      ...(service && { securitySchemes: securitySchemes(service) }),
    },
  }
}

/** The description of the service, and of all operations: their own ones do not say it again. */
function descriptionOf({ model }: Describing): string {
  const forms = `Lists are there as a table and as lines too: \`Accept: ${csv.name}\`, \`${ndjson.name}\`.`
  return [
    model.description ?? "Resources of the service, and their operations.",
    "`id` is the global id of a record; a name with `Id` after it, such as `customerId`, is the id of the related record. Visible is what the caller may see. `fields` chooses among the members, but `id` is always there; `etag` is there where `fields` names it.",
    "`include` puts related records into each record; `include[path][fields]`, `[filter]`, `[limit]` and so on ask of them what those parameters ask of the whole.",
    hasEvents(model) ? `${forms} \`live=true\` keeps an answer up to date by server-sent events.` : forms,
    "The id of a record leads to all that a unique key does, as in `/orders/number=A-1`; an input may repeat what its address says. Other members than those that are described are refused.",
  ].join("\n\n")
}

interface Described {
  readonly describing: Describing
  readonly paths: Paths
}

function describePaths(model: Model, detail: Detail): Described {
  const resources = [...model.resources.values()]
  const describing = startDescribing(model, detail)
  const writes = [
    ...resources.flatMap((resource) => resourceWrites(describing, resource)),
    ...callOperations(describing),
  ]
  const reads = [
    ...resources.flatMap((resource) => resourceReads(describing, resource)),
    ...generalReads(describing),
    ...eventReads(describing),
  ]
  const batch = writes.some(({ method }) => method !== "get") ? [batchOperation(describing)] : []
  return { describing, paths: pathsOf([...reads, ...writes, ...batch], writes) }
}

// Path items of the OpenAPI document: what all operations of an address take is said once, for the address.

/** @param item operations by method */
export function shareParameters(item: Json): Json {
  const operations = Object.entries(item as Readonly<Record<string, Json>>)
  const [first = [], ...others] = operations.map(([, operation]) => parametersOf(operation))
  const common = first.filter((parameter) => others.every((list) => list.includes(parameter)))
  if (others.length === 0 || common.length === 0) return item
  const shared = new Set(common)
  return {
    parameters: common.map((parameter) => JSON.parse(parameter)),
    ...Object.fromEntries(
      operations.map(([method, operation]) => {
        const own = parametersOf(operation).filter((parameter) => !shared.has(parameter))
        const members = Object.entries(operation).flatMap(([name, value]): [string, JsonValue][] => {
          if (name !== "parameters") return [[name, value]]
          return own.length === 0 ? [] : [[name, own.map((parameter) => JSON.parse(parameter))]]
        })
        return [method, Object.fromEntries(members)]
      }),
    ),
  }
}

/** As texts, which are equal where they say the same. */
const parametersOf = ({ parameters }: Json): readonly string[] =>
  ((parameters ?? []) as readonly JsonValue[]).map((parameter) => JSON.stringify(parameter))
