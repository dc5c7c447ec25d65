// A service with the resources of Bifold's own that its declaration asks for.
import { refusal } from "../base/problem.ts"
import type { ResourceDeclaration, ServiceDeclaration } from "../model/declaration/declaration.ts"
import { keyOf } from "../model/declaration/keys.ts"
import { parseDeclaration } from "../model/declaration-schema.ts"
import { anonymousTier } from "../model/limits.ts"
import { apiKey, apiKeyResource } from "./api-key.ts"
import { graphqlDocument, graphqlDocumentResource } from "./graphql-document.ts"

/** To be loaded in place of what was written. Throws a Refusal when that is misshapen, or has what is to be added. */
export function withSystem(written: ServiceDeclaration): ServiceDeclaration {
  if (!written.identity && written.documents === undefined) return written
  const declaration = parseDeclaration(written)
  const added = { ...keysOf(declaration), ...documentsOf(declaration) }
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

function keysOf(declaration: ServiceDeclaration): Added {
  const { viewer, roles, scopes, identity: { keys } = {} } = declaration
  if (keys === undefined) return {}
  refuseClash(declaration, apiKey, "identity.keys")
  const owned = viewer !== undefined && keyOf(declaration, viewer)?.parts.length === 1
  const added = apiKeyResource(
    {
      owners: owned ? viewer : undefined,
      roles,
      scopes,
      tiers: Object.keys(declaration.limits?.tiers ?? {}).filter((name) => name !== anonymousTier),
    },
    keys === true ? undefined : keys.manage,
  )
  return { [apiKey]: added }
}
