// What is told of requests that could not be answered: at once, and then no more often than somebody can read.
import assert from "node:assert/strict"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { describe, it } from "node:test"
import type { Code } from "../../src/base/codes.ts"
import type { Observation } from "../../src/server/observation.ts"
import { createFaultLog, createOutageLog } from "../../src/server/outage-log.ts"
import { bifold, serving } from "../cli/run.ts"
import { temporaryFolder } from "../support/database.ts"

const unanswered = (requestId: string, code: Code = "storage_unavailable"): Observation => ({
  kind: "unanswered",
  requestId,
  problem: { code, message: "No." },
  cause: undefined,
  count: 1,
})

describe("requests that could not be answered", () => {
  it("are told at once, then every ten seconds how many more, each code by itself", (test) => {
    test.mock.timers.enable({ apis: ["setInterval"] })
    const told: string[] = []
    const { observe, end } = createOutageLog((one) => {
      if (one.kind === "unanswered") told.push(`${one.count} ${one.problem.code} ${one.requestId}`)
      else told.push(one.kind)
    })
    const said = (): readonly string[] => told.splice(0)
    observe(unanswered("a"))
    observe(unanswered("b", "database_mismatch"))
    observe({ kind: "cut", connections: 1 })
    assert.deepEqual(said(), ["1 storage_unavailable a", "1 database_mismatch b", "cut"])
    for (const id of ["c", "d", "e"]) observe(unanswered(id))
    test.mock.timers.tick(9_999)
    assert.deepEqual(said(), [])
    test.mock.timers.tick(1)
    assert.deepEqual(said(), ["3 storage_unavailable e"])
    observe(unanswered("f", "database_mismatch"))
    assert.deepEqual(said(), ["1 database_mismatch f"], "the one before was long ago")
    observe(unanswered("g"))
    end()
    assert.deepEqual(said(), ["1 storage_unavailable g"])
    test.mock.timers.tick(60_000)
    assert.deepEqual(said(), [])
  })

  it("those of credentials that are not accepted are counted by their fault", (test) => {
    test.mock.timers.enable({ apis: ["setInterval"] })
    const told: string[] = []
    const { observe } = createOutageLog((one) => {
      if (one.kind === "unidentified") told.push(`${one.count} ${one.fault} ${one.requestId}`)
    })
    const refused = (requestId: string, fault: string): Observation => ({
      kind: "unidentified",
      requestId,
      fault,
      count: 1,
    })
    for (let index = 0; index < 1_000; index += 1) observe(refused(`a${index}`, "there is no such key"))
    observe(refused("b", "the token has expired"))
    assert.deepEqual(told.splice(0), ["1 there is no such key a0", "1 the token has expired b"])
    test.mock.timers.tick(10_000)
    assert.deepEqual(told.splice(0), ["999 there is no such key a999"])
    test.mock.timers.tick(60_000)
    assert.deepEqual(told, [])
  })

  it("faults of one cause are told ten times, then every ten seconds how many more", (test) => {
    test.mock.timers.enable({ apis: ["setInterval"] })
    const told: string[] = []
    const { observe, end } = createFaultLog((one) => {
      if (one.kind === "failed") told.push(`${one.count ?? 1} ${one.requestId}`)
      else if (one.kind === "unhandled") told.push(`${one.count ?? 1} ${one.record} ${one.due}`)
      else told.push(one.kind)
    })
    const boom = (id: number): Error => new Error(`order ${id} cannot be shipped`)
    for (let id = 0; id < 10_000; id += 1) observe({ kind: "failed", requestId: `r${id}`, error: boom(id) })
    const first = Array.from({ length: 10 }, (_, id) => `1 r${id}`)
    assert.deepEqual(told.splice(0), first)
    // Another place is another cause.
    observe({ kind: "failed", requestId: "other", error: new Error("order 1 cannot be shipped") })
    observe({ kind: "cut", connections: 1 })
    assert.deepEqual(told.splice(0), ["1 other", "cut"])
    test.mock.timers.tick(10_000)
    assert.deepEqual(told.splice(0), ["9990 r9999"])
    test.mock.timers.tick(20_000)
    observe({ kind: "failed", requestId: "later", error: boom(1) })
    assert.deepEqual(told.splice(0), ["1 later"])
    // One that waits for people is told apart from those that are tried again.
    const unhandled = { kind: "unhandled", handler: "mail", event: "evt_1", attempts: 1 } as const
    const smtp = new Error("smtp")
    for (let id = 0; id < 20; id += 1) observe({ ...unhandled, record: `o${id}`, error: smtp, due: 5 })
    observe({ ...unhandled, record: "last", error: smtp, due: null })
    assert.equal(told.splice(0).at(-1), "1 last null")
    end()
    assert.deepEqual(told.splice(0), ["10 o19 5"])
    // Causes are as many as an attacker likes, and are not kept apart for ever.
    const named = (name: number): Error => Object.assign(new Error("x"), { name: `N${name}` })
    for (let name = 0; name < 1_000; name += 1)
      observe({ kind: "failed", requestId: `n${name}`, error: named(name) })
    assert.ok(told.length <= 110, `${told.length} lines`)
    end()
  })

  it("are told on stderr with what the database lacks, which clients are not told", async (test) => {
    const cwd = await temporaryFolder(test)
    const database = new DatabaseSync(join(cwd, "shop.db"))
    database.exec("CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL)")
    assert.equal((await bifold(["introspect", "shop.db", "--out", "books.ts"], { cwd })).code, 0)
    const server = await serving(["books.ts", "--database", "shop.db", "--open", "read"], { cwd })
    database.exec("DROP TABLE book")
    database.close()
    for (const path of [
      "/books",
      "/books/1",
      `/graphql?query=${encodeURIComponent("{books{totalCount}}")}`,
    ]) {
      const answer = await fetch(server.url + path)
      assert.ok(answer.status >= 500)
      assert.doesNotMatch(await answer.text(), /no such table/)
    }
    const { stderr } = await server.end()
    assert.match(stderr, /no table `?"?book/)
    assert.match(stderr, /^✗ Request \S+ was not answered \(resource_unavailable\)\. /m)
    assert.match(
      stderr,
      /^✗ 2 more requests were not answered, the last of them \S+ \(resource_unavailable\)\. /m,
    )
    assert.equal(stderr.match(/not answered/g)?.length, 2, stderr)
  })
})
