// What may be slow runs beside the rest and has a deadline, on both databases.
import assert from "node:assert/strict"
import { after, before, describe, it } from "node:test"
import { setTimeout as sleep } from "node:timers/promises"
import type { Code } from "../../src/base/codes.ts"
import { planQuery } from "../../src/graphql/planning/plan.ts"
import { costOf } from "../../src/plan/cost/cost.ts"
import type { Statement } from "../../src/sql/statement.ts"
import { unremarkable } from "../../src/storage/storage.ts"
import { cleanUp } from "../support/database.ts"
import {
  dialects,
  exampleRecords,
  type OpenService,
  openExample,
  openService,
} from "../support/open-service.ts"
import type { TextResponse } from "../support/text-face.ts"
import { unlimited } from "../support/unlimited.ts"

/** Goes through the lines of every order, for each the lines of its product, and so on: minutes of work. */
const condition = `lines: {none: {product: {lines: {some: {order: {lines: {some: {product: {lines: {some:
  {giftMessage: {contains: "no such gift"}}}}}}}}}}}}`
/** The same by lists in lists, which no database turns into a join. */
const lists = `lines(first: 100) { nodes { product { lines(first: 100) { nodes { order { customer {
  orders(first: 100) { nodes { lines(first: 100) { nodes { product { lines { totalCount } } } } } } } } } } } } }`
const endless = {
  sqlite: (number: number) =>
    `{ orders(first: ${number}, where: {${condition}}) { nodes { number } totalCount } }`,
  postgres: (number: number) => `{ orders(first: ${number}) { nodes { ${lists} } } }`,
}
const bounded = `{ products(where: {name: {contains: "a"}}, first: 1) { totalCount } }`
const quick = '{ order(id: "ord_01gnna73qgf1p9fbnv5kgc46y8") { number } }'

const deadline = 700

for (const database of dialects)
  describe(`what may be slow (${database})`, () => {
    const hooks = cleanUp(after)
    let service: OpenService
    before(async () => {
      const { model, stored } = exampleRecords("storefront")
      service = await openService(hooks, {
        model: unlimited(model),
        records: stored,
        database,
        options: { deadline, slow: 1, waiting: 1 },
      })
    })
    const ask = (query: string): Promise<TextResponse> => service.graphql({ body: { query } })
    const refused = ({ status, body }: TextResponse, code: Code): void => {
      assert.equal(status, 503, body)
      const [error] = JSON.parse(body).errors
      assert.equal(error.extensions.code, code)
    }

    it("ends at its deadline, with others answered meanwhile, and then all is as before", async () => {
      const began = Date.now()
      let running = true
      let answered = 0
      const slow = ask(endless[database](100)).finally(() => {
        running = false
      })
      while (running) {
        const { status } = await ask(quick)
        assert.equal(status, 200)
        if (running) answered++
        await sleep(1)
      }
      refused(await slow, "deadline_exceeded")
      assert.ok(answered > 20, `${answered} were answered beside it`)
      assert.ok(Date.now() - began >= deadline, "it had its time")
      const { status, body } = await ask(bounded)
      assert.equal(status, 200, body)
    })

    it("is refused when too many wait already", async () => {
      const first = ask(endless[database](97))
      await sleep(50)
      const second = ask(endless[database](98))
      await sleep(50)
      let ended = 0
      for (const one of [first, second]) void one.then(() => ended++)
      refused(await ask(endless[database](99)), "overloaded")
      assert.equal(ended, 0, "the one too many did not wait")
      for (const answer of await Promise.all([first, second])) refused(answer, "deadline_exceeded")
    })

    it("is told by the cost", () => {
      const costs = [quick, endless[database](100)].map((query) =>
        costOf(planQuery(service.context, { query }), service.storage.statistics),
      )
      assert.ok((costs[0] ?? 0) < 5_000 && (costs[1] ?? 0) > 1_000_000, `${costs}`)
    })
  })

describe("a statement that does not end by itself", () => {
  const statement = (text: string): Statement => ({
    text,
    binds: [],
    columns: [0],
    cursors: [],
    flaws: false,
  })
  const counting = (rows: number): Statement =>
    statement(
      `WITH RECURSIVE c (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < ${rows}) SELECT CAST(count(*) AS TEXT) FROM c`,
    )

  it("is given up at its deadline, and its thread is replaced when it has ended (SQLite)", async (context) => {
    const { storage } = await openExample(context, "storefront", "sqlite", { deadline: 100, slow: 1 })
    await assert.rejects(
      storage.read(counting(20_000_000), [], { ...unremarkable, pace: "slow" }),
      /took too long/,
    )
    const again = async (): Promise<unknown> =>
      storage.read(counting(10), [], { ...unremarkable, pace: "slow" }).catch((error: unknown) => error)
    let row = await again()
    for (let tries = 0; tries < 600 && row instanceof Error; tries++) row = await again()
    assert.deepEqual(row, ["10"])
  })

  it("is slow from then on where it held the process, though it was thought to be prompt (SQLite)", async (context) => {
    const { storage } = await openExample(context, "gallery", "sqlite", { slow: 1 })
    const [long, short] = [counting(3_000_000), counting(10)]
    /** What the main thread answers is there before the event loop turns; a thread's answer comes by a message. */
    const answeredAtOnce = async (asked: Statement): Promise<boolean> => {
      let answered = false
      const row = storage.read(asked, []).then(() => {
        answered = true
      })
      await Promise.resolve().then(() => {})
      await new Promise(setImmediate)
      const atOnce = answered
      await row
      return atOnce
    }
    const asked: boolean[] = []
    for (const one of [long, long, short, long, short]) asked.push(await answeredAtOnce(one))
    assert.deepEqual(asked, [true, false, true, false, true])
  })

  it("ends where it was thought to be prompt, and is slow from then on (PostgreSQL)", async (context) => {
    const { storage } = await openExample(context, "gallery", "postgres", { deadline: 3_000, slow: 1 })
    const sleeping = statement("SELECT pg_sleep(1.5)::text")
    const before = storage.sent
    assert.deepEqual(await storage.read(sleeping, []), [""])
    assert.equal(storage.sent - before, 2)
    assert.deepEqual(await storage.read(sleeping, []), [""])
    assert.equal(storage.sent - before, 3)
  })
})
