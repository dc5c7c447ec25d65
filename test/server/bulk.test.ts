// Ordinary bulk traffic on a database whose commits are slow: one client over many connections is refused nothing, nor after it.
import assert from "node:assert/strict"
import { Agent, request } from "node:http"
import { test } from "node:test"
import pg from "pg"
import { type Hooks, temporaryPostgres } from "../support/database.ts"
import { openLibrary } from "./open.ts"

const connections = 128
const writes = 6 * connections
const reads = 1_000

/** Each transaction that makes an author takes 25 milliseconds more when it commits, however many it makes. */
const slowCommits = `
  CREATE FUNCTION slow_commit() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF current_setting('test.slow', true) IS DISTINCT FROM pg_current_xact_id()::text THEN
      PERFORM set_config('test.slow', pg_current_xact_id()::text, true), pg_sleep(0.025);
    END IF;
    RETURN NULL; END $$;
  CREATE CONSTRAINT TRIGGER slow AFTER INSERT ON author DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION slow_commit();
  SELECT setval(pg_get_serial_sequence('author', 'id'), 1000)`

async function open(hooks: Hooks, mostRequests?: number) {
  const address = await temporaryPostgres(hooks)
  const options = mostRequests === undefined ? {} : { mostRequests }
  const library = await openLibrary(hooks, options, address, { writes: "unsafe" })
  const client = new pg.Client(address)
  await client.connect()
  await client.query(slowCommits)
  await client.end()
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  hooks.after(async () => agent.destroy())
  /** How often each status was given. */
  const ask = async (count: number, method: string, path: string): Promise<Record<number, number>> => {
    const counts: Record<number, number> = {}
    const headers = { "content-type": "application/json" }
    await Promise.all(
      Array.from(
        { length: count },
        (_, at) =>
          new Promise<void>((resolve, reject) => {
            const asked = request(`${library.url}${path}`, { agent, method, headers }, (answer) => {
              const { statusCode = 0 } = answer
              counts[statusCode] = (counts[statusCode] ?? 0) + 1
              answer.resume().on("end", resolve)
            })
            asked.on("error", reject)
            asked.end(method === "POST" ? JSON.stringify({ name: `${at}` }) : "")
          }),
      ),
    )
    return counts
  }
  return { ask }
}

test("one client that writes over 128 connections is refused nothing, nor its reads after a rest", async (t) => {
  const { ask } = await open(t)
  assert.deepEqual(await ask(writes, "POST", "/authors"), { 201: writes })
  await new Promise((resolve) => setTimeout(resolve, 100))
  assert.deepEqual(await ask(reads, "GET", "/authors?limit=20"), { 200: reads })
})

test("with places for few requests it is", async (t) => {
  const { ask } = await open(t, 20)
  const { 503: refused = 0 } = await ask(writes, "POST", "/authors")
  assert.ok(refused > 0)
})
