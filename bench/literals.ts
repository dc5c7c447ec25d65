// GraphQL documents with their values in the text: what clients send who write documents by hand, or make them of pieces.
// No two of them are alike, so that no cache of documents knows one.
import type { HttpRequest } from "./workloads.ts"

/** A document without its variables: a value stands between each of its pieces and the next. */
export interface Template {
  readonly pieces: readonly string[]
  /** Names of the variables, in the order of their places. */
  readonly names: readonly string[]
}

/** The template of a document with one operation, whose strings do not contain its variables. */
export function templateOf(document: string): Template {
  const parts = document.replace(/\(\$[^)]*\)/, "").split(/\$(\w+)/)
  return {
    pieces: parts.filter((_, index) => index % 2 === 0),
    names: parts.filter((_, index) => index % 2 === 1),
  }
}

/** The same questions, whose documents have the values of their variables in their texts. */
export function withLiterals(requests: readonly HttpRequest[]): readonly HttpRequest[] {
  const templates = new Map<string, Template>()
  return requests.map((request) => {
    if (request.body === undefined) throw new Error("Documents are sent by POST.")
    const { query, variables } = JSON.parse(request.body) as Asked
    const template = templates.get(query) ?? templateOf(query)
    templates.set(query, template)
    const text = template.pieces.map((piece, index) => {
      const name = template.names[index]
      return name === undefined ? piece : piece + literal(variables[name])
    })
    return { ...request, body: JSON.stringify({ query: text.join("") }) }
  })
}

interface Asked {
  readonly query: string
  readonly variables: Readonly<Record<string, unknown>>
}

/** As GraphQL spells a value: JSON, but for the names in objects, which have no quotation marks. */
function literal(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value)
  return `{${Object.entries(value)
    .map(([name, inner]) => `${name}: ${literal(inner)}`)
    .join(", ")}}`
}

/** The values of a document that was made of the template; undefined of any other. */
export function readLiterals(
  { pieces, names }: Template,
  document: string,
): Readonly<Record<string, unknown>> | undefined {
  const [first = "", ...rest] = pieces
  if (!document.startsWith(first)) return undefined
  const values: Record<string, unknown> = {}
  let begin = first.length
  for (const [index, name] of names.entries()) {
    const piece = rest[index] ?? ""
    const end = index === names.length - 1 ? document.length - piece.length : document.indexOf(piece, begin)
    if (end < begin || !document.startsWith(piece, end)) return undefined
    values[name] = parsedValue(document.slice(begin, end))
    begin = end + piece.length
  }
  return values
}

const namesInside = /("(?:[^"\\]|\\.)*")|(\w+):/g

const parsedValue = (text: string): unknown =>
  JSON.parse(
    text.startsWith("{")
      ? text.replace(namesInside, (_all, quoted: string | undefined, name: string) => quoted ?? `"${name}":`)
      : text,
  )
