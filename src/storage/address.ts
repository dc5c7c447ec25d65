// Database addresses: `postgres://…`, `sqlite:path`, `file:…`, `:memory:`, or a bare path of a SQLite file.
import { fileURLToPath } from "node:url"
import { refusal } from "../base/problem.ts"

export type Address =
  | { readonly kind: "sqlite"; readonly path: string; readonly shown: string }
  | {
      readonly kind: "postgres"
      /** For the driver: the address without Bifold's own parameters. */
      readonly url: string
      /** `?schemas=a,b` */
      readonly schemas: readonly string[]
      /** Host, port and database: never the password. */
      readonly shown: string
    }

/** Throws a Refusal when no database is meant by it. */
export function readAddress(address: string): Address {
  if (/^postgres(ql)?:/i.test(address)) return readPostgres(address)
  const scheme = /^([a-z][a-z0-9+.-]+):\/\//i.exec(address)?.[1]?.toLowerCase()
  if (scheme !== undefined && scheme !== "file" && scheme !== "sqlite") {
    throw refusal("storage_unavailable", `"${scheme}:" is no database that Bifold knows.`, { hint: forms })
  }
  const path = readPath(address)
  if (path === "") throw refusal("storage_unavailable", "The database's address is empty.", { hint: forms })
  return { kind: "sqlite", path, shown: path }
}

const forms = "Give the path of a SQLite file, or postgres://user:password@host:5432/database."

function readPath(address: string): string {
  if (/^file:\/\//i.test(address)) {
    try {
      return fileURLToPath(address)
    } catch {
      throw refusal("storage_unavailable", `"${address}" is not the address of a local file.`, {
        hint: forms,
      })
    }
  }
  return address.replace(/^(sqlite|file):(\/\/(?=\/|[^/]))?/i, "")
}

function readPostgres(address: string): Address {
  const [, authority = ""] = /^\w+:\/\/([^/?#]*)/.exec(address) ?? []
  const named = /[?&]host=([^&#]*)/i.exec(address)?.[1] ?? ""
  if (`${authority.slice(authority.lastIndexOf("@") + 1)}${named}`.replaceAll(/%2c/gi, ",").includes(","))
    throw refusal("storage_unavailable", "The address of the PostgreSQL database names several hosts.", {
      hint: "Its driver connects to one: give a name or an address that follows the primary, such as the address of a proxy.",
    })
  if (!URL.canParse(address)) {
    throw refusal("storage_unavailable", "The address of the PostgreSQL database cannot be read.", {
      hint: "Give postgres://user:password@host:5432/database, with special characters percent-encoded.",
    })
  }
  const url = new URL(address)
  const schemas = url.searchParams.getAll("schemas").flatMap((names) => names.split(",").filter(Boolean))
  url.searchParams.delete("schemas")
  const host = url.searchParams.get("host") ?? (url.hostname || "localhost")
  const port = url.searchParams.get("port") ?? (url.port || "5432")
  const database = decodeURIComponent(url.pathname.slice(1)) || "(the role's own)"
  return { kind: "postgres", url: url.href, schemas, shown: `${host}:${port}, database ${database}` }
}
