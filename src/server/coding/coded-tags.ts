// Entity tags of coded answers: equal strong tags mean equal bytes, so that each coding has a tag of its own (RFC 9110
// section 8.8.3.3).
import { type Coding, codings } from "./accept-encoding.ts"

/** Stands in no digest and in no version. */
const separator = ":"

/** `"7.x3f…:br"` for `"7.x3f…"`. */
export const codedTag = (tag: string, coding: Coding | undefined): string =>
  coding === undefined ? tag : `${tag.slice(0, -1)}${separator}${coding}"`

interface Tag {
  /** Without its coding. */
  readonly plain: string
  readonly coding: Coding | undefined
}

function readTag(tag: string): Tag {
  const coding = codings.find((name) => tag.endsWith(`${separator}${name}"`))
  return coding === undefined
    ? { plain: tag, coding }
    : { plain: `${tag.slice(0, -coding.length - separator.length - 1)}"`, coding }
}

const tagsIn = (header: string): readonly Tag[] =>
  [...header.matchAll(/"[^"]*"/g)].map(([tag]) => readTag(tag))

export type Accepts = (coding: Coding | undefined) => boolean

/**
 * `If-None-Match` as a face compares it, which knows no coding. Tags of codings that the client does not take are left out: a
 * cache asks for several clients, and gives this one the answer that is named to it.
 */
export function plainCondition(header: string, accepts: Accepts): string {
  if (!header.includes('"')) return header
  const tags = tagsIn(header).filter(({ coding }) => accepts(coding))
  // A list of no tags matches nothing, as a tag of no answer does.
  return tags.length === 0 ? '""' : tags.map(({ plain }) => plain).join(", ")
}

/**
 * The tag of a 304: that of the answer which the client has, as its cache finds it by that (RFC 9111 section 4.3.4).
 * @param would that of the answer which it would be sent
 */
export function heldTag(
  header: string,
  {
    tag,
    would,
    accepts,
  }: { readonly tag: string; readonly would: Coding | undefined; readonly accepts: Accepts },
): string {
  const held = tagsIn(header).filter(({ plain, coding }) => plain === tag && accepts(coding))
  const [first = { coding: would }] = held
  return codedTag(tag, held.some(({ coding }) => coding === would) ? would : first.coding)
}
