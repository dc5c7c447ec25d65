// TypeScript source as Biome formats it (https://biomejs.dev/formatter/: objects, arrays, calls and strings).
// A value that fits stays on one line; others open from the outside in.
import type { JsonValue } from "../../base/json.ts"

export type Source =
  | { readonly kind: "word"; readonly text: string }
  | { readonly kind: "string"; readonly text: string }
  | {
      readonly kind: "object"
      readonly members: Members
      readonly open: boolean
      readonly spaced: boolean
    }
  | { readonly kind: "array"; readonly items: readonly Source[] }
  | { readonly kind: "call"; readonly callee: string; readonly parameters: readonly Source[] }

export const word = (text: string): Source => ({ kind: "word", text })
export const string = (text: string): Source => ({ kind: "string", text: quote(text) })
export const array = (items: readonly Source[]): Source => ({ kind: "array", items })
export const call = (callee: string, ...parameters: readonly Source[]): Source => ({
  kind: "call",
  callee,
  parameters,
})

export type Members = readonly (readonly [string, Source])[]

/** On one line when it fits. */
export const object = (members: Members): Source => ({
  kind: "object",
  members,
  open: false,
  spaced: false,
})

/** One member per line, even if all fit on one; `spaced`: with empty lines between. */
export const openObject = (members: Members, spaced = false): Source => ({
  kind: "object",
  members,
  open: members.length > 0,
  spaced,
})

function numeral(value: number): Source {
  return word(String(value).replace("e+", "e"))
}

export function jsonSource(value: JsonValue): Source {
  if (typeof value === "string") return string(value)
  if (typeof value === "number") return numeral(value)
  if (value === null || typeof value === "boolean") return word(String(value))
  if (isList(value)) return array(value.map(jsonSource))
  return object(Object.entries(value).map(([name, inner]) => [name, jsonSource(inner)]))
}

const isList = (value: JsonValue): value is readonly JsonValue[] => Array.isArray(value)

/** Characters that a line may have. */
export const width = 110
const step = 2

/** The place of a piece: the indentation of its line, the text before it there, the text that must follow it. */
interface Spot {
  readonly indent: number
  readonly before: number
  readonly after: number
}

/** Identifiers in the source beside literals: `f`, `resource`. */
export function namesIn(source: Source): ReadonlySet<string> {
  switch (source.kind) {
    case "word":
      return new Set(/^[A-Za-z]+/.exec(source.text) ?? [])
    case "string":
      return new Set()
    case "object":
      return union(source.members.map(([, value]) => namesIn(value)))
    case "array":
      return union(source.items.map(namesIn))
    case "call":
      return union([new Set([source.callee.replace(/\..*$/, "")]), ...source.parameters.map(namesIn)])
  }
}

const union = (sets: readonly ReadonlySet<string>[]): ReadonlySet<string> =>
  new Set(sets.flatMap((set) => [...set]))

/** The text of a piece that stands after `before` at the start of a line. */
export function printSource(before: string, source: Source): string {
  return before + print(source, { indent: 0, before: before.length, after: 0 })
}

function print(source: Source, spot: Spot): string {
  const line = flat(source)
  if (!isOpen(source) && spot.before + line.length + spot.after <= width) return line
  switch (source.kind) {
    case "word":
    case "string":
      return line
    case "object":
      return lines(["{", "}"], spot, source.members.map(member), source.spaced ? "\n" : "")
    case "array":
      return lines(["[", "]"], spot, isNumbers(source.items) ? [fill(source.items)] : source.items.map(item))
    case "call":
      return printCall(source, spot)
  }
}

type Line = (spot: Spot) => string

/** Each on lines of its own, a step further in, with a comma behind. */
function lines(
  [open, close]: readonly [string, string],
  { indent }: Spot,
  inner: readonly Line[],
  between = "",
): string {
  if (inner.length === 0) return open + close
  const inside = { indent: indent + step, before: indent + step, after: 1 }
  const texts = inner.map((line) => `${" ".repeat(inside.indent)}${line(inside)},\n`)
  return `${open}\n${texts.join(between)}${" ".repeat(indent)}${close}`
}

const item =
  (source: Source): Line =>
  (spot) =>
    print(source, spot)

function member([name, value]: readonly [string, Source]): Line {
  return (spot) => {
    const head = `${propertyName(name)}: `
    const behind = { ...spot, before: spot.before + head.length }
    if (value.kind !== "string" || behind.before + value.text.length + behind.after <= width)
      return head + print(value, behind)
    // A long text gets a line of its own, unless that would gain almost no room.
    return head.length - 2 < step + 3
      ? head + value.text
      : `${head.trimEnd()}\n${" ".repeat(spot.indent + step)}${value.text}`
  }
}

/** Numbers stand side by side, as many as a line holds. */
function fill(numbers: readonly Source[]): Line {
  return ({ indent }) => {
    const rows: string[] = []
    for (const text of numbers.map(flat)) {
      const row = rows.at(-1)
      if (row !== undefined && indent + row.length + text.length + 3 <= width)
        rows[rows.length - 1] = `${row}, ${text}`
      else rows.push(text)
    }
    return rows.join(`,\n${" ".repeat(indent)}`)
  }
}

function printCall({ callee, parameters }: Extract<Source, { kind: "call" }>, spot: Spot): string {
  const last = parameters.at(-1)
  const head = `${callee}(${parameters
    .slice(0, -1)
    .map((one) => `${flat(one)}, `)
    .join("")}`
  const alike = last?.kind === parameters.at(-2)?.kind
  const opens = (last?.kind === "object" || last?.kind === "array") && !alike
  if (last && opens && !parameters.slice(0, -1).some(isOpen) && spot.before + head.length + 1 <= width)
    return `${head}${print(opened(last), { ...spot, before: spot.before + head.length })})`
  return lines([`${callee}(`, ")"], spot, parameters.map(item))
}

/** So that it is not tried on one line again. */
const opened = (source: Source): Source => (source.kind === "object" ? { ...source, open: true } : source)

function flat(source: Source): string {
  switch (source.kind) {
    case "word":
    case "string":
      return source.text
    case "object":
      if (source.members.length === 0) return "{}"
      return `{ ${source.members.map(([name, value]) => `${propertyName(name)}: ${flat(value)}`).join(", ")} }`
    case "array":
      return `[${source.items.map(flat).join(", ")}]`
    case "call":
      return `${source.callee}(${source.parameters.map(flat).join(", ")})`
  }
}

/** Whether the piece takes several lines however short it is. */
function isOpen(source: Source): boolean {
  switch (source.kind) {
    case "word":
    case "string":
      return false
    case "object":
      return source.open || source.members.some(([, value]) => isOpen(value))
    case "array":
      return isMatrix(source.items) || source.items.some(isOpen)
    case "call":
      return source.parameters.some(isOpen)
  }
}

/** Several lists, or several objects, of several things each. */
function isMatrix(items: readonly Source[]): boolean {
  const alike = (kind: "array" | "object") =>
    items.every((one) => one.kind === kind && (one.kind === "array" ? one.items : one.members).length > 1)
  return items.length > 1 && (alike("array") || alike("object"))
}

const isNumbers = (items: readonly Source[]): boolean =>
  items.length > 1 && items.every((one) => one.kind === "word" && /^-?\d/.test(one.text))

function propertyName(name: string): string {
  if (name === "__proto__") return '["__proto__"]'
  return /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(name) ? name : quote(name)
}

/** In double quotes, or in single ones where that saves escapes. */
function quote(text: string): string {
  const json = JSON.stringify(text)
  const doubles = text.split('"').length
  const singles = text.split("'").length
  if (doubles <= singles) return json
  return `'${json.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}
