// Recognizes the tables that Bifold keeps for itself in a database that it serves as it is: digests of keys, the log,
// leases.
import { budgetTable } from "../access/limits/budget-table.ts"
import type { Catalog, CatalogTable, Note } from "../model/introspection/catalog.ts"
import { snakeCase } from "../model/names.ts"
import { apiKey, apiKeyResource } from "../model/system/api-key.ts"
import { graphqlDocument } from "../model/system/graphql-document.ts"
import { versionPin, versionUse } from "../model/system/version-use.ts"
import { webhookDelivery, webhookEndpoint, webhookSecret } from "../model/system/webhooks.ts"
import {
  epochTable,
  handlerRecordTable,
  handlerTable,
  idempotencyTable,
  leaseTable,
  logTable,
} from "../sql/schema/system-tables.ts"

/** The catalog without them, and a note of each. */
export function withoutSystemTables(catalog: Catalog): Catalog {
  const own = catalog.tables.filter(isSystem)
  if (own.length === 0) return catalog
  return {
    ...catalog,
    tables: catalog.tables.filter((table) => !own.includes(table)),
    notes: [...catalog.notes, ...own.map(leftOut)],
  }
}

/** Compares columns too: an unmanaged table may have the same name. */
function isSystem({ kind, name, columns }: CatalogTable): boolean {
  const wanted = kind === "table" ? signs.get(name.toLowerCase()) : undefined
  const held = new Set(columns.map((column) => column.name))
  return wanted?.every((column) => held.has(column)) === true
}

/** Columns that each has had since it was first made, so that a database of an earlier version is known too. */
const signs: ReadonlyMap<string, readonly string[]> = new Map([
  [idempotencyTable.name, ["scope", "key", "fingerprint", "answer"]],
  [logTable.name, ["seq", "resource", "record", "old", "new"]],
  [epochTable.name, ["begins", "name", "start"]],
  [handlerTable.name, ["name", "position"]],
  [handlerRecordTable.name, ["handler", "record", "position"]],
  [budgetTable.name, budgetTable.columns],
  [leaseTable.name, ["name", "holder", "until"]],
  [snakeCase(apiKey), keyColumns()],
  [snakeCase(graphqlDocument), ["id", "document_id", "text", "created_at"]],
  [snakeCase(versionUse), ["id", "version", "client", "day", "requests", "members"]],
  [snakeCase(versionPin), ["id", "caller", "version", "created_at"]],
  [snakeCase(webhookEndpoint), ["id", "url", "types", "payload", "public_key", "seed"]],
  [snakeCase(webhookSecret), ["id", "public_key", "seed", "created_at"]],
  [snakeCase(webhookDelivery), ["id", "event", "status", "attempts", "log", "next_at"]],
])

function keyColumns(): readonly string[] {
  const { secret } = apiKeyResource({ owners: undefined, roles: undefined, scopes: undefined })
  return ["id", secret?.digest ?? "", secret?.hint ?? "", "roles", "scopes", "expires_at", "last_used_at"]
}

const leftOut = ({ schema, name }: CatalogTable): Note => ({
  place: schema === undefined ? [name] : [schema, name],
  what: "not served",
  reason: "Bifold keeps what it needs for itself in it",
  hint: "Ask the service that it belongs to, or serve a view of it.",
})
