// Media types of GraphQL over HTTP: what a response may be, and what a request may carry.
import { refusal } from "../../base/problem.ts"
import { json, type MediaType, negotiate } from "../../http/accept.ts"

export { json } from "../../http/accept.ts"

/** Its status says whether the request was executed; under `json` that is 200 for any well-formed request. */
export const graphqlResponse: MediaType = {
  name: "application/graphql-response+json",
  contentType: "application/graphql-response+json; charset=utf-8",
}

/** Results as frames. */
const eventStream: MediaType = { name: "text/event-stream", contentType: "text/event-stream; charset=utf-8" }

/** Whether frames can be sent, for what has several results. */
export const acceptsFrames = (accept: string | undefined): boolean =>
  negotiate(accept, [eventStream]) !== undefined

/** Whether the client wants frames of what has one result, too. */
export const wantsFrames = (accept: string | undefined): boolean =>
  accept?.includes("event-stream") === true &&
  negotiate(accept, [json, graphqlResponse, eventStream]) === eventStream

/** `json` unless the client names the newer type, which it then gets where it likes both as much. */
export function negotiateResponse(accept: string | undefined): MediaType {
  if (accept === undefined || accept === "*/*") return json
  if (wantsFrames(accept)) return graphqlResponse
  const named = accept.toLowerCase().includes(graphqlResponse.name)
  const chosen = negotiate(accept, named ? [graphqlResponse, json] : [json, graphqlResponse])
  if (chosen) return chosen
  throw refusal("not_acceptable", `Accept ${JSON.stringify(accept)} names nothing that can be sent.`, {
    hint: `Accept ${json.name}, ${graphqlResponse.name} or ${eventStream.name}.`,
  })
}

type BodyKind = "json" | "graphql"

const bodies: Readonly<Record<string, BodyKind>> = {
  "application/json": "json",
  "application/graphql": "graphql",
}

export const acceptedBodies = Object.keys(bodies).join(", ")

/** The kind of a request's body, by its Content-Type (RFC 9110 section 8.3.1). */
export function readContentType(contentType: string | undefined): BodyKind {
  if (contentType === "application/json") return "json"
  const [name = "", ...parameters] = (contentType ?? "").split(";").map((part) => part.trim())
  const kind = bodies[name.toLowerCase()]
  if (!kind) {
    const given =
      name === ""
        ? "The body has no Content-Type"
        : `The Content-Type ${JSON.stringify(name)} is not accepted`
    throw unsupported(`${given}; send application/json or application/graphql.`)
  }
  for (const parameter of parameters) {
    const [attribute = "", value = ""] = parameter.split("=", 2)
    if (attribute.trim().toLowerCase() !== "charset") continue
    const charset = value.trim().replace(/^"(.*)"$/, "$1")
    if (!/^utf-?8$/i.test(charset))
      throw unsupported(`The charset ${JSON.stringify(charset)} is not accepted; send utf-8.`)
  }
  return kind
}

const unsupported = (why: string) => refusal("unsupported_media_type", `Must provide query string. ${why}`)
