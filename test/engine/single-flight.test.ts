// Equal reads that are under way share one execution, on both databases.
import assert from "node:assert/strict"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { after, before, describe, it } from "node:test"
import { createSingleFlight, createTurns } from "../../src/engine/single-flight.ts"
import type { FaceResponse } from "../../src/faces/exchange.ts"
import { openStorage } from "../../src/storage/open.ts"
import type { Storage } from "../../src/storage/storage.ts"
import { cleanUp, temporaryFolder } from "../support/database.ts"
import { connectFaces, dialects, type OpenService, openExample } from "../support/open-service.ts"

const order = "query ($id: ID!) { order(id: $id) { number lines(first: 3) { edges { cursor } } } }"

for (const database of dialects)
  describe(`equal reads under way (${database})`, () => {
    const hooks = cleanUp(after)
    let service: OpenService
    let ids: readonly string[]
    before(async () => {
      service = await openExample(hooks, "storefront", database)
      const { body } = await service.rest({ method: "GET", path: "/orders", query: "limit=50&fields=id" })
      ids = JSON.parse(body).data.map(({ id }: { id: string }) => id)
    })
    const ask = (given: readonly string[], by = service): Promise<readonly FaceResponse[]> =>
      Promise.all(given.map((id) => by.graphql({ body: { query: order, variables: { id } } })))
    const sentBy = async (work: () => Promise<unknown>): Promise<number> => {
      const { sent } = service.storage
      await work()
      return service.storage.sent - sent
    }

    it("are not joined by those that come after a write was acknowledged", async (test) => {
      const opened = await openExample(test, "storefront", database, { writes: "unsafe" })
      const gate = Promise.withResolvers<void>()
      const begun = Promise.withResolvers<void>()
      // What the first read finds is there before the write, and arrives after it.
      const slow: Storage = {
        ...opened.storage,
        async read(...given) {
          const row = await opened.storage.read(...given)
          begun.resolve()
          await gate.promise
          return row
        },
      }
      const { graphql } = connectFaces(opened.model, slow)
      const ask = () => graphql({ body: { query: '{ orderByNumber(number: "A-1") { note } }' } })
      const query =
        'mutation { updateOrders(where: {number: {eq: "A-1"}}, input: {note: "new"}, maxAffected: 1) { affected } }'
      const before = ask()
      await begun.promise
      const written = await graphql({ body: { query } })
      assert.equal(written.body, '{"data":{"updateOrders":{"affected":1}}}')
      const after = ask()
      gate.resolve()
      assert.ok(!(await before).body.includes('"new"'))
      assert.equal((await after).body, '{"data":{"orderByNumber":{"note":"new"}}}')
    })

    it("send one statement, and all have the same answer", async () => {
      const [id = ""] = ids
      let answers: readonly FaceResponse[] = []
      const sent = await sentBy(async () => {
        answers = await ask(Array.from({ length: 50 }, () => id))
      })
      assert.equal(sent, 1)
      assert.equal(answers[0]?.status, 200)
      assert.equal(new Set(answers.map(({ body }) => body)).size, 1)
    })

    it("are told apart by their values", async () => {
      assert.equal(ids.length, 50)
      let answers: readonly FaceResponse[] = []
      assert.equal(
        await sentBy(async () => {
          answers = await ask(ids)
        }),
        50,
      )
      assert.equal(new Set(answers.map(({ body }) => body)).size, 50)
    })

    it("leave nothing behind: the next one is sent", async () => {
      const [id = ""] = ids
      assert.equal(await sentBy(() => ask([id])), 1)
      assert.equal(await sentBy(() => ask([id])), 1)
    })

    it("are each sent when that is wanted", async () => {
      const alone = connectFaces(service.model, service.storage, { singleFlight: false })
      const [id = ""] = ids
      assert.equal(await sentBy(() => ask([id, id, id], alone)), 3)
    })
  })

describe("one flight", () => {
  it("shares a failure with who waits, and does not keep it", async () => {
    const { share } = createSingleFlight()
    let starts = 0
    const fail = async (): Promise<never> => {
      starts++
      await Promise.resolve()
      throw new Error("no")
    }
    const outcomes = await Promise.allSettled([share("a", [1], fail), share("a", [1], fail)])
    assert.deepEqual([outcomes.map(({ status }) => status), starts], [["rejected", "rejected"], 1])
    assert.deepEqual(await share("a", [1], async () => ["x"]), ["x"])
  })

  it("takes values of another type, or split otherwise, for others", async () => {
    const { share } = createSingleFlight()
    const lists = [
      [1],
      ["1"],
      [1n],
      [null],
      ["null"],
      ["", "1"],
      ["1", ""],
      [new Uint8Array([1])],
      ["AQ=="],
      ["a", "b"],
      ["ab"],
      ["1:astring1:b"],
    ]
    let starts = 0
    await Promise.all(lists.map((list) => share("a", list, async () => [String(starts++)])))
    assert.equal(starts, lists.length)
  })
})

describe("a turn of reads", () => {
  const log = async (reads: number): Promise<readonly string[]> => {
    const seen: string[] = []
    const endOfTurn = createTurns({ begin: () => seen.push("begin"), end: () => seen.push("end") })
    const read = async (name: string): Promise<void> => {
      await endOfTurn()
      seen.push(name)
    }
    await Promise.all(Array.from({ length: reads }, (_, index) => read(`${index}`)))
    await new Promise((resolve) => setImmediate(resolve))
    return seen
  }

  it("is one snapshot, which ends with it", async () => {
    assert.deepEqual(await log(3), ["begin", "0", "1", "2", "end"])
  })

  it("of one read needs none", async () => {
    assert.deepEqual(await log(1), ["0"])
  })

  it("sees what was written before it, on SQLite", async (context) => {
    const path = join(await temporaryFolder(context), "counter.db")
    const writer = new DatabaseSync(path)
    writer.exec("CREATE TABLE counter (value INTEGER); INSERT INTO counter VALUES (0)")
    const storage = await openStorage(path)
    context.after(() => storage.close())
    const endOfTurn = createTurns(storage.snapshot)
    const text = "SELECT concat(value) FROM counter"
    const read = async (nth: number) => {
      await endOfTurn()
      return storage.read(
        { text: `${text} -- ${nth}`, binds: [], columns: [0], cursors: [], flaws: false },
        [],
      )
    }
    for (let value = 1; value <= 5; value++) {
      writer.prepare("UPDATE counter SET value = ?").run(value)
      const rows = await Promise.all([read(1), read(2), read(3)])
      assert.deepEqual(rows, Array(3).fill([`${value}`]))
      await new Promise((resolve) => setImmediate(resolve))
    }
    writer.close()
  })
})
