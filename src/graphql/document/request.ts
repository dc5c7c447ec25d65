// The envelope of a GraphQL request over HTTP: from bytes, headers and URL to a document with its variables.
import { refusal } from "../../base/problem.ts"
import type { FaceRequest } from "../../http/face.ts"
import { parseStrict, utf8In } from "../../http/strict-json.ts"
import { readContentType } from "./media.ts"
import type { GraphqlRequest } from "./prepare.ts"

type Envelope = Readonly<Record<string, unknown>>

const members = ["query", "documentId", "variables", "operationName", "extensions"]

/** A request whose document may be named by an id, in place of its text or beside it. */
export interface SentRequest extends Omit<GraphqlRequest, "query"> {
  readonly query: string | undefined
  /** `sha256:` and a digest, or a name under which the document is registered. */
  readonly documentId?: string
  /** The id is the digest of an automatic persisted query. */
  readonly automatic?: true
}

/** A request as it came, before anything in it is read: where its parts stand, and its body's text. */
export type Sent =
  | { readonly kind: "url"; readonly parameters: Parameters }
  | { readonly kind: "graphql"; readonly parameters: Parameters; readonly text: string }
  | { readonly kind: "json"; readonly text: string }

/** @throws Refusal for wrong headers, a wrong URL or malformed bytes of the body */
export function readSent(request: FaceRequest): Sent {
  const parameters = readParameters(request.query)
  if (request.method === "GET") return { kind: "url", parameters }
  if (request.body.length === 0 && request.headers["content-type"] === undefined)
    throw noQuery("The body is empty.")
  const kind = readContentType(request.headers["content-type"])
  const text = decode(request.body)
  if (text.trim() === "") throw noQuery("The body is empty.")
  refuseInUrl(parameters, kind === "graphql" ? ["query", "documentId"] : members)
  return kind === "graphql" ? { kind, parameters, text } : { kind, text }
}

/** @throws Refusal for a malformed envelope */
export function readEnvelopeOf(sent: Sent): SentRequest {
  if (sent.kind === "json") return readEnvelope(fromJson(sent.text), "in the body")
  refuseUnknown(sent.parameters)
  const inUrl = fromUrl(sent.parameters)
  return readEnvelope(sent.kind === "url" ? inUrl : { ...inUrl, query: sent.text }, "in the URL")
}

function decode(body: Uint8Array): string {
  const text = utf8In(body)
  if (text === undefined) throw noQuery("The body is not valid UTF-8.")
  return text
}

function fromJson(text: string): Envelope {
  const parsed = parseStrict(text)
  if ("fault" in parsed) {
    if (parsed.wellFormed) throw malformed(`In the body, ${parsed.fault}`)
    throw noQuery("The body is not JSON, although its Content-Type says so.")
  }
  const { value } = parsed
  if (Array.isArray(value))
    throw noQuery(
      "A batch is not accepted: send one operation per request.",
      "Send operations side by side over one connection, or ask for several root fields in one operation: one statement answers them.",
    )
  if (!isObject(value))
    throw noQuery(`The body must be an object with a member \`query\`, not ${kindOf(value)}.`)
  return value
}

/** Members that are not known are ignored (GraphQL over HTTP, section "JSON Encoding"). */
function readEnvelope(envelope: Envelope, where: string): SentRequest {
  const { variables, operationName, extensions } = envelope
  if (!isAbsent(variables) && !isObject(variables))
    throw malformed(`\`variables\` must be an object, not ${kindOf(variables)}.`)
  if (isObject(variables) && Object.hasOwn(variables, "__proto__"))
    throw malformed("There is no variable `__proto__`.")
  if (!isAbsent(operationName) && typeof operationName !== "string")
    throw malformed(`\`operationName\` must be a string, not ${kindOf(operationName)}.`)
  if (!isAbsent(extensions) && !isObject(extensions))
    throw malformed(`\`extensions\` must be an object, not ${kindOf(extensions)}.`)
  const digest = isObject(extensions) ? readDigest(extensions["persistedQuery"]) : undefined
  const named = readDocumentId(envelope)
  const documentId = named ?? digest
  return {
    query: readText(envelope, { isOptional: documentId !== undefined, where }),
    ...(documentId !== undefined && { documentId }),
    ...(named === undefined && digest !== undefined && { automatic: true }),
    variables: variables ?? undefined,
    operationName: operationName ?? undefined,
    ...(isDryRun(extensions) && { dryRun: true }),
  }
}

function readText(
  { query }: Envelope,
  { isOptional, where }: { readonly isOptional: boolean; readonly where: string },
): string | undefined {
  const isText = typeof query === "string"
  if (isOptional && (isAbsent(query) || query === "")) return undefined
  if (query === undefined) throw noQuery(`There is no \`query\` ${where}.`)
  if (!isText) throw noQuery(`\`query\` must be a string, not ${kindOf(query)}.`)
  if (query === "") throw noQuery("`query` is empty.")
  return query
}

/** `documentId` (GraphQL over HTTP, "Persisted Documents"). */
function readDocumentId({ query, documentId }: Envelope): string | undefined {
  if (isAbsent(documentId)) return undefined
  if (typeof documentId !== "string" || documentId === "")
    throw malformed(`\`documentId\` must be a text that is not empty, not ${kindOf(documentId)}.`)
  if (!isAbsent(query) && query !== "") throw malformed("Give either `query` or `documentId`.")
  return documentId
}

/** `{ version: 1, sha256Hash }`, the digest of an automatic persisted query. */
function readDigest(given: unknown): string | undefined {
  if (isAbsent(given)) return undefined
  const { version, sha256Hash } = isObject(given) ? given : {}
  if (version !== 1 || typeof sha256Hash !== "string" || !/^[0-9a-f]{64}$/i.test(sha256Hash))
    throw malformed(
      "`extensions.persistedQuery` must be { version: 1, sha256Hash }, with 64 hexadecimal digits.",
    )
  return `sha256:${sha256Hash.toLowerCase()}`
}

/** Unknown extensions are ignored (GraphQL over HTTP, section "Request Parameters"). */
function isDryRun(extensions: unknown): boolean {
  if (!isObject(extensions) || isAbsent(extensions["dryRun"])) return false
  const { dryRun } = extensions
  if (typeof dryRun !== "boolean")
    throw malformed(`\`extensions.dryRun\` must be true or false, not ${kindOf(dryRun)}.`)
  return dryRun
}

type Parameters = ReadonlyMap<string, string>

const none: Parameters = new Map()

/** The URL's parameters (application/x-www-form-urlencoded), strictly: what cannot be decoded is refused. */
function readParameters(query: string): Parameters {
  if (query === "") return none
  const parameters = new Map<string, string>()
  for (const pair of query.split("&")) {
    if (pair === "") continue
    const mark = pair.indexOf("=")
    const name = decodeParameter(mark < 0 ? pair : pair.slice(0, mark))
    if (parameters.has(name)) throw malformed(`The parameter ${JSON.stringify(name)} is given twice.`)
    parameters.set(name, mark < 0 ? "" : decodeParameter(pair.slice(mark + 1)))
  }
  return parameters
}

function decodeParameter(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "))
  } catch {
    throw malformed("The URL's parameters are not percent-encoded UTF-8.")
  }
}

/** `variables` and `extensions` are JSON in a URL. */
function fromUrl(parameters: Parameters): Envelope {
  return Object.fromEntries(
    [...parameters].map(([name, text]) => [
      name,
      name === "variables" || name === "extensions" ? parse(name, text) : text,
    ]),
  )
}

function parse(name: string, text: string): unknown {
  if (text === "") return undefined
  const parsed = parseStrict(text)
  if ("value" in parsed) return parsed.value
  const fault = parsed.wellFormed ? `: ${parsed.fault}` : "."
  throw malformed(`\`${name}\` must be an object in JSON${fault}`)
}

/** Beside a body a URL may hold anything else, such as the operation's name for logs. */
function refuseInUrl(parameters: Parameters, names: readonly string[]): void {
  for (const name of parameters.keys())
    if (names.includes(name))
      throw malformed(`\`${name}\` belongs in the body of this request, not in its URL.`)
}

/** In a URL a name that is not known is a misspelt one. */
function refuseUnknown(parameters: Parameters): void {
  for (const name of parameters.keys())
    if (!members.includes(name))
      throw malformed(`There is no parameter ${JSON.stringify(name)}.`, `Known here: ${members.join(", ")}.`)
}

const isAbsent = (value: unknown): value is null | undefined => value === undefined || value === null

const isObject = (value: unknown): value is Envelope =>
  typeof value === "object" && value !== null && !Array.isArray(value)

function kindOf(value: unknown): string {
  if (value === null) return "null"
  if (Array.isArray(value)) return "a list"
  return typeof value === "object" ? "an object" : `a ${typeof value}`
}

const noQuery = (why: string, hint?: string) => malformed(`Must provide query string. ${why}`, hint)

function malformed(message: string, hint?: string) {
  return refusal("malformed_request", message, hint === undefined ? {} : { hint })
}
