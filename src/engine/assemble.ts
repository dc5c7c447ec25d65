// Puts the columns of a row in the place of the plan's roots.
import { invariant, present } from "../base/invariant.ts"
import { isText, type Json, type JsonText, piecesOf } from "../base/json.ts"
import { unrepresentable } from "../plan/placeholders.ts"
import type { Answer, ReadPlan, Root } from "../plan/read-plan.ts"
import type { Statement } from "../sql/statement.ts"

export function assemble(plan: ReadPlan, statement: Statement, texts: readonly (Json | null)[]): Answer {
  const columns = plan.roots.map((root, index) => {
    if (root.kind === "constant") return root.json
    return texts[present(statement.columns[index], "a root of records has a column")] ?? null
  })
  const { roots, versions } = withVersions(plan.roots, columns)
  const flawed = statement.flaws && roots.some((json) => json !== null && isFlawed(json))
  return versions ? { roots, flawed, versions } : { roots, flawed }
}

/** @param created for each step, whether its upsert made the record; undefined where it has none */
export function assembleWritten(
  answers: readonly Root[],
  texts: readonly (JsonText | null)[],
  created: readonly (boolean | undefined)[],
): Answer {
  const { roots, versions } = withVersions(answers, texts)
  return {
    roots,
    flawed: roots.some((root) => root !== null && isFlawed(root)),
    ...(versions && { versions }),
    ...(created.some((one) => one !== undefined) && { created: created.map((one) => one === true) }),
  }
}

/** The JSON of each root, and the record versions that were printed before it. */
function withVersions(
  roots: readonly Root[],
  texts: readonly (Json | null)[],
): Pick<Answer, "roots" | "versions"> {
  if (!roots.some(isVersioned)) return { roots: texts }
  const split = roots.map((root, index) => splitVersion(root, texts[index] ?? null))
  return { roots: split.map(({ json }) => json), versions: split.map(({ version }) => version ?? null) }
}

const isFlawed = (json: Json): boolean =>
  isText(json)
    ? json.includes(unrepresentable)
    : piecesOf(json).some((piece) => piece.includes(unrepresentable))

const isVersioned = (root: Root): boolean => root.kind === "record" && root.versioned === true

/** The version stands before the first space. */
function splitVersion(
  root: Root,
  json: Json | null,
): { readonly json: Json | null; readonly version?: string } {
  if (json === null || !isVersioned(root)) return { json }
  if (isText(json)) {
    const space = json.indexOf(" ")
    return { version: json.slice(0, space), json: json.slice(space + 1) }
  }
  const [first, ...rest] = piecesOf(json)
  invariant(first, "what has a version is not empty")
  const space = first.indexOf(0x20)
  return { version: first.toString("latin1", 0, space), json: [first.subarray(space + 1), ...rest] }
}
