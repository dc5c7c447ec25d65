// Events in the OpenAPI document: their pages and streams, and what webhooks are sent.

import { changeKinds, feedPath, hasEvents } from "../../http/changes.ts"
import { recordSchema } from "../../http/schemas/records.ts"
import { objectSchema, valueSchema } from "../../http/schemas/values.ts"
import { showsHistory } from "../../model/build/history.ts"
import { eventTypesOf } from "../../model/event-types.ts"
import type { Model, Resource } from "../../model/model.ts"
import { apiName } from "../../model/names.ts"
import type { Json } from "./components.ts"
import { generalTag, type Operation, problemsOf } from "./operations.ts"
import { listOf, shared, valueParameter } from "./parameters.ts"
import type { Describing } from "./values.ts"

const text = { type: "string" }
const textOrNull = { type: ["string", "null"] }
const moment = { type: "string", format: "date-time" }

const eventStream = "text/event-stream"

/** None where the audience has no events. */
export function eventReads(describing: Describing): readonly Operation[] {
  const { model } = describing
  if (!hasEvents(model)) return []
  const path = feedPath(model)
  const [fed] = fedOf(model)
  const parameters = [
    shared(describing, "eventResource", {
      ...{ called: "resource", schema: { type: "string", enum: fedOf(model).map(apiName) } },
      description: "Events of one resource.",
      ...(fed !== undefined && { example: apiName(fed) }),
    }),
    describing.components.refer("parameters", "eventTypes", () =>
      listOf("types", text, "Types of events, such as `order.paid`.", {
        example: fed && eventTypesOf(fed)[0],
      }),
    ),
    shared(describing, "eventFilter", {
      ...{ called: "filter", schema: { type: "string", contentMediaType: "application/json" } },
      description: "A condition on records of the resource as JSON, as in its lists.",
      example: "{}",
    }),
  ]
  const after = shared(describing, "eventsAfter", {
    ...{ called: "after", schema: { ...text, examples: ["the page.next of an answer"] } },
    description:
      "The id of an event, or `page.next`: the events after it. `now`: only events that are written from then on.",
  })
  const page = objectSchema(
    [
      ["next", text],
      ["hasMore", { type: "boolean" }],
    ],
    {
      required: ["next", "hasMore"],
    },
  )
  const pages = describing.derived("EventPage", () =>
    objectSchema(
      [
        ["data", { type: "array", items: eventSchema(describing) }],
        ["page", page],
      ],
      {
        required: ["data", "page"],
      },
    ),
  )
  return [
    {
      ...{ tag: generalTag, method: "get", path, id: "listEvents", summary: "List events, oldest first" },
      description: "Returns what happened to records that the caller may see, page by page.",
      parameters: [...parameters, after, valueParameter(describing, "limit")],
      responses: {
        200: { description: "Found.", content: { "application/json": { schema: pages } } },
        ...problemsOf(describing, [410]),
      },
    },
    {
      ...{ tag: generalTag, method: "get", path: `${path}/stream`, id: "followEvents" },
      summary: "Follow events as they happen, by server-sent events",
      description:
        "The data of each frame is an event, whose id is the frame's. `event: gap` says that the log no longer has what followed `after`.",
      parameters: [
        ...parameters,
        after,
        {
          ...{ name: "Last-Event-ID", in: "header", schema: { ...text, examples: ["the id of a frame"] } },
          description: "As `after`; browsers send it when they connect again.",
        },
      ],
      responses: {
        200: { description: "Lasts.", content: { [eventStream]: { schema: text } } },
        ...problemsOf(describing, []),
      },
    },
  ]
}

const fedOf = ({ resources }: Model): readonly Resource[] => [...resources.values()].filter(showsHistory)

const members = {
  id: text,
  kind: { type: "string", enum: changeKinds },
  type: text,
  resource: text,
  recordId: text,
  at: moment,
} satisfies Readonly<Record<string, Json>>
/** Further ones of a record that is visible. */
const furtherMembers = {
  version: text,
  actor: textOrNull,
  transition: textOrNull,
  from: textOrNull,
  to: textOrNull,
  input: {},
  payload: { description: "The values of an event that an action emitted, as far as they are shown." },
  changes: {
    type: "array",
    items: objectSchema(
      [
        ["field", text],
        ["from", {}],
        ["to", {}],
      ],
      { required: ["field", "from", "to"] },
    ),
  },
} satisfies Readonly<Record<string, Json>>

/** An event as pages and streams have it. */
export const eventSchema = (describing: Describing): Json =>
  describing.derived("Event", () =>
    objectSchema([...Object.entries(members), ...Object.entries(furtherMembers)], {
      required: Object.keys(members),
    }),
  )

interface EventType {
  /** `order.paid` */
  readonly type: string
  readonly resource: Resource
}

/** All that the audience may be sent, but what happens to webhooks themselves. */
export const eventTypes = (model: Model): readonly EventType[] =>
  fedOf(model)
    .filter(({ name }) => !name.startsWith("webhook"))
    .flatMap((resource) => eventTypesOf(resource).map((type) => ({ type, resource })))

/** Messages to the endpoints of webhooks, by the types of their events (OpenAPI 3.1.1 section 4.8.1); undefined where there are none. */
export function webhookItems(describing: Describing): Json | undefined {
  const { model } = describing
  if (!model.webhooks || !hasEvents(model)) return undefined
  return Object.fromEntries(
    eventTypes(model).map((event): [string, Json] => [event.type, { post: messageOf(describing, event) }]),
  )
}

/** Headers of a message to an endpoint. */
export const messageHeaders = {
  "webhook-id": "The same whenever the event is sent.",
  "webhook-timestamp": "Seconds since 1970, of this attempt.",
  "webhook-signature": "`v1` and `v1a` signatures, with spaces between them (Standard Webhooks 1.0.0).",
} as const

/** The body of a message to an endpoint. */
export function messageSchema(describing: Describing, { type, resource }: EventType): Json {
  const isGone = type.endsWith(".deleted") || type.endsWith(".left")
  const record = { anyOf: [recordSchema(describing, resource), { type: "null" }] }
  const data = isGone
    ? eventSchema(describing)
    : {
        allOf: [
          eventSchema(describing),
          objectSchema([["record", record], ...payloadOf(describing, resource, type)]),
        ],
      }
  return objectSchema(
    [
      ["type", { const: type }],
      ["timestamp", moment],
      ["data", data],
    ],
    {
      required: ["type", "timestamp", "data"],
    },
  )
}

/** Members that not everybody is shown may be absent. */
function payloadOf(describing: Describing, resource: Resource, type: string): readonly [string, Json][] {
  const { events } = resource
  const own = [...(events?.values() ?? [])].find(({ name }) => `${apiName(resource)}.${name}` === type)
  if (!own) return []
  const fields = [...own.payload.values()]
  const members = fields.map((field): [string, Json] => [field.name, valueSchema(describing, field)])
  const required = fields.filter(({ seen }) => !seen).map(({ name }) => name)
  const schema = objectSchema(members, { required })
  return [["payload", own.description === undefined ? schema : { ...schema, description: own.description }]]
}

const messageOf = (describing: Describing, event: EventType): Json => ({
  tags: [event.resource.type],
  operationId: `webhook.${event.type}`,
  summary: `Sent to endpoints: ${event.type}`,
  description: "Answer 2xx within the deadline; it is sent again otherwise.",
  security: [],
  parameters: Object.entries(messageHeaders).map(([name, description]) => ({
    ...{ name, in: "header", required: true, description, schema: text },
  })),
  requestBody: {
    required: true,
    content: { "application/json": { schema: messageSchema(describing, event) } },
  },
  responses: { "2XX": { description: "Taken. With any other answer it is sent again." } },
})

/** Generators of types take every listed media type, and cannot type a stream. */
const describesLive = ({ model, purpose }: Describing): boolean =>
  purpose === "validation" && hasEvents(model)

/** Parameters that make a read last. */
export const liveParameters = (describing: Describing): readonly Json[] =>
  describesLive(describing)
    ? [
        shared(describing, "live", {
          schema: { type: "boolean" },
          description:
            "Whether the answer follows what others write: by server-sent events, the answer first and then JSON Patches to it.",
          example: false,
        }),
        shared(describing, "interval", {
          schema: { type: "number", minimum: 0.1, maximum: 3600, default: 1 },
          description: "Seconds between two answers of a live read, at the least.",
          example: 1,
        }),
      ]
    : []

export const liveContent = (describing: Describing): Json =>
  describesLive(describing) ? { [eventStream]: { schema: text } } : {}
