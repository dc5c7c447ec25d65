// Equal reads that are under way share one execution, on both databases.
import assert from "node:assert/strict"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { after, before, describe, it } from "node:test"
import { elapsed } from "../../src/base/clock.ts"
import { startRequest } from "../../src/base/request.ts"
import { createSingleFlight, type SingleFlight } from "../../src/engine/single-flight.ts"
import type { FaceResponse } from "../../src/http/face.ts"
import type { CostEstimate } from "../../src/plan/cost/cost.ts"
import type { Statement } from "../../src/sql/statement.ts"
import { openStorage } from "../../src/storage/open.ts"
import { type Row, type Storage, unremarkable } from "../../src/storage/storage.ts"
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
      const { readTogether: _, ...others } = opened.storage
      const slow: Storage = {
        ...others,
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

    it("are asked for again where the time of who began them is over, and that of who joined is not", async () => {
      const { read } = createSingleFlight(service.storage)
      const now = elapsed()
      const outlook = database === "postgres" ? slow : undefined
      const asked = [0, now, now].map((since) =>
        read({ statement, parameters: [], outlook, request: { ...startRequest(""), since } }),
      )
      const [first, ...joined] = await Promise.allSettled(asked)
      assert.match(JSON.stringify(first), /"deadline_exceeded"/)
      assert.deepEqual(
        joined.map(({ status }) => status),
        ["fulfilled", "fulfilled"],
      )
    })

    it("are each sent when that is wanted", async () => {
      const alone = connectFaces(service.model, service.storage, { singleFlight: false })
      const [id = ""] = ids
      assert.equal(await sentBy(() => ask([id, id, id], alone)), 3)
    })
  })

const statement: Statement = { text: "SELECT 1", binds: [], columns: [0], cursors: [], flaws: false }
const slow: CostEstimate = { ...unremarkable, pace: "slow" }

const reading =
  ({ read }: SingleFlight): Storage["read"] =>
  (statement, parameters, outlook) =>
    read({ statement, parameters, outlook })

describe("one flight", () => {
  it("shares a failure with who waits, and does not keep it", async () => {
    let starts = 0
    const flight = createSingleFlight({
      async read() {
        starts++
        await Promise.resolve()
        if (starts === 1) throw new Error("no")
        return ["x"]
      },
    })
    const read = reading(flight)
    const outcomes = await Promise.allSettled([read(statement, [1]), read(statement, [1])])
    assert.deepEqual([outcomes.map(({ status }) => status), starts], [["rejected", "rejected"], 1])
    assert.deepEqual(await read(statement, [1]), ["x"])
  })

  it("takes values of another type, or split otherwise, for others", async () => {
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
    const read = reading(createSingleFlight({ read: async () => [String(starts++)] }))
    await Promise.all(lists.map((list) => read(statement, list)))
    assert.equal(starts, lists.length)
  })
})

describe("a turn of reads that hold the process", () => {
  const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
  /** Storage that says what it was asked, by the first parameter of each. */
  const noting = (rows: (name: string) => Row | Promise<Row>) => {
    const turns: string[][] = []
    const apart: string[] = []
    const flight = createSingleFlight({
      async read(_, [name]) {
        apart.push(String(name))
        return rows(String(name))
      },
      readTogether(reads) {
        const names = Array.from(reads, ({ parameters: [name] }) => String(name))
        turns.push(names)
        return names.map(rows)
      },
    })
    return { read: reading(flight), forget: flight.forget, turns, apart }
  }

  it("is one reading of all that arrived in it, equal ones once", async () => {
    const { read, turns, apart } = noting((name) => [name])
    const rows = await Promise.all(["a", "b", "a"].map((name) => read(statement, [name])))
    assert.deepEqual(rows, [["a"], ["b"], ["a"]])
    await read(statement, ["a"])
    assert.deepEqual([turns, apart], [[["a", "b"], ["a"]], []])
  })

  it("tells texts apart", async () => {
    const { read, turns } = noting((name) => [name])
    await Promise.all([read(statement, ["a"]), read({ ...statement, text: "SELECT 2" }, ["a"])])
    assert.deepEqual(turns, [["a", "a"]])
  })

  it("has nothing of what is expected to be slow", async () => {
    const { read, turns, apart } = noting((name) => [name])
    await Promise.all([read(statement, ["a"], slow), read(statement, ["a"], slow)])
    assert.deepEqual([turns, apart], [[], ["a"]])
  })

  it("leaves one that is slow after all to those who come until it has ended, or something was written", async () => {
    const gate = Promise.withResolvers<Row>()
    const { read, forget, turns } = noting(() => gate.promise)
    const first = read(statement, ["a"])
    await nextTurn()
    const joined = read(statement, ["a"])
    await nextTurn()
    assert.deepEqual(turns, [["a"]])
    forget()
    const later = read(statement, ["a"])
    await nextTurn()
    assert.deepEqual(turns, [["a"], ["a"]])
    gate.resolve(["x"])
    assert.deepEqual(await Promise.all([first, joined, later]), [["x"], ["x"], ["x"]])
    await read(statement, ["a"])
    assert.equal(turns.length, 3)
  })

  it("fails for those alone whose read has failed", async () => {
    const { read } = noting((name) => (name === "bad" ? Promise.reject(new Error("no")) : [name]))
    const outcomes = await Promise.allSettled(["a", "bad", "bad", "b"].map((name) => read(statement, [name])))
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ["fulfilled", "rejected", "rejected", "fulfilled"],
    )
  })

  it("sees what was written before it, on SQLite", async (context) => {
    const path = join(await temporaryFolder(context), "counter.db")
    const writer = new DatabaseSync(path)
    writer.exec(
      "PRAGMA journal_mode = WAL; CREATE TABLE counter (value INTEGER); INSERT INTO counter VALUES (0)",
    )
    const storage = await openStorage(path)
    context.after(() => storage.close())
    const read = reading(createSingleFlight(storage))
    const numbered = (nth: number) =>
      read({ ...statement, text: `SELECT concat(value) FROM counter -- ${nth}` }, [])
    for (let value = 1; value <= 5; value++) {
      writer.prepare("UPDATE counter SET value = ?").run(value)
      const rows = await Promise.all([numbered(1), numbered(2), numbered(3)])
      assert.deepEqual(rows, Array(3).fill([`${value}`]))
    }
    writer.close()
  })
})
