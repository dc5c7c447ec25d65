// Files of GraphQL documents, as tools of clients make them: one document, or a manifest of many.
import { refusal } from "../../base/problem.ts"
import { digestId } from "./document-plans.ts"

export interface WrittenDocument {
  readonly documentId: string
  readonly text: string
  /** The place of the text, for messages: `queries.json, "GetOrders"`. */
  readonly source: string
}

/**
 * A file's documents. By its end: `.graphql` and `.gql` hold one document; `.json` is a manifest, either
 * `{ "format": "apollo-persisted-query-manifest", "version": 1, "operations": [{ id, name, body }] }` or
 * `{ "<id>": "<document>" }`. A document is registered by the digest of its text, and by the manifest's id where that is
 * another.
 * @throws Refusal `invalid_command`
 */
export function readDocumentFile(file: string, content: string): readonly WrittenDocument[] {
  if (!file.endsWith(".json")) return byDigest(content, file)
  const manifest = parseObject(content)
  if (!manifest) throw unreadable(file)
  const { operations } = manifest
  const pairs = Array.isArray(operations) ? operations.map(readOperation) : Object.entries(manifest)
  return pairs.flatMap((pair) => {
    if (!pair) throw unreadable(file)
    const [id, text] = pair
    if (typeof text !== "string" || id === "") throw unreadable(file)
    const source = `${file}, ${JSON.stringify(id)}`
    const digest = digestId(text)
    const same = id === digest || `sha256:${id}` === digest
    return same ? byDigest(text, source) : [...byDigest(text, source), { documentId: id, text, source }]
  })
}

const byDigest = (text: string, source: string): readonly WrittenDocument[] => [
  { documentId: digestId(text), text, source },
]

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function readOperation(operation: unknown): readonly [string, unknown] | undefined {
  const { id, body } = isObject(operation) ? operation : {}
  return typeof id === "string" ? [id, body] : undefined
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const unreadable = (file: string) =>
  refusal("invalid_command", `${file} is no manifest of documents.`, {
    hint: 'Write { "<id>": "<document>" }, or a manifest with "operations", as Apollo\'s tools make it.',
  })
