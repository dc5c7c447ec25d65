// The subject of a command: a service file, or a database that is served as it is.
import { closeSync, existsSync, openSync, readSync, statSync } from "node:fs"
import { basename, extname } from "node:path"
import { refusal } from "../base/problem.ts"
import type { ServiceDeclaration } from "../model/declaration/declaration.ts"
import type { Note } from "../model/introspection/catalog.ts"
import type { Model } from "../model/model.ts"
import { loadService } from "../plan/access/policies.ts"
import { inspect } from "../storage/introspection/inspect.ts"
import { loadWritten } from "./load-written.ts"
import { readServiceFile } from "./service-file.ts"

export type Source =
  | { readonly kind: "file"; readonly file: string }
  /** An address as storage understands it: `postgres://…`, or a SQLite file's. */
  | { readonly kind: "database"; readonly url: string }

export interface Opened {
  readonly declaration: ServiceDeclaration
  readonly model: Model
  /** Parts of a database that are not served, or served otherwise. */
  readonly notes: readonly Note[]
}

const fileEndings = new Set([".ts", ".mts", ".cts", ".js", ".mjs", ".cjs"])
const usualFiles = ["service.ts", "service.js", "service.mjs"] as const

const forms =
  "Give a service file (service.ts), a SQLite file (shop.db), or postgres://user:password@host/database."

/** Throws a Refusal when nothing is meant by it. */
export function findSource(given: string | undefined): Source {
  if (given === undefined) {
    const usual = usualFiles.find((name) => existsSync(name))
    if (usual !== undefined) return { kind: "file", file: usual }
    throw refusal("invalid_command", "Nothing says which service is meant: there is no service.ts here.", {
      hint: forms,
    })
  }
  if (isServiceFile(given)) return { kind: "file", file: given }
  if (/^[a-z][a-z0-9+.-]+:/i.test(given)) return { kind: "database", url: given }
  if (!existsSync(given)) throw refusal("invalid_command", `There is no file ${given}.`, { hint: forms })
  if (!statSync(given).isFile()) throw refusal("invalid_command", `${given} is not a file.`, { hint: forms })
  if (!isSqlite(given))
    throw refusal("invalid_command", `${given} is neither a service file nor a SQLite database.`, {
      hint: forms,
    })
  return { kind: "database", url: given }
}

/** By its ending; it may be missing. */
export const isServiceFile = (given: string): boolean => fileEndings.has(extname(given).toLowerCase())

/** https://www.sqlite.org/fileformat.html section 1.3; an empty file is an empty database. */
function isSqlite(file: string): boolean {
  const head = Buffer.alloc(16)
  const handle = openSync(file, "r")
  const length = readSync(handle, head, 0, head.length, 0)
  closeSync(handle)
  return length === 0 || head.toString("latin1") === "SQLite format 3\0"
}

export async function openSource(source: Source): Promise<Opened> {
  if (source.kind === "file") {
    const declaration = await readServiceFile(source.file)
    return { declaration, model: loadWritten(declaration), notes: [] }
  }
  const { declare } = await import("../model/introspection/declare.ts")
  const { withoutSystemTables } = await import("./system-tables.ts")
  const catalog = withoutSystemTables(await inspect(source.url))
  const { declaration, notes } = declare(catalog, nameOf(source.url))
  return { declaration, model: loadService(declaration), notes }
}

/** A service's name from a database's address: `chinook` for `./data/chinook.sqlite`, never with a password in it. */
export function nameOf(url: string): string {
  const path =
    /^postgres(ql)?:/i.test(url) && URL.canParse(url) ? new URL(url).pathname : url.replace(/[?#].*$/, "")
  const name = basename(path)
    .replace(/^(sqlite|file):/i, "")
    .replace(/\.[^.]+$/, "")
    .normalize("NFD")
    .replace(/[^A-Za-z0-9]+/g, "-")
    .replace(/^[-0-9]+|-+$/g, "")
  return name === "" ? "service" : name
}
