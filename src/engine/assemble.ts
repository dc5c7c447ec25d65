// The columns that a statement gave, put in the place of the roots that they answer.
import { present } from "../base/invariant.ts"
import type { Json } from "../base/json.ts"
import { unrepresentable } from "../plan/marks.ts"
import type { Answer, ReadPlan, Root } from "../plan/types.ts"
import type { Statement } from "../sql/statement.ts"

export function assemble(plan: ReadPlan, statement: Statement, texts: readonly (Json | null)[]): Answer {
  const flawed = (roots: readonly (Json | null)[]): boolean =>
    statement.flaws && roots.some((text) => text?.includes(unrepresentable))
  const columns = plan.roots.map((root, index) => {
    if (root.kind === "constant") return root.json
    return texts[present(statement.columns[index], "a root of records has a column")] ?? null
  })
  if (!plan.roots.some(isVersioned)) return { roots: columns, flawed: flawed(columns) }
  const split = plan.roots.map((root, index) => splitVersion(root, columns[index] ?? null))
  const roots = split.map(({ json }) => json)
  return { roots, flawed: flawed(roots), versions: split.map(({ version }) => version ?? null) }
}

const isVersioned = (root: Root): boolean => root.kind === "record" && root.versioned === true

/** The version stands before the first space. */
export function splitVersion(
  root: Root,
  json: Json | null,
): { readonly json: Json | null; readonly version?: string } {
  if (json === null || !isVersioned(root)) return { json }
  const space = typeof json === "string" ? json.indexOf(" ") : json.indexOf(0x20)
  return typeof json === "string"
    ? { version: json.slice(0, space), json: json.slice(space + 1) }
    : { version: json.toString("latin1", 0, space), json: json.subarray(space + 1) }
}
