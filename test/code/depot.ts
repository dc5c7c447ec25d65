// A service of which an operation tries what it is given, and catches all that is refused; its hooks write, refuse and catch.
import {
  f,
  many,
  one,
  operation,
  problem,
  resource,
  role,
  service,
  signedIn,
  withCode,
} from "../../src/index.ts"

const staff = role("staff")
const small = { total: { lt: 10 } } as const
const all = { read: signedIn, create: signedIn, update: signedIn, delete: signedIn }

interface Attempt {
  readonly create: readonly { readonly name: string; readonly total?: number }[]
  readonly together?: boolean
  /** What becomes of the first of them. */
  readonly update?: { readonly total: number }
  readonly delete?: boolean
  readonly careless?: boolean
}

const codeOf = (error: unknown): string =>
  (error as { problems?: readonly { code: string }[] }).problems?.[0]?.code ?? String(error)

const told = (asked: Promise<unknown>): Promise<string> => asked.then(() => "done", codeOf)

export const depot = withCode(
  service({
    name: "depot",
    roles: ["staff"],
    resources: {
      order: resource({
        id: "ord",
        history: true,
        fields: {
          name: f.text(),
          total: f.integer({ default: 0 }),
          slug: f.text({ optional: true, readonly: true }),
        },
        relations: { lines: many("line", { by: "order", owned: true }) },
        allow: { ...all, create: [staff, small], update: [staff, small] },
      }),
      line: resource({
        id: "lin",
        fields: { text: f.text() },
        relations: { order: one("order") },
        allow: all,
      }),
      note: resource({ id: "not", fields: { text: f.text() }, allow: all }),
      strict: resource({ id: "str", fields: { text: f.text() }, allow: all }),
    },
  }),
  {
    operations: {
      attempt: operation({
        allow: signedIn,
        input: {
          create: f.json(),
          together: f.boolean({ optional: true }),
          update: f.json({ optional: true }),
          delete: f.boolean({ optional: true }),
          careless: f.boolean({ optional: true }),
        },
        output: { errors: f.json() },
        async run({ input, db }) {
          const { create, together, update, careless, ...rest } = input as unknown as Attempt
          if (careless) for (const order of create) void db.order.create(order)
          if (careless) return { errors: [] }
          if (together)
            return { errors: await Promise.all(create.map((order) => told(db.order.create(order)))) }
          const errors: string[] = []
          for (const order of create) errors.push(await told(db.order.create(order)))
          const [first] = (await db.order.list()).data
          if (first && update) errors.push(await told(db.order.update(first.id, update)))
          if (first && rest.delete) errors.push(await told(db.order.delete(first.id)))
          return { errors }
        },
      }),
    },
    before: {
      order: {
        async create({ new: { name }, db }) {
          if (name === "Refused") {
            await db.note.create({ text: "left behind" })
            throw problem("conflict", "No.")
          }
          if (name === "Catching")
            await db.note.create({ text: `caught ${await told(db.strict.create({ text: "bad" }))}` })
          if (name === "Careless") void db.note.create({ text: "not awaited" })
          if (name === "Careless deep") void db.strict.create({ text: "not awaited" })
          if (name === "Side by side") {
            const texts = ["one", "bad", "three"]
            await Promise.allSettled(texts.map((text) => db.strict.create({ text })))
          }
          return { slug: name.toLowerCase() }
        },
        update: ({ new: { name } }) => ({ slug: `${name}, changed` }),
        async delete({ db }) {
          await db.note.create({ text: "left behind" })
          throw problem("conflict", "No.")
        },
      },
      line: {
        create({ new: { text } }) {
          if (text === "bad") throw problem("conflict", "No.")
        },
      },
      strict: {
        async create({ new: { text }, db }) {
          await db.note.create({ text })
          // So that others could come in between.
          await new Promise((resolve) => setTimeout(resolve, 5))
          if (text === "bad") throw problem("conflict", "No.")
        },
      },
    },
  },
)
