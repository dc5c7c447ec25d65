// Long values of PostgreSQL come as bytes, short ones as text, and neither is overwritten by what comes after.
import assert from "node:assert/strict"
import { after, test } from "node:test"
import manifest from "../../package.json" with { type: "json" }
import { openStorage } from "../../src/storage/open.ts"
import { cleanUp, temporaryPostgres } from "../support/database.ts"

const hooks = cleanUp(after)

/** Letters of one, two, three and four bytes. */
const piece = "aé木🎵"
const statement = (times: number) => ({
  text: `SELECT repeat('${piece}', ${times}), 'short', NULL`,
  binds: [],
  columns: [0],
  cursors: [],
  flaws: false,
})

test("a long value is bytes, a short one text, a missing one null", async () => {
  const storage = await openStorage(await temporaryPostgres(hooks))
  hooks.after(() => storage.close())
  const read = (times: number) => storage.read(statement(times), [])
  const [long, short, missing] = await read(10_000)
  assert.ok(Buffer.isBuffer(long))
  assert.equal(long.toString(), piece.repeat(10_000))
  assert.deepEqual([short, missing], ["short", null])
  assert.equal((await read(10))[0], piece.repeat(10))
})

test("values that come one after another on a connection stay what they are", async () => {
  const storage = await openStorage(await temporaryPostgres(hooks))
  hooks.after(() => storage.close())
  const sizes = Array.from({ length: 12 }, (_, index) => 2_000 + index * 1_500)
  const rows = await Promise.all(sizes.map((times) => storage.read(statement(times), [])))
  assert.deepEqual(
    rows.map(([value]) => String(value)),
    sizes.map((times) => piece.repeat(times)),
  )
})

// The parser is a file inside its package: another version may have it elsewhere.
test("the driver's parser has one version", () => {
  assert.match(manifest.dependencies["pg-protocol"], /^\d+\.\d+\.\d+$/)
})
