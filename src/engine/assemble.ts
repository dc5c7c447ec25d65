// Answers: the columns of a row in the place of the plan's roots, with their cursors signed.

import { invariant, present } from "../base/invariant.ts"
import { isText, type Json, type JsonPieces, type JsonText, piecesOf } from "../base/json.ts"
import type { Request } from "../base/request.ts"
import type { Cursors } from "../plan/draft/cursor.ts"
import {
  computedPlaceholder,
  cursorBegin,
  cursorEnd,
  formerPlaceholder,
  secretPlaceholder,
  unrepresentable,
} from "../plan/placeholders.ts"
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

// Replaces the marks that a statement left for cursors by sealed cursors.

/** The text in place of a secret's placeholder, by its slot. */
export type Reveal = (slot: number) => JsonText

/** @param scopes the scope for each mark's index: `Statement.cursors` */
export function signCursors(json: Json, scopes: readonly string[], cursors: Cursors, reveal?: Reveal): Json {
  const seal = (mark: string): JsonText =>
    mark.startsWith(computedPlaceholder) || mark.startsWith(formerPlaceholder)
      ? `${cursorBegin}${mark}${cursorEnd}`
      : mark.startsWith(secretPlaceholder)
        ? present(reveal, "only writes make secrets")(Number(mark.slice(secretPlaceholder.length)))
        : sealOne(mark, scopes, cursors)
  return isText(json) ? sealText(json, seal) : piecesOf(json).flatMap((bytes) => sealBytes(bytes, seal))
}

/** Marks the request when its answer shows a secret. */
export const revealing =
  (request: Request | undefined, reveal: Reveal): Reveal =>
  (slot) => {
    const text = reveal(slot)
    if (request && text !== "null") request.marks.isSecret = true
    return text
  }

type Seal = (mark: string) => JsonText

function sealText(text: JsonText, seal: Seal): JsonText {
  let begin = text.indexOf(cursorBegin)
  if (begin < 0) return text
  let out = ""
  let from = 0
  for (; begin >= 0; begin = text.indexOf(cursorBegin, from)) {
    const end = text.indexOf(cursorEnd, begin)
    invariant(end > begin, "a cursor's mark has an end")
    out += text.slice(from, begin) + seal(text.slice(begin + 1, end))
    from = end + 1
  }
  return out + text.slice(from)
}

const [beginByte, endByte] = [cursorBegin.charCodeAt(0), cursorEnd.charCodeAt(0)]

/** Bytes from which on copying takes longer than sending pieces. */
const long = 65_536
/** With more pieces, copying is faster. */
const mostPieces = 16

/** The marks are single bytes in UTF-8, which are part of no other character. */
function sealBytes(bytes: Buffer, seal: Seal): JsonPieces {
  const begin = bytes.indexOf(beginByte)
  if (begin < 0) return [bytes]
  return bytes.length < long ? [sealJoined(bytes, seal)] : sealApart(bytes, begin, seal)
}

/** As a string with one character per byte: many insertions are cheaper there than between bytes. */
function sealJoined(bytes: Buffer, seal: Seal): Buffer {
  const text = sealText(bytes.toString("latin1"), (mark) =>
    isAscii(mark) ? seal(mark) : Buffer.from(seal(Buffer.from(mark, "latin1").toString())).toString("latin1"),
  )
  return Buffer.from(text, "latin1")
}

const isAscii = (text: string): boolean => /^[\0-\x7f]*$/.test(text)

function sealApart(bytes: Buffer, first: number, seal: Seal): JsonPieces {
  const pieces: Buffer[] = []
  let from = 0
  for (let begin = first; begin >= 0; begin = bytes.indexOf(beginByte, from)) {
    const end = bytes.indexOf(endByte, begin)
    invariant(end > begin, "a cursor's mark has an end")
    pieces.push(bytes.subarray(from, begin), Buffer.from(seal(bytes.toString("utf8", begin + 1, end))))
    from = end + 1
  }
  pieces.push(bytes.subarray(from))
  return pieces.length > mostPieces ? [Buffer.concat(pieces)] : pieces
}

function sealOne(mark: string, scopes: readonly string[], cursors: Cursors): JsonText {
  const start = mark.indexOf("[")
  const scope = present(scopes[Number(mark.slice(0, start))], "a cursor's mark has its list's index")
  const values = mark.slice(start)
  return `"${cursors.seal(scope, values)}"`
}
