// Ids: between the text of docs/guide/reading.md ("Records, ids and references") and the values of a key's parts.
import type { KeyPart, Model, Resource } from "../../model/model.ts"
import { isWellFormed } from "../../model/values/json.ts"
import type { Value } from "../read-plan.ts"
import { readValue, withoutPadding } from "./values.ts"

/** The key that a bare or global id names, part by part; undefined when it cannot be a key of the resource. */
export function readId(resource: Resource, text: string): readonly Value[] | undefined {
  const global = `${resource.prefix}_`
  return readKey(resource, text.startsWith(global) ? text.slice(global.length) : text)
}

/** Whose id it is, by its prefix; `key` is undefined when the rest cannot be a key of that resource. */
export function splitGlobalId(
  model: Model,
  text: string,
): { readonly resource: Resource; readonly key: readonly Value[] | undefined } | undefined {
  const end = text.indexOf("_")
  if (end < 0) return undefined
  const prefix = text.slice(0, end)
  for (const resource of model.resources.values()) {
    if (resource.prefix === prefix && resource.key)
      return { resource, key: readKey(resource, text.slice(end + 1)) }
  }
  return undefined
}

function readKey(resource: Resource, text: string): readonly Value[] | undefined {
  if (!resource.key || !isWellFormed(text)) return undefined
  const { parts } = resource.key
  const [only, ...more] = parts
  if (only && more.length === 0) {
    const value = readPart(only, text)
    return value === undefined ? undefined : [value]
  }
  const texts = text.split("~", parts.length + 1)
  if (texts.length !== parts.length) return undefined
  const values: Value[] = []
  for (const [index, part] of parts.entries()) {
    const plain = part.scalar === "text" ? unescapePart(texts[index] ?? "") : texts[index]
    const value = plain === undefined ? undefined : readPart(part, plain)
    if (value === undefined) return undefined
    values.push(value)
  }
  return values
}

function readPart({ scalar, stored }: KeyPart, text: string): Value | undefined {
  if (scalar === "text") return stored === "padded" ? withoutPadding(text) : text
  // "-0" reads as a number, but no id is written so: a record has one id.
  if (text === "-0" || (scalar === "integer" && !/^-?\d+$/.test(text))) return undefined
  const read = readValue({ scalar, list: false }, text, "text")
  return read.ok ? read.value : undefined
}

/** In a part of a composite key `~` and `%` have one spelling each; any other use of `%` is no id. */
function unescapePart(text: string): string | undefined {
  if (/%(?!7E|25)/.test(text)) return undefined
  return text.replaceAll("%7E", "~").replaceAll("%25", "%")
}
