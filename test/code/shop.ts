// A shop with own code of every kind: what behaves, and what throws, hangs, lies and forgets to wait.
import { setTimeout as wait } from "node:timers/promises"
import {
  action,
  anyone,
  f,
  many,
  one,
  operation,
  problem,
  type RecordOf,
  resource,
  role,
  service,
  signedIn,
  viewer,
  withCode,
} from "../../src/index.ts"

const staff = role("staff")
const own = { customer: { id: { eq: viewer.id } } }

export const plain = service({
  name: "shop",
  roles: ["staff"],
  viewer: "customer",
  resources: {
    customer: resource({
      id: "cus",
      fields: { name: f.text() },
      relations: { orders: many("order", { by: "customer" }) },
      allow: { read: anyone, create: staff },
    }),
    order: resource({
      id: "ord",
      fields: {
        number: f.text({ unique: true }),
        total: f.decimal({ precision: 12, scale: 2, default: "0" }),
        count: f.integer({ default: 0 }),
        big: f.int64({ optional: true }),
        note: f.text({ optional: true, read: staff, write: staff }),
      },
      relations: { customer: one("customer"), lines: many("line", { by: "order", owned: true }) },
      allow: { read: [staff, own], create: signedIn, update: [staff, own], delete: staff },
    }),
    line: resource({
      id: "lin",
      fields: { text: f.text() },
      relations: { order: one("order") },
      allow: { read: [staff, { order: own }], create: [staff, { order: own }], update: staff, delete: staff },
    }),
    coupon: resource({
      id: "cou",
      fields: { code: f.text({ unique: true }), off: f.integer(), left: f.integer({ min: 0 }) },
      allow: { read: staff, create: staff, update: staff, delete: staff },
    }),
  },
})

/** What the code has done to the world outside of its transaction, for the tests to see. */
export const seen = {
  handles: [] as { readonly order: { update(id: string, input: object): Promise<unknown> } }[],
  orders: [] as RecordOf<typeof plain, "order">[],
  aborted: 0,
  runs: 0,
}

export const shop = withCode(plain, {
  actions: {
    order: {
      applyCoupon: action({
        description: "Takes what a coupon is worth off the total.",
        input: { code: f.text({ max: 20 }), mode: f.oneOf(["once", "twice"], { default: "once" }) },
        output: {
          off: f.integer(),
          total: f.decimal({ precision: 12, scale: 2 }),
          told: f.text({ optional: true }),
        },
        allow: [staff, own],
        as: { roles: ["staff"] },
        async run({ input, record, db }) {
          const { data } = await db.coupon.list({ where: { code: { eq: input.code } }, first: 1 })
          const [coupon] = data
          if (!coupon) throw problem("invalid_value", "There is no such coupon.", { place: ["code"] })
          if (coupon.left === 0)
            throw problem("conflict", "The coupon is used up.", { hint: "Ask for another." })
          await db.coupon.update(coupon.id, { left: coupon.left - 1 })
          const times = input.mode === "once" ? 1 : 2
          const total = (Number(record.total) - coupon.off * times).toFixed(2)
          const order = await db.order.update(record.id, { total })
          return { off: coupon.off * times, total: order.total }
        },
      }),
      bump: action({
        allow: signedIn,
        async run({ record, db }) {
          await db.order.update(record.id, { count: record.count + 1 })
        },
      }),
      /** Of orders that may be seen, not all may be finished. */
      finish: action({
        allow: { and: [own, { count: { lt: 1 } }] },
        output: { number: f.text() },
        run: ({ record }) => ({ number: record.number }),
      }),
      breaks: action({
        allow: signedIn,
        async run({ record, db }) {
          await db.order.update(record.id, { count: 99 })
          throw new Error("the secret reason")
        },
      }),
      hangs: action({
        allow: signedIn,
        deadline: 300,
        async run({ record, db, signal }) {
          await db.order.update(record.id, { count: 99 })
          signal.addEventListener("abort", () => {
            seen.aborted++
          })
          await new Promise(() => {})
        },
      }),
      lies: action({
        allow: signedIn,
        output: { sum: f.integer() },
        async run({ record, db }) {
          await db.order.update(record.id, { count: 99 })
          return { sum: "not a number" as unknown as number }
        },
      }),
      keepsHandle: action({
        allow: signedIn,
        run({ db }) {
          seen.handles.push(db)
        },
      }),
      forgets: action({
        allow: signedIn,
        run({ record, db }) {
          db.order.update(record.id, { count: 99 })
          db.order.update("ord_nobody", { count: 99 })
        },
      }),
      forgives: action({
        allow: signedIn,
        as: { roles: ["staff"] },
        output: { caught: f.text(), lines: f.integer() },
        async run({ record, db }) {
          await db.line.create({ orderId: record.id, text: "before" })
          const caught = await db.customer
            .create({ name: "Half", orders: { create: [{ number: "F-1" }, { number: record.number }] } })
            .then(
              () => "nothing",
              (error: { readonly problems: readonly { readonly code: string }[] }) => error.problems[0]?.code,
            )
          await db.line.create({ orderId: record.id, text: "after" })
          const { data } = await db.line.list({
            where: { order: { id: { eq: record.id } } },
            orderBy: ["-text"],
          })
          return { caught: caught ?? "", lines: data.length }
        },
      }),
      removes: action({
        allow: staff,
        output: { was: f.int64({ optional: true }) },
        async run({ record, db }) {
          seen.orders.push(record)
          await db.order.delete(record.id)
          return { was: record.big }
        },
      }),
      overreaches: action({
        allow: signedIn,
        run: ({ db }) => db.coupon.create({ code: "MINE", off: 100, left: 1 }),
      }),
      trips: action({
        allow: signedIn,
        run: ({ record, db }) => db.order.update(record.id, { number: null as unknown as string }),
      }),
    },
  },
  operations: {
    sum: operation({
      input: { numbers: f.list(f.integer()), at: f.timestamp({ optional: true }) },
      output: { sum: f.int64(), of: f.list(f.integer()), by: f.text({ optional: true }) },
      allow: anyone,
      run: ({ input, actor }) => ({
        sum: String(input.numbers.reduce((sum, number) => sum + number, 0)),
        of: input.numbers,
        by: actor.id,
      }),
    }),
    restock: operation({
      allow: staff,
      async run({ db }) {
        seen.runs++
        for (const { id } of (await db.coupon.list()).data) await db.coupon.update(id, { left: 10 })
      },
    }),
    nap: operation({
      allow: anyone,
      deadline: 2_000,
      input: { milliseconds: f.integer() },
      run: ({ input }) => wait(input.milliseconds),
    }),
  },
})
