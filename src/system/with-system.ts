// A service with the resources of Bifold's own that its declaration asks for.
import { refusal } from "../base/problem.ts"
import type { ServiceDeclaration } from "../model/declaration/declaration.ts"
import { keyOf } from "../model/declaration/keys.ts"
import { parseDeclaration } from "../model/declaration-schema.ts"
import { anonymousTier } from "../model/limits.ts"
import { apiKey, apiKeyResource } from "./api-key.ts"

/** To be loaded in place of what was written. Throws a Refusal when that is misshapen, or has what is to be added. */
export function withSystem(written: ServiceDeclaration): ServiceDeclaration {
  if (!written.identity) return written
  const declaration = parseDeclaration(written)
  const { keys } = declaration.identity ?? {}
  if (keys === undefined) return written
  if (Object.hasOwn(declaration.resources, apiKey))
    throw refusal("invalid_declaration", `A service with keys has a resource "${apiKey}" already.`, {
      place: ["resources", apiKey],
      hint: "Give yours another name, or leave out identity.keys.",
    })
  const { viewer, roles, scopes } = declaration
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
  return { ...declaration, resources: { ...declaration.resources, [apiKey]: added } }
}
