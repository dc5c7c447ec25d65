// The subject of a command: a service file, or a database that is served as it is.
import { closeSync, existsSync, openSync, readSync, statSync } from "node:fs"
import { basename, extname } from "node:path"
import { type Problem, Refusal, refusal } from "../base/problem.ts"
import type { ServiceDeclaration } from "../model/declaration/declaration.ts"
import { writtenAt } from "../model/declaration/source-place.ts"
import type { Note } from "../model/introspection/catalog.ts"
import type { Model } from "../model/model.ts"
import { apiKey } from "../model/system/api-key.ts"
import { withSystem } from "../model/system/with-system.ts"
import { modelAt } from "../model/versions/model-at.ts"
import { loadService } from "../plan/access/policies.ts"
import { inspect } from "../storage/introspection/inspect.ts"
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

// Loads a service with Bifold's own resources, and reports mistakes at their place in the service file.

/** Throws a Refusal with every mistake, each once, with its place and, where a builder of it was called, file and line. */
export function loadWritten(written: ServiceDeclaration): Model {
  try {
    return loadService(withSystem(written))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const [first, ...rest] = once(error.problems.map((problem) => placed(written, problem)))
    throw first ? new Refusal([first, ...rest], { cause: error }) : error
  }
}

function placed(written: ServiceDeclaration, problem: Problem): Problem {
  if (problem.place === undefined) return problem
  const place = ownPlace(written, problem.place)
  const source = writtenAt(written, place)
  return { ...problem, place, ...(source && { source }) }
}

type Place = NonNullable<Problem["place"]>

/** Rules of Bifold's own resources are made of `manage` and `grant`: a mistake in them is reported there. */
export function ownPlace({ resources, identity, webhooks }: ServiceDeclaration, place: Place): Place {
  const [first, name, member, granted, , ...within] = place
  if (first !== "resources" || typeof name !== "string" || Object.hasOwn(resources ?? {}, name)) return place
  const [from, declared] =
    name === apiKey
      ? ([["identity", "keys"], identity?.keys] as const)
      : name.startsWith("webhook")
        ? ([["webhooks"], webhooks] as const)
        : []
  if (!from) return place
  if (member === "grants" && granted !== undefined) return [...from, "grant", granted, ...within]
  const manage = typeof declared === "object" ? declared.manage : undefined
  // The rule may be about an action, a field or a transition.
  const rule = member === "allow" ? 4 : place.findIndex((step) => step === "write" || step === "allow") + 1
  const [index, ...rest] = place.slice(rule)
  if (rule === 0 || manage === undefined || typeof index !== "number") return from
  if (!Array.isArray(manage)) return index === 0 ? [...from, "manage", ...rest] : from
  return index < manage.length ? [...from, "manage", index, ...rest] : from
}

function once(problems: readonly Problem[]): readonly Problem[] {
  const known = new Map(problems.map((it) => [JSON.stringify([it.place, it.message]), it]))
  return [...known.values()]
}

// The version of the API that `--api-version` names.
export function versionOf(model: Model, version: string | undefined): Model {
  const names = model.versions?.map(({ name }) => name) ?? []
  if (version === undefined) return model
  if (names.includes(version)) return modelAt(model, version)
  throw refusal("invalid_command", `There is no version ${JSON.stringify(version)} of this API.`, {
    hint: names.length === 0 ? "The service has no versions." : `There are: ${names.join(", ")}.`,
  })
}

// Questions to try a service with: what `bifold serve` prints as links to open.
export interface Samples {
  /** A GraphQL document. */
  readonly graphql: string
  /** A path with its parameters, below the base. */
  readonly rest: string
}

/** A short list of the first resource that has something to show. */
export function samplesOf(model: Model): Samples {
  const resources = [...model.resources.values()]
  const shown = resources.find(({ key, fields }) => key !== undefined && fields.size > 0) ?? resources[0]
  if (shown === undefined) return { graphql: "{ __typename }", rest: "/openapi.json" }
  const fields = [...(shown.key ? ["id"] : []), ...[...shown.fields.keys()].slice(0, 3)]
  return {
    graphql: `{ ${shown.collection}(first: 3) { nodes { ${fields.join(" ")} } } }`,
    rest: `/${shown.path}?limit=3`,
  }
}
