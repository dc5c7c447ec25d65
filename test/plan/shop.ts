// A small service with every scalar and every kind of key, for the tests of plans.

import { f, many, one, resource, service } from "../../src/model/declaration/service.ts"
import type { Model, Resource } from "../../src/model/model.ts"
import { createCursors } from "../../src/plan/draft/cursor.ts"
import { type Draft, startDraft } from "../../src/plan/draft/draft.ts"
import { loadOpen } from "../support/everybody.ts"

export const shop: Model = loadOpen(
  service({
    name: "shop",
    resources: {
      customer: resource({
        id: "cus",
        fields: {
          email: f.email({ unique: true }),
          name: f.text({ max: 5 }),
          bornOn: f.date({ optional: true }),
        },
        relations: {
          orders: many("order", { by: "customer" }),
          manager: one("customer", { optional: true }),
        },
      }),
      order: resource({
        id: "ord",
        key: { column: "id", type: "int64" },
        fields: {
          number: f.text({ unique: true }),
          total: f.decimal({ precision: 7, scale: 2 }),
          status: f.oneOf(["cart", "paid"]),
          note: f.text({ optional: true }),
          tags: f.list(f.text()),
          extra: f.json({ optional: true }),
          gift: f.boolean(),
          placedAt: f.timestamp({ optional: true }),
        },
        relations: { customer: one("customer"), lines: many("line", { by: "order" }) },
      }),
      line: resource({
        id: "lin",
        key: {
          parts: [
            { column: "order_id", type: "int64" },
            { column: "position", type: "text" },
          ],
        },
        fields: { quantity: f.integer(), comment: f.text({ optional: true }) },
        relations: {
          order: one("order", { column: "order_id" }),
          replaces: one("line", {
            optional: true,
            columns: { replaces_order: "order_id", replaces_position: "position" },
          }),
        },
      }),
      visit: resource({ key: false, fields: { page: f.text(), seconds: f.integer({ optional: true }) } }),
      report: resource({
        key: false,
        rows: false,
        readonly: true,
        fields: { day: f.date(), count: f.integer({ optional: true }), raw: f.json() },
      }),
    },
    limits: { page: { default: 10, max: 50 }, depth: 4 },
  }),
)

export const cursors = createCursors("a secret of the tests")

export function newDraft(): Draft {
  return startDraft({ model: shop, cursors })
}

export function shopResource(name: string): Resource {
  const found = shop.resources.get(name)
  if (!found) throw new Error(`The shop has no ${name}.`)
  return found
}

/** `place: message (hint)` of every problem, as a person would see them. */
export function mistakes(draft: Draft): readonly string[] {
  return draft.problems.found.map(
    ({ code, place, message, hint }) =>
      `${code} at ${(place ?? []).join(".")}: ${message}${hint ? ` ${hint}` : ""}`,
  )
}
