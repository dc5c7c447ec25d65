// What is told of requests that could not be answered: at once, and then no more often than somebody can read.
import assert from "node:assert/strict"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { describe, it } from "node:test"
import type { Code } from "../../src/base/codes.ts"
import type { Observation } from "../../src/server/observation.ts"
import { createOutageLog } from "../../src/server/outage-log.ts"
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
