// The table of epochs grows with the starts of the database, and is cut with the log.
import assert from "node:assert/strict"
import { DatabaseSync } from "node:sqlite"
import { after, describe, test } from "node:test"
import pg from "pg"
import { anyone, f, resource, service } from "../../src/index.ts"
import { type LogPlace, logStart } from "../../src/sql/log/epochs.ts"
import { cleanUp } from "../support/database.ts"
import { databases, openLogging } from "./open.ts"

const hooks = cleanUp(after)
const later = "9999-01-01T00:00:00.000000Z"

const counters = service({
  name: "counters",
  resources: {
    counter: resource({
      id: "cou",
      fields: { count: f.integer() },
      history: true,
      allow: { read: anyone, create: anyone },
    }),
  },
})

/** Rows of a statement. */
async function ask(url: string, text: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  if (!url.startsWith("postgres")) {
    const file = new DatabaseSync(url)
    try {
      return file.prepare(text).all()
    } finally {
      file.close()
    }
  }
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

for (const database of databases)
  describe(`epochs, ${database}`, () => {
    const open = async () => {
      const of = await openLogging(hooks, database, counters)
      const { url, log } = of
      let epochs = 0
      /** As another start of the database begins one. */
      const begin = async (): Promise<void> => {
        const { end } = await log.end()
        epochs += 1
        await ask(
          url,
          `INSERT INTO bifold_epoch (begins, name, start) VALUES (${end.position}, '${String(epochs).padStart(10, "0")}', 'start ${epochs}')`,
        )
      }
      const write = async (): Promise<LogPlace> => {
        await of.as("anyone").rest("POST", "/counters", { count: 1 })
        return (await log.end()).end
      }
      const count = async (): Promise<number> => (await ask(url, "SELECT name FROM bifold_epoch")).length
      return { log, begin, write, count }
    }

    test("go with the rows of the log, and ids of rows that stay are the same", async () => {
      const { log, begin, write, count } = await open()
      const places: LogPlace[] = []
      for (let start = 0; start < 20; start += 1) {
        places.push(await write(), await write())
        await begin()
      }
      places.push(await write())
      assert.ok((await count()) >= 21)
      const kept = places.slice(-4)
      const before = (await log.read(0n, 100)).slice(-4).map(({ epoch, position }) => ({ epoch, position }))
      // The rows before the last four; then all but the last.
      await log.forget({ before: later, below: kept[0]?.position ?? 0n }, 1_000)
      const rows = await log.read(0n, 100)
      assert.deepEqual(
        rows.map(({ epoch, position }) => ({ epoch, position })),
        before,
      )
      assert.ok((await count()) <= 4, `${await count()} epochs for four rows`)
      while (await log.forget({ before: later }, 1_000));
      assert.ok((await count()) <= 2, `${await count()} epochs for one row`)
    })

    test("a place of one that is removed has a gap, and the last place before the rows has none", async () => {
      const { log, begin, write } = await open()
      const places: LogPlace[] = []
      for (let start = 0; start < 6; start += 1) {
        places.push(await write(), await write())
        await begin()
      }
      // Behind the last row of an epoch, of which no row stays.
      const [border, first] = [places[7], places[8]]
      assert.ok(border && first)
      await log.forget({ before: later, below: first.position }, 1_000)
      const gapAfter = async (place: LogPlace) => {
        const { gap, rows } = await log.follow(place, 100)
        return [gap, rows.map(({ position }) => position)]
      }
      const left = places.slice(8).map(({ position }) => position)
      for (const place of places.slice(0, 7)) assert.deepEqual(await gapAfter(place), ["removed", left])
      assert.deepEqual(await gapAfter(border), [undefined, left])
      for (const [at, place] of places.slice(8).entries())
        assert.deepEqual(await gapAfter(place), [undefined, left.slice(at + 1)])
      // One that this log never had is told as before.
      const foreign = { epoch: "ffffffffff", position: places.at(-2)?.position ?? 0n }
      assert.equal((await gapAfter(foreign))[0], "replaced")
      assert.equal((await gapAfter(logStart))[0], "removed")
    })
  })
