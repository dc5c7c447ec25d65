// A service that closes its database refuses as one that cannot be used, and not as one with too much to do.
import assert from "node:assert/strict"
import { test } from "node:test"
import { present } from "../../src/base/invariant.ts"
import { Refusal } from "../../src/base/problem.ts"
import type { Statement } from "../../src/sql/statement.ts"
import { openStorage } from "../../src/storage/open.ts"
import { unremarkable } from "../../src/storage/storage.ts"
import type { Work } from "../../src/storage/write-request.ts"
import { ledgerDatabase } from "../durability/ledger.ts"
import { dialects } from "../support/open-service.ts"

const text = "SELECT 'a'"
const statement: Statement = { text, binds: [], columns: [0], cursors: [], flaws: false }
const work: Work = {
  shape: { commands: [{ text, takes: 0 }], wanted: [0], takes: 0, sure: false },
  parameters: [],
}
const code = (asked: Promise<unknown>): Promise<unknown> =>
  asked.then(
    () => "done",
    (fault: unknown) => (fault instanceof Refusal ? fault.problems[0].code : fault),
  )

for (const database of dialects)
  test(`reads, writes and transactions of a closing service are refused as unavailable (${database})`, async (context) => {
    const storage = await openStorage(await ledgerDatabase(context, database), { writes: "unsafe" })
    const write = present(storage.write, "it was opened for writing")
    const transact = present(storage.transact, "it was opened for writing")
    const begun = Promise.withResolvers<void>()
    const goOn = Promise.withResolvers<void>()
    const lasts = 10_000
    const first = code(
      transact(
        async () => {
          begun.resolve()
          await goOn.promise
          return [null]
        },
        { lasts },
      ),
    )
    await begun.promise
    const closed = storage.close()
    const during = [code(write(work)), code(transact(async () => [null], { lasts }))]
    goOn.resolve()
    assert.equal(await first, "done")
    assert.deepEqual(await Promise.all(during), ["storage_unavailable", "storage_unavailable"])
    await closed
    const slow = code(storage.read(statement, [], { ...unremarkable, pace: "slow" }))
    assert.equal(await slow, "storage_unavailable")
  })
