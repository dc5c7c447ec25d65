// A small service for the tests of REST's writes: every kind of key, links, owned records, a required version; opened
// on a real database.

import { f, many, one, resource, service } from "../../src/model/declaration/service.ts"
import { restFace } from "../../src/rest/face.ts"
import type { Hooks } from "../support/database.ts"
import { loadOpen } from "../support/everybody.ts"
import { type Database, openService } from "../support/open-service.ts"
import { asText, type TextResponse } from "../support/text-face.ts"
import { requestOf } from "./kiosk.ts"

export const desk = loadOpen(
  service({
    name: "desk",
    resources: {
      customer: resource({
        id: "cus",
        fields: {
          email: f.email({ unique: true }),
          name: f.text({ max: 20 }),
          note: f.text({ optional: true }),
          points: f.integer({ default: 0 }),
          facts: f.json({ optional: true }),
          words: f.list(f.text(), { optional: true }),
          createdAt: f.timestamp({ readonly: true, default: "now" }),
        },
        relations: { orders: many("order", { by: "customer" }) },
      }),
      order: resource({
        id: "ord",
        fields: {
          number: f.text({ unique: true, immutable: true }),
          total: f.decimal({ precision: 12, scale: 2 }),
          note: f.text({ optional: true }),
        },
        relations: {
          customer: one("customer"),
          lines: many("line", { by: "order", owned: true }),
          tags: many("tag", { through: "order_tag" }),
        },
      }),
      line: resource({
        key: ["order", "position"],
        fields: { position: f.integer(), quantity: f.integer({ min: 1 }), note: f.text({ optional: true }) },
        relations: { order: one("order") },
      }),
      tag: resource({
        key: ["word"],
        fields: { word: f.slug(), colour: f.text({ optional: true }), rank: f.integer({ default: 5 }) },
        relations: { orders: many("order", { through: "order_tag" }) },
      }),
      counter: resource({
        id: "cnt",
        versioned: "required",
        fields: { value: f.integer(), label: f.text({ optional: true }) },
      }),
      visit: resource({ key: false, readonly: true, fields: { page: f.text() } }),
    },
  }),
)

export interface Reply extends TextResponse {
  /** The body as JSON; undefined when it is empty. */
  readonly json: ReturnType<typeof JSON.parse>
}

/** What `POST /orders` with a body of JSON is answered with. */
export type Send = (
  line: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
) => Promise<Reply>

export interface Desk {
  readonly send: Send
  /** Everything that is stored, as text: equal before and after what changes nothing. */
  contents(): Promise<string>
}

export async function openDesk(hooks: Hooks, database: Database): Promise<Desk> {
  const { context, engine } = await openService(hooks, {
    model: desk,
    records: { records: new Map(), links: [] },
    database,
    options: { writes: "unsafe" },
  })
  const face = asText(restFace({ ...context, answer: engine.answer, base: "/api" }), context.model)
  const send: Send = async (line, body, headers = {}) => {
    const text = body === undefined ? "" : typeof body === "string" ? body : JSON.stringify(body)
    const type = body === undefined ? {} : { "content-type": "application/json" }
    const response = await face(requestOf(line, { ...type, ...headers }, text))
    return { ...response, json: response.body === "" ? undefined : JSON.parse(response.body) }
  }
  const lists = [
    "customers?fields=etag,email,name,note,points,facts,words",
    "orders?fields=etag,number,total,note&include=tags",
    "lines?fields=etag,quantity,note",
    "tags?fields=etag,colour,rank",
    "counters?fields=etag,value,label",
  ]
  return {
    send,
    contents: async () =>
      (await Promise.all(lists.map((list) => send(`GET /${list}`)))).map(({ body }) => body).join("\n"),
  }
}
