// declare: from a Catalog to a declaration in the language, with notes on parts that are not served, or served otherwise.
import { refusal } from "../../base/problem.ts"
import type { ServiceDeclaration } from "../declaration/declaration.ts"
import { compareText } from "./api-names.ts"
import type { Catalog, Note } from "./catalog.ts"
import { openEntries } from "./draft-resources.ts"
import { type Draft, draftTable } from "./draft-tables.ts"
import { enumFinder, nameEnums } from "./enums.ts"
import { findJoins, findLinks } from "./foreign-keys.ts"
import { declareRelations } from "./relations.ts"
import { declareResource } from "./resource-declaration.ts"

export interface Declared {
  readonly declaration: ServiceDeclaration
  readonly notes: readonly Note[]
}

/** The service of a database. Throws a Refusal when no table can be served. */
export function declare(catalog: Catalog, name: string): Declared {
  const notes: Note[] = [...catalog.notes]
  const findEnum = enumFinder(catalog)
  const drafts = catalog.tables
    .map((table) => draftTable(table, findEnum, notes))
    .filter((draft): draft is Draft => draft !== undefined)
  if (drafts.length === 0) throw empty(notes)
  const links = findLinks(drafts, notes)
  const joins = findJoins(links)
  const joining = new Set(joins.map(({ table }) => table))
  const served = drafts.filter((draft) => !joining.has(draft))
  const entries = openEntries(served, { links, schemas: catalog.schemas, notes })
  declareRelations(entries, joins, notes)
  const enums = nameEnums(catalog, entries)
  const roots = new Set(entries.flatMap(({ name, collection }) => [name, collection]))
  const resources = Object.fromEntries(
    entries.map((entry) => [entry.name, declareResource(entry, { enums, roots, notes })]),
  )
  return { declaration: { name, managed: false, ...enums.declared(), resources }, notes: sorted(notes) }
}

function empty(notes: readonly Note[]): Error {
  const seen = notes.map(({ place, reason }) => `${place.join(".")}: ${reason}`)
  const hint = seen.length > 0 ? `Found: ${seen.join("; ")}.` : "Create tables first, or check the address."
  return refusal("empty_database", "The database has no table that can be served.", { hint })
}

/** By place, so that notes on a table stand together. */
function sorted(notes: readonly Note[]): readonly Note[] {
  const text = ({ place }: Note) => place.join("\0")
  return notes.toSorted((a, b) => compareText(text(a), text(b)))
}
