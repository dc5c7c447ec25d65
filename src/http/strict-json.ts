// JSON from a client, read so that no part is silently dropped: a member given twice is a mistake.
import { fixedLimits } from "../model/limits.ts"

type StrictJson =
  | { readonly value: unknown }
  /** `wellFormed`: it is JSON, but a member is given twice, or it is nested too deeply. */
  | { readonly fault: string; readonly wellFormed: boolean }

/** The value, or a sentence that names the mistake in the text. */
export function parseStrict(text: string): StrictJson {
  if (isTooDeep(text))
    return { fault: `its arrays and objects are nested more than ${deepest} deep.`, wellFormed: true }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error), wellFormed: false }
  }
  const repeated = hasAllMembers(text, value) ? undefined : repeatedMember(text)
  if (repeated === undefined) return { value }
  return { fault: `an object has the member ${repeated} twice.`, wellFormed: true }
}

const { levels: deepest } = fixedLimits

function isTooDeep(text: string): boolean {
  if (text.length <= deepest) return false
  let depth = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === quote) at = endOfString(text, at)
    else if (code === openBracket || code === openBrace) {
      depth += 1
      if (depth > deepest) return true
    } else if (code === closeBracket || code === closeBrace) depth -= 1
  }
  return false
}

const [quote, openBracket, closeBracket, openBrace, closeBrace] = [0x22, 0x5b, 0x5d, 0x7b, 0x7d] as const
const backslash = 0x5c

/** The index of the quote that ends the string, or the end of the text. */
function endOfString(text: string, from: number): number {
  for (let end = text.indexOf('"', from + 1); end > 0; end = text.indexOf('"', end + 1)) {
    let escapes = 0
    while (text.charCodeAt(end - 1 - escapes) === backslash) escapes += 1
    if (escapes % 2 === 0) return end
  }
  return text.length
}

/**
 * Whether the value still has each colon of the text, between a member's name and its value or within a string. An escape may
 * also stand for a colon; then a slower check follows.
 */
const hasAllMembers = (text: string, value: unknown): boolean =>
  !text.includes("\\u003") && colonsIn(text) === colonsLeft(value)

function colonsIn(text: string): number {
  let count = 0
  for (let at = text.indexOf(":"); at >= 0; at = text.indexOf(":", at + 1)) count += 1
  return count
}

/** One for each member, and those in strings; with a stack of its own, as a text may be nested deeper than ours. */
function colonsLeft(value: unknown): number {
  let count = 0
  const waiting: unknown[] = [value]
  while (waiting.length > 0) {
    const next = waiting.pop()
    if (typeof next === "string") count += colonsIn(next)
    else if (Array.isArray(next)) for (const item of next) waiting.push(item)
    else if (typeof next === "object" && next !== null)
      for (const name in next) {
        count += 1 + colonsIn(name)
        waiting.push((next as Record<string, unknown>)[name])
      }
  }
  return count
}

const token = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}:]/g

/** A member name, in quotes, that one object of a well-formed text has twice (RFC 8259 section 4 leaves its meaning open). */
function repeatedMember(text: string): string | undefined {
  const open: Set<string>[] = []
  let string = ""
  for (const [found] of text.matchAll(token)) {
    if (found === "{") open.push(new Set())
    else if (found === "}") open.pop()
    else if (found === ":") {
      const names = open.at(-1)
      const name = string.includes("\\") ? JSON.stringify(JSON.parse(string)) : string
      if (names?.has(name)) return name
      names?.add(name)
    } else string = found
  }
  return undefined
}

// The text of a request's body.
const utf8 = new TextDecoder("utf-8", { fatal: true })

/** Undefined when the bytes are no UTF-8 (RFC 3629). */
export function utf8In(body: Uint8Array): string | undefined {
  try {
    return utf8.decode(body)
  } catch {
    return undefined
  }
}
