// Names and attributes of spans, by OpenTelemetry's semantic conventions (https://opentelemetry.io/docs/specs/semconv/). No
// value of a request is in any of them.
import type { Attributes } from "@opentelemetry/api"
import { kindEntry } from "../../base/codes.ts"
import { kindOf, Refusal } from "../../base/problem.ts"
import type { SpanOf } from "../../base/tracing.ts"

export interface Described {
  readonly name: string
  readonly attributes: Attributes
}

/** In the place of what may be a value or a secret. */
const redacted = "REDACTED"

export function describe(of: SpanOf): Described {
  switch (of.kind) {
    case "code":
      return { name: `code ${of.name}`, attributes: { "bifold.code.name": of.name } }
    case "handler":
      return {
        name: `process ${of.event}`,
        attributes: {
          "messaging.system": "bifold",
          "messaging.operation.type": "process",
          "messaging.operation.name": "process",
          "messaging.destination.name": of.event,
          "messaging.consumer.group.name": of.name,
          "messaging.message.id": of.eventId,
        },
      }
    case "delivery":
      return {
        name: "POST",
        attributes: {
          "http.request.method": "POST",
          "url.full": `${of.origin}/${redacted}`,
          ...serverOf(of.origin),
          "bifold.webhook.endpoint": of.endpoint,
          "bifold.event.id": of.eventId,
          "bifold.event.type": of.event,
        },
      }
  }
}

/** @param origin `https://example.org:8443` */
function serverOf(origin: string): Attributes {
  const url = URL.parse(origin)
  if (!url) return {}
  const port = url.port === "" ? (url.protocol === "http:" ? 80 : 443) : Number(url.port)
  return { "server.address": url.hostname, "server.port": port }
}

/** The name and the port of a `host` header; nothing of one that is malformed. */
export const serverIn = (host: string): Attributes => {
  const [, address, port] = /^([a-z0-9._-]{1,255}|\[[0-9a-f:.]{2,45}\])(?::(\d{1,5}))?$/i.exec(host) ?? []
  if (address === undefined) return {}
  return { "server.address": address, ...(port !== undefined && { "server.port": Number(port) }) }
}

/** Methods that the conventions know: the methods of RFC 9110, PATCH and QUERY. */
const methods = new Set([
  "GET",
  "HEAD",
  "POST",
  "PUT",
  "PATCH",
  "DELETE",
  "OPTIONS",
  "TRACE",
  "CONNECT",
  "QUERY",
])

export const methodOf = (method: string): string => (methods.has(method) ? method : "_OTHER")

/** The path without the values in it: `/orders/{id}` is `/orders/REDACTED`. */
export const pathOf = (route: string): string => route.replaceAll(/\{[^}]*\}/g, redacted)

/** Keywords by which statements begin. */
const operations = new Set(["SELECT", "INSERT", "UPDATE", "DELETE", "COMMIT", "BEGIN"])

export function describeStatement(
  system: string,
  {
    kind,
    commands,
  }: { readonly kind: "read" | "write" | "commit"; readonly commands: readonly { readonly text: string }[] },
): Described {
  const word = /^\w+/.exec(commands[0]?.text ?? "")?.[0].toUpperCase() ?? ""
  const one =
    kind === "read" ? "SELECT" : kind === "commit" ? "COMMIT" : operations.has(word) ? word : undefined
  const operation = commands.length > 1 ? "BATCH" : one
  return {
    name: operation ?? system,
    attributes: {
      "db.system.name": system,
      ...(operation !== undefined && { "db.operation.name": operation }),
      ...(commands.length > 1 && { "db.operation.batch.size": commands.length }),
      "db.query.text": commands.map(({ text }) => text).join("; "),
    },
  }
}

/**
 * The class of an error: its message may have values. Most refusals are mistakes of the caller, and no faults of the service.
 */
export function describeError(error: unknown): {
  readonly attributes: Attributes
  readonly isFault: boolean
} {
  if (error instanceof Refusal) {
    const [problem] = error.problems
    const isFault = kindEntry(kindOf(problem)).blame !== "client"
    return { attributes: { "bifold.error.code": problem.code }, isFault }
  }
  const isObject = typeof error === "object" && error !== null
  const fault: unknown = isObject && "fault" in error ? error.fault : undefined
  const called = error instanceof Error ? error.constructor.name : "Error"
  return { attributes: { "error.type": typeof fault === "string" ? fault : called }, isFault: true }
}
