// A shop with code of every kind, whose handler writes and whose webhooks are sent.
import { trace } from "@opentelemetry/api"
import { action, computed, f, handler, problem, resource, role, service, withCode } from "../../src/index.ts"

/** What the handler of orders that are noted as `held` waits for. */
export const held = { released: Promise.resolve() }

const staff = role("staff")
const allow = { read: staff, create: staff, update: staff, delete: staff }

const declared = service({
  name: "shop",
  roles: ["staff"],
  webhooks: { manage: staff, networks: ["127.0.0.0/8"] },
  resources: {
    order: resource({
      id: "ord",
      fields: {
        number: f.text({ unique: true }),
        note: f.text({ optional: true }),
      },
      history: true,
      allow,
    }),
    letter: resource({ id: "let", fields: { about: f.text() }, history: true, allow }),
  },
})

export const shop = withCode(declared, {
  actions: {
    order: {
      approve: action({
        input: { word: f.text() },
        allow: staff,
        deadline: 60_000,
        run: async ({ input: { word }, record, db }) =>
          // A span of the host's own code.
          trace.getTracer("host").startActiveSpan("own", async (span) => {
            await new Promise((resolve) => setTimeout(resolve, 5))
            await db.order.update(record.id, { note: word })
            span.end()
            if (word === "refuse") throw problem("conflict", `Not by ${word}.`)
            if (word.startsWith("break")) throw new TypeError(`It broke by ${word}.`)
          }),
      }),
    },
  },
  computed: {
    order: {
      shout: computed({
        type: f.text({ optional: true }),
        needs: ["number"],
        run: (orders) => orders.map(({ number }) => `${number}!`),
      }),
    },
  },
  on: {
    "order.created": handler({
      name: "thanks",
      as: { roles: ["staff"] },
      async run({ record, db }) {
        if (record?.note === "held") await held.released
        if (record?.note === "refused") throw new Error("It is refused.")
        if (record) await db.letter.create({ about: record.id })
      },
    }),
  },
})
