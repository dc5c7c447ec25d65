// Where in a file a part of a declaration was written: builders keep the stack of their call, which is read only for a mistake.
import { fileURLToPath } from "node:url"
import type { Place } from "../../base/problem.ts"

/** By the result of a builder: an object whose `stack` is formatted when it is read. */
const calls = new WeakMap<object, { readonly stack?: string }>()

/** @param builder which is left out of the stack, with whatever it calls */
export function noted<Value extends object>(value: Value, builder: (...given: never[]) => unknown): Value {
  const call = {}
  Error.captureStackTrace(call, builder)
  calls.set(value, call)
  return value
}

export interface Source {
  readonly file: string
  readonly line: number
}

/** The nearest part of the declaration around the place that a builder gave; undefined where none did. */
export function writtenAt(declaration: unknown, place: Place): Source | undefined {
  let part = declaration
  let found: Source | undefined
  for (const step of [undefined, ...place]) {
    if (step !== undefined) part = (part as Readonly<Record<string | number, unknown>>)[step]
    if (typeof part !== "object" || part === null) break
    found = sourceOf(calls.get(part)) ?? found
  }
  return found
}

function sourceOf(call: { readonly stack?: string } | undefined): Source | undefined {
  const [, frame = ""] = call?.stack?.split("\n") ?? []
  const [, url, line] = /\(?(file:\S+?):(\d+):\d+\)?$/.exec(frame.trim()) ?? []
  return url === undefined ? undefined : { file: fileURLToPath(url), line: Number(line) }
}
