// A process that migrates, for tests that end it at a statement of their choice: address, service as JSON, statement or nothing.
import { DatabaseSync } from "node:sqlite"
import pg from "pg"
import { load } from "../../src/model/load.ts"
import { migrate } from "../../src/storage/migration/migrate.ts"

const [, , url = "", service = "", last] = process.argv
let left = last === undefined ? Number.POSITIVE_INFINITY : Number(last)

/** PostgreSQL has the statement by then, and may be at it. */
function endSoon(): void {
  setImmediate(() => process.kill(process.pid, "SIGKILL"))
}

const query = pg.Client.prototype.query
pg.Client.prototype.query = function counted(this: pg.Client, ...given: unknown[]) {
  left -= 1
  if (left === 0) endSoon()
  return (query as (...all: unknown[]) => unknown).apply(this, given)
} as typeof query

const exec = DatabaseSync.prototype.exec
DatabaseSync.prototype.exec = function counted(sql) {
  left -= 1
  if (left === 0) process.kill(process.pid, "SIGKILL")
  exec.call(this, sql)
}

const said: string[] = []
const { done } = await migrate(url, load(JSON.parse(service)), {
  allow: [],
  say: (text) => void said.push(text),
})
process.stdout.write(JSON.stringify({ done: done.map(({ name }) => name), said }))
