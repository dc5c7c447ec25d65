// A service whose code decides by what it has read: transfers, bookings, doctors on call, and numbers by a list's length.
import {
  action,
  anyone,
  f,
  increment,
  one,
  operation,
  problem,
  resource,
  role,
  service,
  withCode,
} from "../../src/index.ts"

/** Runs between what code reads and what it writes. */
export const between: { run: () => Promise<unknown> } = { run: async () => {} }

const all = { read: anyone, create: anyone, update: anyone, delete: anyone }

const declared = service({
  name: "bank",
  roles: ["nobody"],
  resources: {
    account: resource({
      id: "acc",
      fields: { name: f.text(), balance: f.decimal({ precision: 12, scale: 2 }) },
      allow: all,
    }),
    entry: resource({
      id: "ent",
      fields: { amount: f.decimal({ precision: 12, scale: 2 }) },
      relations: { account: one("account") },
      allow: all,
    }),
    room: resource({
      id: "roo",
      fields: { name: f.text(), open: f.boolean({ default: true }) },
      allow: all,
    }),
    booking: resource({
      id: "boo",
      fields: { confirmed: f.boolean({ default: false }) },
      relations: { room: one("room") },
      allow: { ...all, create: { room: { open: { eq: true } } } },
    }),
    doctor: resource({ id: "doc", fields: { ward: f.text(), onCall: f.boolean() }, allow: all }),
    invoice: resource({
      id: "inv",
      fields: {
        number: f.integer({ max: 2_000_000_000 }),
        big: f.int64({ optional: true }),
        secret: f.integer({ optional: true, read: role("nobody") }),
      },
      events: { noticed: { payload: { of: f.text() } } },
      allow: all,
    }),
  },
})

const cents = (amount: string): bigint => BigInt(amount.replace(".", ""))
const amountOf = (of: bigint): string =>
  `${of < 0n ? "-" : ""}${(of < 0n ? -of : of) / 100n}.${String((of < 0n ? -of : of) % 100n).padStart(2, "0")}`

export const bank = withCode(declared, {
  actions: {
    account: {
      adjust: action({
        deadline: 60_000,
        allow: anyone,
        input: { by: f.decimal({ precision: 12, scale: 2 }) },
        output: { balance: f.text() },
        async run({ record, input: { by }, db }) {
          return { balance: (await db.account.update(record.id, { balance: increment(by) })).balance }
        },
      }),
      send: action({
        deadline: 60_000,
        allow: anyone,
        input: { to: f.text(), amount: f.decimal({ precision: 12, scale: 2 }) },
        async run({ record, input: { to, amount }, db }) {
          const other = await db.account.get(to)
          if (!other) throw problem("not_found", "There is no such account.", { place: ["to"] })
          if (cents(record.balance) < cents(amount)) throw problem("conflict", "There is not enough.")
          await db.account.update(record.id, { balance: amountOf(cents(record.balance) - cents(amount)) })
          await db.account.update(to, { balance: amountOf(cents(other.balance) + cents(amount)) })
          await db.entry.create({ accountId: record.id, amount: amountOf(-cents(amount)) })
          await db.entry.create({ accountId: to, amount })
        },
      }),
    },
    invoice: {
      add: action({
        deadline: 60_000,
        allow: anyone,
        input: { member: f.text(), by: f.text() },
        async run({ record, input: { member, by }, db }) {
          await db.invoice.update(record.id, { [member]: increment(by) })
        },
      }),
      stale: action({
        deadline: 60_000,
        allow: anyone,
        async run({ record, db }) {
          await db.invoice.update(record.id, { number: 1 })
          await db.invoice.update(record.id, { number: 2 }, { ifMatch: record.etag })
        },
      }),
    },
    booking: {
      confirm: action({
        deadline: 60_000,
        allow: anyone,
        async run({ record, db }) {
          const others = await db.booking.list({
            where: { roomId: { eq: record.roomId }, confirmed: { eq: true } },
            first: 1,
          })
          if (others.data.length > 0) throw problem("conflict", "The room is taken.")
          await db.booking.update(record.id, { confirmed: true })
        },
      }),
    },
    doctor: {
      leave: action({
        deadline: 60_000,
        allow: anyone,
        async run({ record, db }) {
          const others = await db.doctor.list({
            where: { ward: { eq: record.ward }, onCall: { eq: true } },
            first: 10,
          })
          if (others.data.length < 2) throw problem("conflict", "Somebody must stay.")
          await db.doctor.update(record.id, { onCall: false })
        },
      }),
    },
  },
  operations: {
    attempts: operation({
      deadline: 60_000,
      allow: anyone,
      emits: "invoice.noticed",
      output: { told: f.json() },
      async run({ db, emit }) {
        const { id } = await db.invoice.create({ number: 1 })
        const told: string[] = []
        const tell = (what: Promise<unknown>): Promise<unknown> =>
          what.then(
            (given) => told.push(String(given)),
            (error: { code?: string; message: string }) => told.push(error.code ?? error.message),
          )
        const fails = db.attempt(async (part) => {
          await part.invoice.create({ number: 2 })
          await emit("invoice.noticed", { of: "lost" }, id)
          // In the part, since it is asked there.
          await db.invoice.create({ number: 3 })
          throw new Error("no")
        })
        const holds = db.attempt(async (part) => {
          await part.invoice.create({ number: 4 })
          await tell(
            part.attempt(async (inner) => {
              await inner.invoice.create({ number: 5 })
              throw problem("conflict", "no")
            }),
          )
          await emit("invoice.noticed", { of: "kept" }, id)
          return "held"
        })
        await Promise.all([tell(fails), tell(holds), db.invoice.create({ number: 6 })])
        return { told }
      },
    }),
    late: operation({
      deadline: 60_000,
      allow: anyone,
      async run({ db }) {
        const ended = Promise.withResolvers<void>()
        let late: Promise<unknown> = Promise.resolve()
        await db.attempt(async (part) => {
          late = ended.promise.then(() => part.invoice.create({ number: 1 }))
        })
        ended.resolve()
        await late
      },
    }),
    close: operation({
      deadline: 60_000,
      allow: anyone,
      input: { room: f.text() },
      async run({ input, db }) {
        const { data } = await db.booking.list({ where: { roomId: { eq: input.room } }, first: 1 })
        await between.run()
        if (data.length > 0) throw problem("conflict", "The room is booked.")
        await db.room.update(input.room, { open: false })
      },
    }),
    counted: operation({
      deadline: 60_000,
      allow: anyone,
      output: { count: f.integer(), distinct: f.integer(), page: f.integer() },
      async run({ db }) {
        const { data, next } = await db.invoice.list({ where: { number: { gt: 0 } }, orderBy: ["-number"] })
        const ids = new Set(data.map(({ id }) => id))
        const page = await db.invoice.list({ first: 3 })
        if (next !== null) throw new Error("There is more.")
        return { count: data.length, distinct: ids.size, page: page.data.length }
      },
    }),
    locked: operation({
      deadline: 60_000,
      allow: anyone,
      input: { ids: f.json() },
      output: { names: f.json() },
      async run({ input, db }) {
        const found = await db.account.lock(input.ids as unknown as readonly string[])
        return { names: found.map(({ name }) => name) }
      },
    }),
    bill: operation({
      deadline: 60_000,
      allow: anyone,
      output: { number: f.integer() },
      async run({ db }) {
        const number = (await db.invoice.list()).data.length + 1
        await db.invoice.create({ number })
        return { number }
      },
    }),
  },
})
