// What other programs write side by side with Bifold: states that they change, and a log from which the table can be made again.
import assert from "node:assert/strict"
import { after, before, test } from "node:test"
import pg from "pg"
import { actorFromText } from "../../src/access/identity/actor-text.ts"
import { handledEvent } from "../../src/events/handlers/event.ts"
import { createEventReader } from "../../src/events/log/event-reader.ts"
import { createSight } from "../../src/events/log/sight.ts"
import { anyone, f, resource, role, service } from "../../src/index.ts"
import type { LogRow } from "../../src/storage/log-types.ts"
import { cleanUp } from "../support/database.ts"
import { type Logging, openLogging } from "./open.ts"

const jobs = service({
  name: "jobs",
  managed: false,
  roles: ["staff"],
  log: { capture: "database" },
  resources: {
    job: resource({
      id: "job",
      key: { column: "id", type: "integer", given: true },
      fields: {
        title: f.text(),
        status: f.oneOf(["open", "paid", "lost"], { read: role("staff") }),
        mood: f.text(),
      },
      states: {
        status: { initial: "open", transitions: { pay: { from: "open", to: "paid", allow: role("staff") } } },
        mood: { initial: "calm", transitions: { rush: { from: "calm", to: "hectic", allow: anyone } } },
      },
      allow: { read: anyone, create: anyone, update: anyone, delete: anyone },
    }),
  },
})

const hooks = cleanUp(after)
let of: Logging
let other: pg.Client

before(async () => {
  of = await openLogging(hooks, "postgres", jobs, [
    "CREATE TABLE job (id integer PRIMARY KEY, title text NOT NULL DEFAULT '', status text NOT NULL DEFAULT 'open', mood text NOT NULL DEFAULT 'calm')",
  ])
  other = new pg.Client({ connectionString: of.url })
  await other.connect()
  hooks.after(() => other.end())
})

async function rowsOf(text: string): Promise<readonly LogRow[]> {
  const last = await of.log.latest()
  await other.query(text)
  return of.log.read(last, 1_000)
}

interface Entries {
  readonly data: readonly Readonly<Record<string, unknown>>[]
}

test("a state that another program changes names the event, and no transition", async () => {
  await other.query("INSERT INTO job (id) VALUES (1)")
  const event = async (set: string) => {
    const [row] = await rowsOf(`UPDATE job SET ${set} WHERE id = 1`)
    return [row?.type, row?.transition, row?.from, row?.to]
  }
  assert.deepEqual(await event("status = 'paid', title = 'a'"), ["job.paid", null, "open", "paid"])
  assert.deepEqual(await event("mood = 'hectic'"), ["job.hectic", null, "calm", "hectic"])
  assert.deepEqual(await event("title = 'b'"), ["job.updated", null, null, null])
  // A state that the declaration lacks, and two machines at once.
  assert.deepEqual(await event("mood = 'odd'"), ["job.updated", null, null, null])
  assert.deepEqual(await event("mood = 'calm', status = 'open'"), ["job.updated", null, null, null])
})

test("who may not see the state learns that the record was written", async () => {
  await other.query("INSERT INTO job (id) VALUES (2)")
  const rows = await rowsOf(
    "UPDATE job SET status = 'paid' WHERE id = 2; UPDATE job SET mood = 'hectic' WHERE id = 2",
  )
  const seen = async (words: string) => {
    const { body } = await of.as(words).rest<Entries>("GET", "/jobs/job_2/history")
    return body.data
      .slice(1)
      .map(({ type, from, to, changes }) => [type, from, to, (changes as unknown[]).length])
  }
  const handled = (words: string) => {
    const actor = actorFromText(of.model, words)
    const sight = createSight({ model: actor.model, resource: "job", conditions: [], place: [] })
    const reader = createEventReader({ model: of.model, log: of.log, answer: of.engine.answer })
    return Promise.all(
      rows.map(async (row) => {
        const { type, from, to, changes } = handledEvent(row, (await reader.show(row, actor, sight)).entry)
        return [type, from, to, Object.keys(changes).length]
      }),
    )
  }
  const all = [
    ["job.paid", "open", "paid", 1],
    ["job.hectic", "calm", "hectic", 1],
  ]
  const less = [
    ["job.updated", null, null, 0],
    ["job.hectic", "calm", "hectic", 1],
  ]
  assert.deepEqual(await seen("role:staff"), all)
  assert.deepEqual(await handled("role:staff"), all)
  assert.deepEqual(await seen("anyone"), less)
  assert.deepEqual(await handled("anyone"), less)
})

/** Numbers that look random, and are the same each time. */
function numbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

test("writers of both sides leave a log that makes the table", async () => {
  await other.query("TRUNCATE job")
  const ids = 6
  const writeBySql = async (seed: number): Promise<void> => {
    const pick = numbers(seed)
    const client = new pg.Client({ connectionString: of.url })
    await client.connect()
    for (let count = 0; count < 150; count += 1) {
      const [id, to] = [10 + pick(ids), 10 + pick(ids)]
      const text = [
        `INSERT INTO job (id, title) VALUES (${id}, 's${count}') ON CONFLICT (id) DO UPDATE SET title = EXCLUDED.title`,
        `UPDATE job SET title = 't${pick(3)}', status = 'paid' WHERE id = ${id}`,
        `UPDATE job SET id = ${to} WHERE id = ${id} AND NOT EXISTS (SELECT FROM job WHERE id = ${to})`,
        `DELETE FROM job WHERE id = ${id}`,
        `BEGIN; UPDATE job SET title = 'u' WHERE id = ${id}; DELETE FROM job WHERE id = ${to}; ${pick(2) ? "COMMIT" : "ROLLBACK"}`,
      ][pick(5)]
      // Two that move to the same key, or wait for each other.
      await client.query(String(text)).catch(() => client.query("ROLLBACK"))
    }
    await client.end()
  }
  const writeByBifold = async (seed: number): Promise<void> => {
    const pick = numbers(seed)
    const client = of.as("role:staff")
    for (let count = 0; count < 150; count += 1) {
      const path = `/jobs/job_${10 + pick(ids)}`
      const [method, at, body] = [
        ["POST", "/jobs", { id: path.slice(6), title: `b${count}` }],
        ["PATCH", path, { title: `c${pick(3)}` }],
        ["DELETE", path, undefined],
        ["POST", `${path}/pay`, {}],
      ][pick(4)] as [string, string, unknown]
      const { status } = await client.rest(method, at, body)
      assert.ok(status < 500, `${method} ${at}: ${status}`)
    }
  }
  const from = await of.log.latest()
  await Promise.all([writeBySql(1), writeBySql(2), writeByBifold(3), writeByBifold(4)])
  const rows = await of.log.read(from, 10_000)
  const made = new Map<string, object>()
  for (const { record, old, new: fresh } of rows) {
    const before = made.get(record)
    assert.equal(before !== undefined, old !== null, `${record} is there`)
    for (const [member, value] of Object.entries(old ?? {}))
      assert.deepEqual((before as Record<string, unknown>)[member], value, `${record}.${member}`)
    if (fresh === null) made.delete(record)
    else made.set(record, { ...before, ...fresh })
  }
  const { rows: there } = await other.query("SELECT 'job_' || id AS id, title, status, mood FROM job")
  const own = rows.filter(({ actor }) => actor !== null).length
  assert.ok(own > 40 && rows.length - own > 40, `${own} of ${rows.length} changes are Bifold's own`)
  assert.deepEqual(made, new Map(there.map(({ id, ...members }) => [id, members])))
})
