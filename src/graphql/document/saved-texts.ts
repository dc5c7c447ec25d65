// Documents that are named by an id: their lookup, and the errors for an unknown id or text.
import { createHash } from "node:crypto"
import { refusal } from "../../base/problem.ts"
import type { Request } from "../../base/request.ts"
import type { RequestError } from "./errors.ts"
import type { SentRequest } from "./request.ts"

export interface SavedTexts {
  /** Whether only registered documents are answered. */
  readonly required: boolean
  /** The text of the document; undefined for an id that is unknown. */
  find(id: string, request?: Request): string | undefined | Promise<string | undefined>
  isRegistered(text: string, request?: Request): boolean | Promise<boolean>
  /** Lets clients name the text by its digest. */
  keep(text: string): void
}

export const nothingSaved: SavedTexts = {
  required: false,
  find: () => undefined,
  isRegistered: () => false,
  keep: () => {},
}

/**
 * The text of the request's document, or the reason of its absence.
 * @throws Refusal `malformed_request` where the text is not the one of its digest
 */
export function documentText(
  saved: SavedTexts,
  { query, documentId, automatic }: SentRequest,
  request?: Request,
): string | RequestError | Promise<string | RequestError> {
  if (query === undefined) {
    const id = documentId ?? ""
    return named(saved.find(id, request), id, saved.required && automatic ? unsupported : undefined)
  }
  if (documentId !== undefined && documentId !== digestOf(query))
    throw refusal("malformed_request", "`sha256Hash` is not the SHA-256 of `query`.")
  return saved.required ? registered(saved.isRegistered(query, request), query) : query
}

const digestOf = (text: string): string => `sha256:${createHash("sha256").update(text).digest("hex")}`

async function named(
  found: ReturnType<SavedTexts["find"]>,
  id: string,
  otherwise: RequestError = id.startsWith("sha256:") ? unknownDigest : unknownName,
): Promise<string | RequestError> {
  return (await found) ?? otherwise
}

async function registered(found: boolean | Promise<boolean>, text: string): Promise<string | RequestError> {
  return (await found) ? text : notRegistered
}

/** In the words that clients with automatic persisted queries look for. They send the text then. */
const unknownDigest: RequestError = {
  code: "document_not_found",
  message: "PersistedQueryNotFound",
  hint: "Send the text with its digest once, or register it: bifold documents push.",
}

/** Tells clients not to send the text with its digest, because it would not be kept. */
const unsupported: RequestError = {
  code: "document_not_registered",
  message: "PersistedQueryNotSupported",
  hint: "Only registered documents are answered here. Register it: bifold documents push.",
}

const unknownName: RequestError = {
  code: "document_not_found",
  message: "No document is registered under this `documentId`.",
  hint: "Register it: bifold documents push.",
}

const notRegistered: RequestError = {
  code: "document_not_registered",
  message: "Only registered documents are answered here, and this one is not registered.",
  hint: "Register it: bifold documents push.",
}
