// Code that decides by what it has read, as one writes it, and as one writes it where one has to lock by hand.
import { action, anyone, f, one, operation, problem, resource, service, withCode } from "bifold"

const allow = { read: anyone, create: anyone, update: anyone, delete: anyone }
const money = { precision: 12, scale: 2 }

const declared = service({
  name: "bank",
  resources: {
    account: resource({ id: "acc", fields: { balance: f.decimal(money) }, allow }),
    entry: resource({
      id: "ent",
      fields: { amount: f.decimal(money) },
      relations: { account: one("account") },
      allow,
    }),
    // A room, a ward or a series of numbers: the record that code locks by hand.
    place: resource({ id: "plc", fields: { name: f.text() }, allow }),
    booking: resource({
      id: "boo",
      fields: { confirmed: f.boolean({ default: false }) },
      relations: { place: one("place") },
      allow,
    }),
    doctor: resource({
      id: "doc",
      fields: { onCall: f.boolean({ default: true }) },
      relations: { place: one("place") },
      allow,
    }),
    invoice: resource({ id: "inv", fields: { number: f.integer() }, allow }),
  },
})

const cents = (amount: string): number => Math.round(Number(amount) * 100)
const amountOf = (of: number): string => (of / 100).toFixed(2)

const byHand = f.boolean()

/** Each case as one writes it, and with a lock first: `byHand`, or an operation of its own. */
export const bank = withCode(declared, {
  actions: {
    account: {
      send: action({
        allow: anyone,
        input: { to: f.text(), amount: f.decimal(money) },
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
    booking: {
      confirm: action({
        allow: anyone,
        input: { byHand },
        async run({ record, input, db }) {
          if (input.byHand) await db.place.lock([record.placeId])
          const others = await db.booking.list({
            where: { placeId: { eq: record.placeId }, confirmed: { eq: true } },
            first: 1,
          })
          if (others.data.length > 0) throw problem("conflict", "The room is taken.")
          await db.booking.update(record.id, { confirmed: true })
        },
      }),
    },
    doctor: {
      leave: action({
        allow: anyone,
        input: { byHand },
        async run({ record, input, db }) {
          if (input.byHand) await db.place.lock([record.placeId])
          const others = await db.doctor.list({
            where: { placeId: { eq: record.placeId }, onCall: { eq: true } },
            first: 10,
          })
          if (others.data.length < 2) throw problem("conflict", "Somebody must stay.")
          await db.doctor.update(record.id, { onCall: false })
        },
      }),
    },
  },
  operations: {
    transfer: operation({
      allow: anyone,
      input: { from: f.text(), to: f.text(), amount: f.decimal(money) },
      async run({ input: { from, to, amount }, db }) {
        const locked = await db.account.lock([from, to])
        const [own, other] = [from, to].map((id) => locked.find((one) => one.id === id))
        if (!own || !other) throw problem("not_found", "There is no such account.")
        if (cents(own.balance) < cents(amount)) throw problem("conflict", "There is not enough.")
        await db.account.update(from, { balance: amountOf(cents(own.balance) - cents(amount)) })
        await db.account.update(to, { balance: amountOf(cents(other.balance) + cents(amount)) })
        await db.entry.create({ accountId: from, amount: amountOf(-cents(amount)) })
        await db.entry.create({ accountId: to, amount })
      },
    }),
    bill: operation({
      allow: anyone,
      input: { series: f.text(), byHand },
      async run({ input, db }) {
        if (input.byHand) await db.place.lock([input.series])
        await db.invoice.create({ number: (await db.invoice.list()).data.length + 1 })
      },
    }),
  },
})
