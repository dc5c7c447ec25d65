// The folders of test/cases: what each asks, with the cursors that its questions stand for.
import assert from "node:assert/strict"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { OpenService } from "./open-service.ts"

export const caseFolder = join(import.meta.dirname, "..", "cases")
export const caseNames = readdirSync(caseFolder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name)

export interface Case {
  readonly name: string
  readonly service: "storefront" | "gallery"
  /** Who asks, in the words of `--as`; everybody of a service without rules when absent. */
  readonly as?: string
  readonly graphql?: { readonly query: string; readonly variables: Record<string, unknown> }
  readonly http?: string
  /** Why the form of the statement is the behaviour; only such a case keeps its SQL. */
  readonly reasonForSql?: string
}

export function readCase(name: string): Case {
  const read = (file: string): string | undefined =>
    existsSync(join(caseFolder, name, file)) ? readFileSync(join(caseFolder, name, file), "utf8") : undefined
  const query = read("request.graphql")
  const http = read("request.http")
  const as = read("as")?.trim()
  const reasonForSql = read("sql.txt")?.trim()
  return {
    ...(as !== undefined && { as }),
    name,
    service: read("service")?.trim() === "gallery" ? "gallery" : "storefront",
    ...(query === undefined
      ? {}
      : { graphql: { query, variables: JSON.parse(read("variables.json") ?? "{}") } }),
    ...(http === undefined ? {} : { http }),
    ...(reasonForSql !== undefined && { reasonForSql }),
  }
}

/** `<after:products:-price:6>`: the cursor of the sixth row of that list. */
export async function placeCursors(text: string, service: OpenService): Promise<string> {
  let placed = text
  for (const [whole, path = "", sort = "", position = ""] of text.matchAll(
    /<after:([a-z-]+):(?:([^>]*):)?(\d+)>/g,
  ))
    placed = placed.replace(whole, await cursorAfter(service, { path, sort, position: Number(position) }))
  return placed
}

async function cursorAfter(
  service: OpenService,
  list: { readonly path: string; readonly sort: string; readonly position: number },
): Promise<string> {
  let cursor = ""
  for (let left = list.position; left > 0; left -= 100) {
    const query = new URLSearchParams({ limit: String(Math.min(left, 100)), fields: "id" })
    if (list.sort !== "") query.set("sort", list.sort)
    if (cursor !== "") query.set("after", cursor)
    const response = await service.rest({ method: "GET", path: `/${list.path}`, query: String(query) })
    assert.equal(response.status, 200, response.body)
    cursor = JSON.parse(response.body).page.next
  }
  return cursor
}
