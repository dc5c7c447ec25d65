// `GET /asyncapi.json`: the events of the service described in AsyncAPI 3: what a stream sends, and what webhooks are sent.
import type { JsonValue } from "../../base/json.ts"
import { feedPath } from "../../http/changes.ts"
import { defaultDetail } from "../../http/schemas/values.ts"
import type { Model } from "../../model/model.ts"
import type { Json } from "./components.ts"
import { eventSchema, eventTypes, messageHeaders, messageSchema } from "./events.ts"
import type { OpenapiOptions } from "./openapi.ts"
import { ruledService } from "./ruled-service.ts"
import { securitySchemes } from "./security.ts"
import { type Describing, startDescribing } from "./values.ts"

/** The document (https://www.asyncapi.com/docs/reference/specification/v3.0.0), without channels where there are no events. */
export function asyncapi(model: Model, { base = "" }: Pick<OpenapiOptions, "base"> = {}): JsonValue {
  const describing = startDescribing(model, defaultDetail)
  const types = eventTypes(model)
  const service = ruledService(model)
  const channels = [
    ...(types.length > 0 ? [streamChannel(describing, `${base}${feedPath(model)}/stream`)] : []),
    ...(model.webhooks && types.length > 0 ? [webhookChannel(describing)] : []),
  ]
  return {
    asyncapi: "3.0.0",
    info: {
      title: model.title,
      ...(model.description === undefined ? {} : { description: model.description }),
      version: model.about?.version ?? "1",
    },
    defaultContentType: "application/json",
    channels: Object.fromEntries(channels.map(({ name, channel }) => [name, channel])),
    operations: Object.fromEntries(
      channels.map(({ name, operation, isSigned }) => [
        operation,
        {
          action: "send",
          channel: { $ref: `#/channels/${name}` },
          ...(service && !isSigned && { security: [{ $ref: "#/components/securitySchemes/bearer" }] }),
        },
      ]),
    ),
    components: {
      ...describing.components.all(),
      ...(service && { securitySchemes: securitySchemes(service) }),
    },
  }
}

interface Channel {
  readonly name: string
  /** The name of what the service does there. */
  readonly operation: string
  /** Messages have signatures, and receivers need no credential. */
  readonly isSigned: boolean
  readonly channel: Json
}

const messageName = (type: string): string => type.replace(".", "_")

function streamChannel(describing: Describing, address: string): Channel {
  const messages = eventTypes(describing.model).map(({ type, resource }): [string, Json] => [
    messageName(type),
    {
      ...{ name: type, title: `${resource.type}: ${type}` },
      payload: {
        allOf: [eventSchema(describing), { type: "object", properties: { type: { const: type } } }],
      },
    },
  ])
  return {
    ...{ name: "events", operation: "streamEvents", isSigned: false },
    channel: {
      address,
      title: "Events",
      description:
        "Server-sent events over HTTP GET. The data of a frame is a message, whose id is the frame's.",
      messages: Object.fromEntries(messages),
    },
  }
}

function webhookChannel(describing: Describing): Channel {
  const headers = {
    type: "object",
    required: Object.keys(messageHeaders),
    properties: Object.fromEntries(
      Object.entries(messageHeaders).map(([name, description]) => [name, { type: "string", description }]),
    ),
  }
  const messages = eventTypes(describing.model).map((event): [string, Json] => [
    messageName(event.type),
    {
      ...{ name: event.type, title: `${event.resource.type}: ${event.type}`, headers },
      payload: messageSchema(describing, event),
    },
  ])
  return {
    ...{ name: "webhooks", operation: "sendWebhooks", isSigned: true },
    channel: {
      address: null,
      title: "Webhooks",
      description: "Sent by HTTP POST to the URLs of endpoints, as Standard Webhooks.",
      messages: Object.fromEntries(messages),
    },
  }
}
