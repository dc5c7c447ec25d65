// Replaces the marks that a statement left for cursors by sealed cursors.
import { markSecret } from "../base/asker.ts"
import { invariant, present } from "../base/invariant.ts"
import { isText, type Json, type JsonPieces, type JsonText, piecesOf } from "../base/json.ts"
import type { Cursors } from "../plan/draft/cursor.ts"
import {
  computedPlaceholder,
  cursorBegin,
  cursorEnd,
  formerPlaceholder,
  secretPlaceholder,
} from "../plan/placeholders.ts"

/** The text in place of a secret's placeholder, by its slot. */
export type Reveal = (slot: number) => JsonText

/** @param scopes what each mark's index means: `Statement.cursors` */
export function signCursors(json: Json, scopes: readonly string[], cursors: Cursors, reveal?: Reveal): Json {
  const seal = (mark: string): JsonText =>
    mark.startsWith(computedPlaceholder) || mark.startsWith(formerPlaceholder)
      ? `${cursorBegin}${mark}${cursorEnd}`
      : mark.startsWith(secretPlaceholder)
        ? revealed(present(reveal, "only what was written has secrets"), mark)
        : sealOne(mark, scopes, cursors)
  return isText(json) ? sealText(json, seal) : piecesOf(json).flatMap((bytes) => sealBytes(bytes, seal))
}

function revealed(reveal: Reveal, mark: string): JsonText {
  const text = reveal(Number(mark.slice(secretPlaceholder.length)))
  if (text !== "null") markSecret()
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
