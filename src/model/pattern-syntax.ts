// Patterns as trees: what an ECMAScript regular expression with the flag `u` is made of, as far as it can be matched in
// linear time. It is read only after the runtime has compiled it, so that its grammar is known to be kept.

export type PatternNode =
  /** One character that the runtime's own class, escape or letter holds for. */
  | { readonly kind: "character"; readonly source: string }
  | { readonly kind: "edge"; readonly edge: Edge }
  | { readonly kind: "sequence"; readonly of: readonly PatternNode[] }
  | { readonly kind: "either"; readonly of: readonly PatternNode[] }
  /** `most` is Infinity where there is no end. */
  | { readonly kind: "repeat"; readonly of: PatternNode; readonly least: number; readonly most: number }

export type Edge = "start" | "end" | "word" | "noWord"

/** Parts of a pattern that cannot be matched in linear time. */
export class Unmatchable extends Error {
  override readonly name = "Unmatchable"
}

const quantifier = /(?:[*+?]|\{(\d+)(,(\d*))?\})\??/y
const named = /\(\?<[^=!>][^>]*>/y
/** A class, an escape, or any one character (ECMA-262 section 22.2.1, with UnicodeMode); pairs of surrogates are one. */
const character =
  /\[(?:[^\]\\]|\\.)*\]|\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|c[a-zA-Z]|.)|./suy

const edges: Readonly<Record<string, Edge>> = { "^": "start", $: "end", "\\b": "word", "\\B": "noWord" }

/** @param pattern one that `new RegExp(pattern, "u")` compiles. Throws Unmatchable. */
export function readPattern(pattern: string): PatternNode {
  let at = 0

  const either = (): PatternNode => {
    const of = [sequence()]
    while (pattern[at] === "|") {
      at += 1
      of.push(sequence())
    }
    return of.length === 1 && of[0] ? of[0] : { kind: "either", of }
  }

  const sequence = (): PatternNode => {
    const of: PatternNode[] = []
    while (at < pattern.length && pattern[at] !== "|" && pattern[at] !== ")") of.push(repeated(atom()))
    return { kind: "sequence", of }
  }

  const take = (form: RegExp): RegExpExecArray | undefined => {
    form.lastIndex = at
    const found = form.exec(pattern) ?? undefined
    at += found?.[0].length ?? 0
    return found
  }

  const repeated = (of: PatternNode): PatternNode => {
    const found = take(quantifier)
    if (!found) return of
    const [text, from, range, to] = found
    if (from !== undefined) {
      const least = Number(from)
      return { kind: "repeat", of, least, most: range === undefined ? least : to ? Number(to) : Infinity }
    }
    return {
      kind: "repeat",
      of,
      least: text.startsWith("+") ? 1 : 0,
      most: text.startsWith("?") ? 1 : Infinity,
    }
  }

  const group = (): PatternNode => {
    if (!take(named)) {
      if (pattern.startsWith("(?", at) && !pattern.startsWith("(?:", at))
        throw refusedGroup(pattern.slice(at, at + 4))
      at += pattern.startsWith("(?:", at) ? 3 : 1
    }
    const inner = either()
    at += 1
    return inner
  }

  const atom = (): PatternNode => {
    if (pattern[at] === "(") return group()
    const source = take(character)?.[0] ?? ""
    if (/^\\[1-9k]/.test(source)) throw new Unmatchable(`it refers back to a group by ${source}`)
    const edge = edges[source]
    return edge === undefined ? { kind: "character", source } : { kind: "edge", edge }
  }

  return either()
}

const refusedGroup = (opening: string): Unmatchable =>
  new Unmatchable(
    /^\(\?<?[=!]/.test(opening) ? "it looks ahead or behind" : "a group of it changes the flags",
  )
