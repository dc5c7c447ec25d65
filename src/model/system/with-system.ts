// A service with the resources of Bifold's own that its declaration asks for.
import { refusal } from "../../base/problem.ts"
import { isLogged } from "../build/history.ts"
import type { ResourceDeclaration, ServiceDeclaration } from "../declaration/declaration.ts"
import { keyOf } from "../declaration/keys.ts"
import { ownEventType } from "../declaration/own-events.ts"
import { machinesIn, statesIn } from "../declaration/states.ts"
import { parseDeclaration } from "../language/declaration.ts"
import { anonymousTier } from "../limits.ts"
import { apiKey, apiKeyResource } from "./api-key.ts"
import { graphqlDocument, graphqlDocumentResource } from "./graphql-document.ts"
import { versionPin, versionPinResource, versionUse, versionUseResource } from "./version-use.ts"
import { webhookEndpoint, webhookResources } from "./webhooks.ts"

/** The declaration with Bifold's own resources. Throws a Refusal if it is malformed, or already has one of them. */
export function withSystem(written: ServiceDeclaration): ServiceDeclaration {
  const asking = [written.identity, written.documents, written.webhooks, written.versions]
  if (asking.every((part) => part === undefined)) return written
  const declaration = parseDeclaration(written)
  const added = {
    ...keysOf(declaration),
    ...documentsOf(declaration),
    ...webhooksOf(declaration),
    ...usageOf(declaration),
  }
  if (Object.keys(added).length === 0) return written
  return { ...declaration, resources: { ...declaration.resources, ...added } }
}

type Added = Readonly<Record<string, ResourceDeclaration>>

/** @param reason the member of the declaration that asks for the resource */
function refuseClash({ resources }: ServiceDeclaration, name: string, reason: string): void {
  if (Object.hasOwn(resources, name))
    throw refusal("invalid_declaration", `A service with \`${reason}\` has a resource "${name}" already.`, {
      place: ["resources", name],
      hint: `Give yours another name, or leave out ${reason}.`,
    })
}

function documentsOf(declaration: ServiceDeclaration): Added {
  if (declaration.documents === undefined) return {}
  refuseClash(declaration, graphqlDocument, "documents")
  return { [graphqlDocument]: graphqlDocumentResource() }
}

function webhooksOf(declaration: ServiceDeclaration): Added {
  const { viewer, roles = [], scopes = [], webhooks } = declaration
  if (webhooks === undefined) return {}
  const { manage, grant, expires, networks = [] } = webhooks === true ? {} : webhooks
  const added = webhookResources({
    owners: ownersOf(declaration, viewer),
    roles,
    scopes,
    types: eventTypes(declaration),
    networks,
    versions: Object.keys(declaration.versions ?? {}),
    ...(manage !== undefined && { manage }),
    ...(grant !== undefined && { grant }),
    expires,
  })
  for (const name of Object.keys(added)) refuseClash(declaration, name, "webhooks")
  return added
}

function usageOf(declaration: ServiceDeclaration): Added {
  const { versions, usage = declaration.managed !== false, identity } = declaration
  if (versions === undefined || usage === false) return {}
  refuseClash(declaration, versionUse, "versions")
  refuseClash(declaration, versionPin, "versions")
  return {
    [versionUse]: versionUseResource(usage === true ? undefined : usage.read),
    ...(identity?.jwt && { [versionPin]: versionPinResource() }),
  }
}

/** Types of the resources whose history can be read, and of keys and endpoints; `order.*` for all of an order's. */
function eventTypes(declaration: ServiceDeclaration): readonly string[] {
  const { resources, identity } = declaration
  const own = Object.entries(resources).filter(([, resource]) => isLogged(resource))
  return [
    ...own.flatMap(([name, { states, events }]) => [
      `${name}.*`,
      ...["created", "updated", "deleted", "left"].map((kind) => `${name}.${kind}`),
      ...Object.values(machinesIn(states)).flatMap((machine) =>
        statesIn(machine).map((state) => `${name}.${state}`),
      ),
      ...Object.keys(events ?? {}).map((event) => ownEventType(name, event)),
    ]),
    ...(identity?.keys && hasLog(declaration) ? ["*", "created", "updated", "deleted", "left"] : []).map(
      (kind) => `${apiKey}.${kind}`,
    ),
    `${webhookEndpoint}.disabled`,
  ]
}

/** Existing tables get no log for the keys alone. */
const hasLog = ({ managed, resources }: ServiceDeclaration): boolean =>
  managed !== false || Object.values(resources).some(isLogged)

/** The resource whose records sign in, if its key is a single column. */
const ownersOf = (declaration: ServiceDeclaration, viewer: string | undefined): string | undefined =>
  viewer !== undefined && keyOf(declaration, viewer)?.parts.length === 1 ? viewer : undefined

function keysOf(declaration: ServiceDeclaration): Added {
  const { viewer, roles, scopes, identity: { keys } = {} } = declaration
  if (keys === undefined) return {}
  refuseClash(declaration, apiKey, "identity.keys")
  const { manage, grant, expires } = keys === true ? {} : keys
  const added = apiKeyResource({
    owners: ownersOf(declaration, viewer),
    roles,
    scopes,
    tiers: Object.keys(declaration.limits?.tiers ?? {}).filter((name) => name !== anonymousTier),
    versions: Object.keys(declaration.versions ?? {}),
    manage,
    grant,
    expires,
    history: hasLog(declaration),
  })
  return { [apiKey]: added }
}
