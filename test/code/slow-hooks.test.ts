// What a hook is told, and what a rule has said, still is so when the record is written, whoever asks for what meanwhile.
import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { setTimeout as wait } from "node:timers/promises"
import pg from "pg"
import { anyone, f, many, one, resource, role, service, withCode } from "../../src/index.ts"
import type { Client } from "../../src/tools/testing/client.ts"
import { dialects } from "../support/open-service.ts"
import { type OpenCode, openCode } from "./open.ts"

const all = { read: anyone, create: anyone, update: anyone, delete: anyone }
const inCart = { status: { eq: "cart" } } as const

const desk = service({
  name: "desk",
  roles: ["staff"],
  resources: {
    customer: resource({
      id: "cus",
      fields: { name: f.text() },
      relations: {
        carts: many("cart", { by: "customer" }),
        notes: many("note", { by: "customer", owned: true }),
      },
      allow: all,
    }),
    cart: resource({
      id: "crt",
      fields: { status: f.oneOf(["cart", "paid"], { default: "cart" }) },
      relations: {
        customer: one("customer", { optional: true }),
        lines: many("line", { by: "cart", owned: true }),
      },
      allow: { ...all, update: [role("staff"), inCart], delete: inCart },
    }),
    line: resource({
      id: "lin",
      fields: { count: f.integer() },
      relations: { cart: one("cart") },
      allow: all,
    }),
    note: resource({
      id: "not",
      fields: { text: f.text() },
      relations: { customer: one("customer") },
      allow: all,
    }),
  },
})

/** What each hook was told, and what is asked for while it runs. */
const told: { readonly hook: string; readonly old: object }[] = []
let meanwhile: (hook: string) => unknown = () => {}

async function tell(hook: string, old: object): Promise<void> {
  told.push({ hook, old })
  // Whoever has to wait for this transaction would never be done.
  await Promise.race([meanwhile(hook), wait(200)])
}

const hooked = withCode(desk, {
  before: {
    cart: {
      async delete({ old }) {
        await tell("cart", old)
      },
    },
    line: {
      async delete({ old }) {
        await tell("line", old)
      },
    },
    note: {
      async delete({ old }) {
        await tell("note", old)
      },
    },
  },
})

interface Made {
  readonly id: string
}

interface Answer {
  readonly status: number
}

const made = async (as: Client, path: string, body: object): Promise<string> =>
  (await as.rest<Made>("POST", path, body)).body.id
const listed = async (as: Client, path: string) =>
  (await as.rest<{ readonly data: readonly Made[] }>("GET", path)).body.data

/** What is asked for when somebody has paid all carts, and that is not committed yet. */
async function whilePaying<Result>(
  url: string,
  ask: () => Promise<Result>,
): Promise<{ gone: Promise<Result> }> {
  const other = new pg.Client({ connectionString: url })
  await other.connect()
  try {
    await other.query("BEGIN")
    await other.query("UPDATE cart SET status = 'paid'")
    const gone = ask()
    await wait(200)
    await other.query("COMMIT")
    return { gone }
  } finally {
    await other.end()
  }
}

// One after the other: what hooks are told is kept in one list.
describe("slow hooks", { concurrency: 1 }, () => {
  for (const database of dialects) {
    const it = (name: string, run: (opened: OpenCode, somebody: Client) => Promise<void>) =>
      test(`${name} (${database})`, async (t) => {
        const opened = await openCode(t, hooked, database)
        told.length = 0
        meanwhile = () => {}
        await run(opened, opened.as("signedIn"))
      })

    for (const [hook, lines] of [
      ["line", [{ count: 1 }]],
      ["cart", [{ count: 1 }]],
      ["cart", []],
    ] as const)
      for (const door of ["by itself", "of its customer"] as const)
        it(`a paid cart stays, whatever the hook of a ${hook} waits for, ${lines.length} owned, ${door}`, async (opened, somebody) => {
          const customer = await made(somebody, "/customers", { name: "Ann" })
          const cart = await made(somebody, "/carts", { customerId: customer, lines: { create: lines } })
          let paid: Promise<Answer> | undefined
          meanwhile = (running) => {
            if (running === hook)
              paid ??= opened.as("role:staff").rest("PATCH", `/carts/${cart}`, { status: "paid" })
            return paid
          }
          const gone: Answer =
            door === "by itself"
              ? await somebody.rest("DELETE", `/carts/${cart}`)
              : await somebody.rest("PATCH", `/customers/${customer}`, { carts: { delete: [cart] } })
          const { status } = (await paid) ?? assert.fail("the hook has run")
          // Whoever comes second is told that there is none.
          assert.ok(gone.status < 300, `${gone.status}`)
          assert.equal(status, 404)
          assert.deepEqual(await listed(somebody, "/carts"), [])
        })

    it("hooks of what goes along are told what goes", async (_, somebody) => {
      const cart = await made(somebody, "/carts", { lines: { create: [{ count: 1 }] } })
      const [line] = await listed(somebody, "/lines")
      let changed: Promise<Answer> | undefined
      meanwhile = (running) => {
        if (running === "line") changed ??= somebody.rest("PATCH", `/lines/${line?.id}`, { count: 77 })
        return changed
      }
      assert.equal((await somebody.rest("DELETE", `/carts/${cart}`)).status, 204)
      assert.equal((await changed)?.status, 404)
      assert.deepEqual(
        told.map(({ hook, old }) => [hook, "count" in old && old.count]),
        [
          ["cart", false],
          ["line", 1],
        ],
      )
    })

    it("nothing goes along that no hook was told of", async (_, somebody) => {
      const customer = await made(somebody, "/customers", {
        name: "Ann",
        notes: { create: [{ text: "first" }] },
      })
      let added: Promise<Answer> | undefined
      meanwhile = () => {
        added ??= somebody.rest("POST", "/notes", { text: "second", customerId: customer })
        return added
      }
      assert.equal((await somebody.rest("DELETE", `/customers/${customer}`)).status, 204)
      assert.equal((await added)?.status, 422)
      assert.equal(told.length, 1)
    })
  }

  test("a cart that is being paid while it is to go stays, without hooks as well (postgres)", async (t) => {
    const opened = await openCode(t, desk, "postgres")
    const somebody = opened.as("signedIn")
    const cart = await made(somebody, "/carts", { lines: { create: [{ count: 1 }] } })
    const { gone } = await whilePaying(opened.url, () => somebody.rest("DELETE", `/carts/${cart}`))
    assert.equal((await gone).status, 403)
    assert.equal((await listed(somebody, "/lines")).length, 1)
  })
})
