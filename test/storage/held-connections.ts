// All connections for writes of a PostgreSQL database, held until they are let go: writes that come meanwhile wait.
import { setTimeout as sleep } from "node:timers/promises"
import { startRequest } from "../../src/base/request.ts"
import type { Storage } from "../../src/storage/storage.ts"
import type { WorkShape } from "../../src/storage/write-request.ts"

/** The database must have it. Locks of this kind are seen at any isolation level, unlike rows that are new. */
export const gateFunction = `
  CREATE FUNCTION pass(given int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN
    WHILE NOT pg_try_advisory_xact_lock_shared(4711, given) LOOP PERFORM pg_sleep(0.01); END LOOP;
    RETURN given; END $$;`

/** A write of no known table, which shares nothing. */
const gate: WorkShape = {
  commands: [{ text: "SELECT pass($1)", takes: 1, present: true }],
  wanted: [0],
  takes: 1,
  sure: true,
}

/**
 * They are held by writes that wait without a lock.
 * @param run runs a statement over one connection, that of the test
 */
export async function holdConnections(storage: Storage, run: (statement: string) => Promise<unknown>) {
  const laneOf = () => storage.lanes().find(({ lane }) => lane === "write")
  const { most = 0 } = laneOf() ?? {}
  await run(`SELECT pg_advisory_lock(4711, at) FROM generate_series(0, ${most - 1}) AS at`)
  const held = Array.from({ length: most }, (_, at) =>
    storage.write?.({ shape: gate, parameters: [at] }, startRequest("gate")),
  )
  while (laneOf()?.used !== most) await sleep(5)
  return {
    async waiting(isEnough: (count: number) => boolean): Promise<void> {
      while (!isEnough(laneOf()?.waiting ?? 0)) await sleep(5)
    },
    async letGo(from: number, count = most): Promise<void> {
      await run(
        `SELECT pg_advisory_unlock(4711, at) FROM generate_series(${from}, ${Math.min(from + count, most) - 1}) AS at`,
      )
    },
    held,
  }
}
