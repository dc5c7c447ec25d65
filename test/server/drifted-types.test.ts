// A migration changes how values are stored while the previous version serves: it answers 503 in place of other numbers.
import assert from "node:assert/strict"
import { Readable } from "node:stream"
import { after, describe, it } from "node:test"
import type { FieldDeclaration } from "../../src/model/declaration/declaration.ts"
import { load } from "../../src/model/load.ts"
import type { Model } from "../../src/model/model.ts"
import { openTerminal } from "../../src/observe/terminal/terminal.ts"
import { everybodyOf } from "../../src/plan/access/actor.ts"
import { openModel } from "../../src/plan/access/visible-model.ts"
import { createFaces } from "../../src/server/service.ts"
import { watchDatabase } from "../../src/service/database-check.ts"
import { migrate } from "../../src/storage/migration/migrate.ts"
import { openStorage } from "../../src/storage/open.ts"
import { migratedDatabases } from "../storage/migrated-databases.ts"
import { cleanUp, type Hooks } from "../support/database.ts"

const hooks = cleanUp(after)
const databases = await migratedDatabases(hooks)

const shop = (fields: Record<string, FieldDeclaration>): Model =>
  load({
    name: "shop",
    resources: {
      item: { fields: { name: { scalar: "text" }, ...fields } },
      town: { fields: { name: { scalar: "text" } } },
    },
  })

const digits = (precision: number, scale: number): FieldDeclaration => ({
  scalar: "decimal",
  precision,
  scale,
})

async function serve(on: Hooks, url: string, made: Model) {
  const said: string[] = []
  const stream = { write: (text: string) => said.push(text) }
  const terminal = openTerminal({ stdin: Readable.from([]), stdout: stream, stderr: stream, env: {} })
  const { model, drift } = watchDatabase(terminal, { model: made, database: url })
  const storage = await openStorage(url, { writes: "unsafe" })
  on.after(() => storage.close())
  const served = openModel(model)
  const { facesFor } = createFaces({ model: served, storage, secret: "s", base: "", drift })
  const actor = everybodyOf(served)
  const ask = async (method: string, address: string, body?: object): Promise<string> => {
    const [path = "", query = ""] = address.split("?")
    const answer = await facesFor(actor).rest({
      method,
      path,
      query,
      requestId: "test",
      actor,
      headers: body ? { "content-type": "application/json" } : {},
      body: Buffer.from(body ? JSON.stringify(body) : ""),
    })
    const text = String(answer.body ?? "")
    const { code, price, data } = JSON.parse(text) as {
      code?: string
      price?: unknown
      data?: { price?: unknown }[]
    }
    if (answer.status >= 400) return `${answer.status} ${code}`
    return [answer.status, ...(data ?? [{ price }]).map((one) => String(one.price))].join(" ")
  }
  return { ask, said }
}

const hurt = "503 resource_unavailable"

for (const { name, open } of databases)
  describe(`types that change while the previous version serves on ${name}`, () => {
    const begin = async (on: Hooks, price: FieldDeclaration) => {
      const database = await open()
      on.after(database.close)
      const before = shop({ price })
      await migrate(database.url, before, { allow: [] })
      await database.ask("INSERT INTO town (id, name) VALUES ('t', 'T')")
      const { ask, said } = await serve(on, database.url, before)
      assert.equal(
        await ask("POST", "/items", { name: "a", price: price.scalar === "decimal" ? "10.00" : 10 }),
        price.scalar === "decimal" ? "201 10.00" : "201 10",
      )
      return { ask, said, database }
    }

    for (const { how, from, to } of [
      { how: "a decimal's scale", from: digits(9, 2), to: digits(12, 3) },
      { how: "a whole number to a decimal", from: { scalar: "integer" } as const, to: digits(14, 2) },
    ])
      it(`${how}: nobody reads or writes another number`, async (test) => {
        const { ask, said, database } = await begin(test, from)
        const after = shop({ price: to })
        await migrate(database.url, after, { allow: [] })
        const value = from.scalar === "decimal" ? "10.00" : 10
        if (name === "PostgreSQL" && from.scalar === "decimal") {
          // Each value says where its point is.
          assert.equal(await ask("GET", "/items"), "200 10.00")
          assert.equal(await ask("POST", "/items", { name: "b", price: value }), "201 10.00")
          const now = await serve(test, database.url, after)
          assert.equal(await now.ask("GET", "/items"), "200 10.000 10.000")
          return
        }
        assert.equal(await ask("GET", "/towns"), "200 undefined")
        for (const first of ["GET", "POST"] as const)
          assert.equal(
            await ask(first, "/items", first === "POST" ? { name: "b", price: value } : undefined),
            hurt,
          )
        assert.equal(await ask("GET", "/towns"), "200 undefined")
        assert.match(said.join(""), /price/)
        const now = await serve(test, database.url, after)
        assert.equal(await now.ask("GET", "/items"), from.scalar === "decimal" ? "200 10.000" : "200 10.00")
      })

    it("a write that comes first writes nothing", async (test) => {
      const { ask, database } = await begin(test, { scalar: "integer" })
      await migrate(database.url, shop({ price: digits(14, 2) }), { allow: [] })
      assert.equal(await ask("POST", "/items", { name: "b", price: 10 }), hurt)
      assert.equal((await database.ask("SELECT price FROM item")).length, 1)
    })

    it("a wider decimal and other columns leave it be", async (test) => {
      const { ask, said, database } = await begin(test, digits(9, 2))
      await migrate(database.url, shop({ price: digits(12, 2), note: { scalar: "text", optional: true } }), {
        allow: [],
      })
      assert.equal(await ask("GET", "/items"), "200 10.00")
      assert.equal(await ask("POST", "/items", { name: "b", price: "2.50" }), "201 2.50")
      assert.deepEqual(said, [])
    })
  })
