// A small service for the tests of the REST face: every kind of address, and a face to ask.

import type { AnswerPlan, FaceRequest } from "../../src/http/face.ts"
import { f, many, one, resource, service } from "../../src/model/declaration/service.ts"
import type { Model } from "../../src/model/model.ts"
import { createCursors } from "../../src/plan/draft/cursor.ts"
import { restFace } from "../../src/rest/face.ts"
import { loadOpen } from "../support/everybody.ts"
import { asText, type TextFace, type TextResponse } from "../support/text-face.ts"

export const kiosk: Model = loadOpen(
  service({
    name: "kiosk",
    title: "Kiosk API",
    resources: {
      customer: resource({
        id: "cus",
        key: { column: "id", type: "integer" },
        description: "Who buys.",
        fields: { name: f.text(), email: f.email({ unique: true }) },
        relations: { orders: many("order", { by: "customer" }) },
      }),
      order: resource({
        id: "ord",
        key: { column: "id", type: "integer" },
        fields: {
          number: f.text({ unique: true }),
          status: f.oneOf(["open", "paid"]),
          total: f.decimal({ precision: 12, scale: 2 }),
          note: f.text({ optional: true }),
          placedAt: f.timestamp({ optional: true }),
          extra: f.json({ optional: true }),
        },
        relations: {
          customer: one("customer"),
          billingAddress: one("address", { optional: true }),
          lines: many("orderLine", { by: "order" }),
          tags: many("tag", { through: "order_tag" }),
        },
      }),
      orderLine: resource({
        id: "line",
        key: ["order", "position"],
        fields: { position: f.integer(), quantity: f.integer(), weight: f.float({ optional: true }) },
        relations: { order: one("order") },
      }),
      address: resource({
        id: "adr",
        key: { column: "id", type: "integer" },
        fields: { street: f.text(), number: f.integer() },
        unique: [["street", "number"]],
      }),
      tag: resource({
        key: ["word"],
        fields: { word: f.text() },
        relations: { orders: many("order", { through: "order_tag" }) },
      }),
      visit: resource({ key: false, fields: { page: f.text(), seconds: f.int64({ optional: true }) } }),
    },
  }),
)

export const cursors = createCursors("a secret of the tests")

/** A face for requests that are refused before anything is read. */
export const unread: AnswerPlan = () => Promise.reject(new Error("nothing should be read"))

export function kioskFace(answer: AnswerPlan, base = ""): TextFace {
  return asText(restFace({ model: kiosk, cursors, answer, base }), kiosk)
}

/** `GET /orders?limit=1`, with headers and a body. */
export function ask(
  face: TextFace,
  line: string,
  { body = "", ...headers }: Readonly<Record<string, string>> = {},
): Promise<TextResponse> {
  return face(requestOf(line, headers, body))
}

export function requestOf(
  line: string,
  headers: Readonly<Record<string, string>> = {},
  body = "",
): Omit<FaceRequest, "actor"> {
  const [method = "", target = ""] = line.split(/ (.*)/s)
  const [path = "", query = ""] = target.split(/\?(.*)/s)
  return { method, path, query, headers, body: new TextEncoder().encode(body), requestId: "req_1" }
}
