// Patterns of declarations, matched in time linear in the text, whatever the pattern and the author of the text
// (docs/decisions/0105). The runtime's own matcher backtracks, for ages if a text is made for it.
import { present } from "../base/invariant.ts"

export interface Pattern {
  /** Whether the pattern describes the whole text. */
  matches(text: string): boolean
  /** Characters of the longest text that is matched, so that no text keeps the process for long. */
  readonly longest: number
}

/** The reason why a text is no pattern: the end of a sentence. */
interface NoPattern {
  readonly reason: string
}

/** Places that a pattern may have, each character one, repetitions written out. */
const mostPlaces = 1_000
/** Characters of the text times places of the pattern. */
const mostSteps = 1_000_000

type State =
  | { readonly kind: "character"; readonly holds: RegExp; readonly next: number }
  | { readonly kind: "edge"; readonly edge: Edge; readonly next: number }
  | { readonly kind: "fork"; next: readonly number[] }
  | { readonly kind: "end" }

/** @param source one that `new RegExp(source, "u")` compiles. */
export function compilePattern(source: string): Pattern | NoPattern {
  try {
    const { states, entry } = build(readPattern(source))
    return {
      matches: (text) => run(states, entry, text),
      longest: Math.floor(mostSteps / states.length),
    }
  } catch (error) {
    if (error instanceof Unmatchable) return { reason: error.message }
    throw error
  }
}

// Building: the automaton of Thompson's construction, from the end of the pattern to its beginning.

interface Automaton {
  readonly states: readonly State[]
  readonly entry: number
}

function build(pattern: PatternNode): Automaton {
  const states: State[] = [{ kind: "end" }]
  const add = (state: State): number => {
    if (states.length > mostPlaces)
      throw new Unmatchable(`written out, its repetitions take more than ${mostPlaces} places`)
    return states.push(state) - 1
  }

  /** Each gives the state to begin at, so that `next` is reached behind the node. */
  const enter = (node: PatternNode, next: number): number => {
    switch (node.kind) {
      case "character":
        return add({ kind: "character", holds: new RegExp(`^${node.source}$`, "u"), next })
      case "edge":
        return add({ kind: "edge", edge: node.edge, next })
      case "sequence":
        return node.of.reduceRight((after, part) => enter(part, after), next)
      case "either":
        return add({ kind: "fork", next: node.of.map((part) => enter(part, next)) })
      case "repeat":
        return repeat(node, next)
    }
  }

  const repeat = ({ of, least, most }: Extract<PatternNode, { kind: "repeat" }>, next: number): number => {
    let entry = next
    if (most === Number.POSITIVE_INFINITY) {
      const fork: State = { kind: "fork", next: [] }
      entry = add(fork)
      fork.next = [enter(of, entry), next]
    } else
      for (let count = least; count < most; count += 1)
        entry = add({ kind: "fork", next: [enter(of, entry), next] })
    for (let count = 0; count < least; count += 1) {
      const before = states.length
      entry = enter(of, entry)
      // Parts that match the empty text may be repeated without a bound.
      if (states.length === before) break
    }
    return entry
  }

  const entry = enter(pattern, 0)
  return { states, entry }
}

// Running: all states at once, so that each state looks at each character of the text at most once.

function run(states: readonly State[], entry: number, text: string): boolean {
  const seen = new Uint32Array(states.length)
  let waiting: number[] = [entry]
  let before: string | undefined
  let position = 1
  for (const character of text) {
    const next: number[] = []
    for (const index of reached({ states, seen, position }, waiting, [before, character])) {
      const state = states[index]
      if (state?.kind === "character" && state.holds.test(character)) next.push(state.next)
    }
    if (next.length === 0) return false
    waiting = next
    before = character
    position += 1
  }
  return reached({ states, seen, position }, waiting, [before, undefined]).includes(0)
}

interface Looking {
  readonly states: readonly State[]
  /** The position at which each state was reached last. */
  readonly seen: Uint32Array
  readonly position: number
}

/** The states that stand for a character or the end, from `waiting` on, without going on in the text. */
function reached(
  { states, seen, position }: Looking,
  waiting: number[],
  between: Between,
): readonly number[] {
  const found: number[] = []
  const stack = waiting
  for (let index = stack.pop(); index !== undefined; index = stack.pop()) {
    if (seen[index] === position) continue
    seen[index] = position
    const state = present(states[index], "a state of a pattern leads to states of it")
    if (state.kind === "fork") stack.push(...state.next)
    else if (state.kind === "edge") {
      if (isAt(state.edge, between)) stack.push(state.next)
    } else found.push(index)
  }
  return found
}

/** The characters around a position; none at an end of the text. */
type Between = readonly [before: string | undefined, after: string | undefined]

function isAt(edge: Edge, [before, after]: Between): boolean {
  switch (edge) {
    case "start":
      return before === undefined
    case "end":
      return after === undefined
    case "word":
      return isWord(before) !== isWord(after)
    case "noWord":
      return isWord(before) === isWord(after)
  }
}

const isWord = (character: string | undefined): boolean =>
  character !== undefined && /^[A-Za-z0-9_]$/.test(character)

// Patterns as trees: an ECMAScript regular expression with the flag `u`, as far as it can be matched in linear time.
// The runtime has compiled the pattern before, so its grammar is known to be kept.
type PatternNode =
  /** One character that the runtime's own class, escape or letter holds for. */
  | { readonly kind: "character"; readonly source: string }
  | { readonly kind: "edge"; readonly edge: Edge }
  | { readonly kind: "sequence"; readonly of: readonly PatternNode[] }
  | { readonly kind: "either"; readonly of: readonly PatternNode[] }
  /** `most` is Infinity where there is no end. */
  | { readonly kind: "repeat"; readonly of: PatternNode; readonly least: number; readonly most: number }

type Edge = "start" | "end" | "word" | "noWord"

/** Parts of a pattern that cannot be matched in linear time. */
class Unmatchable extends Error {
  override readonly name = "Unmatchable"
}

const quantifier = /(?:[*+?]|\{(\d+)(,(\d*))?\})\??/y
const named = /\(\?<[^=!>][^>]*>/y
/** A class, an escape, or any one character (ECMA-262 section 22.2.1, with UnicodeMode); pairs of surrogates are one. */
const character =
  /\[(?:[^\]\\]|\\.)*\]|\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|c[a-zA-Z]|.)|./suy

const edges: Readonly<Record<string, Edge>> = { "^": "start", $: "end", "\\b": "word", "\\B": "noWord" }

/** @param pattern one that `new RegExp(pattern, "u")` compiles. Throws Unmatchable. */
function readPattern(pattern: string): PatternNode {
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
