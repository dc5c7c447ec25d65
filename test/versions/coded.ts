// A shop whose older versions have fields that two functions turn into today's and back.
import { anyone, f, many, one, problem, resource, role, service, withCode } from "../../src/index.ts"

const staff = role("staff")
const everybody = { read: anyone, create: anyone, update: anyone, delete: anyone }

/** Calls of the functions, by name: how many values each was given. */
export const calls: string[] = []
/** Numbers that are refused for now. */
export const refuses = new Set<number>()

const plain = service({
  name: "shop",
  roles: ["staff"],
  webhooks: { manage: staff, networks: ["127.0.0.0/8"] },
  versions: {
    "2026-11-01": [
      { changed: "order.number", was: f.integer(), code: true },
      { changed: "order.placedAt", was: { day: f.date({ optional: true }) }, code: true },
      { changed: "order.customer", was: { buyerId: f.text({ optional: true }) }, code: true },
      { changed: "order.channel", was: f.integer({ optional: true }), code: true },
      { changed: "order.secret", was: f.integer({ optional: true }), code: true },
      { changed: ["line.unit", "line.size"], was: { amount: f.text(), rough: f.integer() }, code: true },
    ],
    "2026-06-01": [
      {
        changed: "order.number",
        was: { tens: f.decimal({ precision: 12, scale: 1 }) },
        reads: { tens: { multiply: ["number", 0.1] } },
        writes: { number: { multiply: ["tens", 10] } },
      },
    ],
    "2026-01-01": [],
  },
  resources: {
    customer: resource({
      id: "cus",
      fields: { name: f.text() },
      relations: { orders: many("order", { by: "customer" }) },
      allow: everybody,
    }),
    order: resource({
      id: "ord",
      history: true,
      fields: {
        number: f.text(),
        note: f.text({ unique: true }),
        placedAt: f.timestamp({ optional: true }),
        secret: f.text({ optional: true, read: staff, write: staff }),
        last: f.text({ optional: true, readonly: true }),
        channel: f.text({ default: "web" }),
      },
      relations: {
        customer: one("customer", { optional: true }),
        lines: many("line", { by: "order", owned: true }),
      },
      states: { initial: "open", transitions: { pay: { from: "open", to: "paid", allow: anyone } } },
      allow: everybody,
    }),
    line: resource({
      id: "lin",
      fields: { unit: f.text(), size: f.decimal({ precision: 10, scale: 2 }) },
      relations: { order: one("order") },
      allow: everybody,
    }),
  },
})

export const coded = withCode(plain, {
  before: {
    order: {
      create: ({ new: order }) => ({ last: order.number }),
      update: ({ new: order }) => ({ last: order.number }),
    },
  },
  versions: {
    "2026-11-01": {
      "order.number": {
        reads(orders) {
          calls.push(`reads ${orders.length}`)
          return orders.map(({ number }) => {
            if (number === "N-66") return problem("conflict", "It is cursed.")
            if (number === "N-67") return new Error("a secret of the code")
            if (number === "N-68") return { number: "sixty-eight" } as never
            if (number === "N-69") return {} as never
            if (number === "N-70") return { number: 70, more: 1 } as never
            if (number === "N-54321") for (;;);
            if (number === "N-71") throw new Error("another secret")
            return { number: Number(number.slice(2)) }
          })
        },
        writes(inputs) {
          calls.push(`writes ${inputs.length}`)
          if (inputs.some(({ number }) => number === 1_013)) return [...inputs, {}] as never
          if (inputs.some(({ number }) => number === 1_014)) return { number: "N-14" } as never
          return inputs.map(({ number }) => {
            if (number === 6 || refuses.has(number))
              return problem("invalid_value", "Never six.", { place: ["number"] })
            if (number === 12_345) for (;;);
            if (number === 7) throw new Error("a secret of the code")
            if (number === 8) return { number: 8 } as never
            if (number === 9) return {} as never
            if (number === 10) return { number: "N-10", more: 1 } as never
            if (number === 11) return null as never
            return { number: `N-${number}` }
          })
        },
      },
      "order.placedAt": {
        reads: (orders) => orders.map(({ placedAt }) => ({ day: placedAt?.slice(0, 10) ?? null })),
        writes: (inputs) => inputs.map(({ day }) => ({ placedAt: day && `${day}T12:00:00Z` })),
      },
      "order.customer": {
        reads: (orders) =>
          orders.map(({ customerId }) => ({ buyerId: customerId?.replace("cus_", "buy-") ?? null })),
        writes: (inputs) =>
          inputs.map(({ buyerId }) => ({ customerId: buyerId?.replace("buy-", "cus_") ?? null })),
      },
      "order.channel": {
        reads: (orders) =>
          orders.map(({ channel }) => ({ channel: channel === "none" ? null : channel.length })),
        writes: (inputs) =>
          inputs.map(({ channel }) => ({ channel: channel === null ? "none" : "x".repeat(channel) })),
      },
      "order.secret": {
        reads: (orders) => orders.map(({ secret }) => ({ secret: secret === null ? null : Number(secret) })),
        writes: (inputs) => inputs.map(({ secret }) => ({ secret: secret === null ? null : String(secret) })),
      },
      "line.unit": {
        reads(lines) {
          calls.push(`lines ${lines.length}`)
          return lines.map(({ unit, size }) =>
            unit === "cursed"
              ? new Error("cursed")
              : { amount: `${size} ${unit}`, rough: Math.round(Number(size)) },
          )
        },
        writes: (inputs) =>
          inputs.map(({ amount, rough }) =>
            refuses.has(rough)
              ? problem("invalid_value", "Never six.")
              : { unit: amount.split(" ")[1] ?? "", size: String(rough) },
          ),
      },
    },
  },
})
