// A server that ends a connection between two statements of a slow read: the read fails, and the process goes on.
import assert from "node:assert/strict"
import { once } from "node:events"
import { type AddressInfo, connect, createServer, type Socket } from "node:net"
import { after, test } from "node:test"
import { Refusal } from "../../src/base/problem.ts"
import type { Statement } from "../../src/sql/statement.ts"
import { openStorage } from "../../src/storage/open.ts"
import { cleanUp, type Hooks, temporaryPostgres } from "../support/database.ts"

const hooks = cleanUp(after)

/** ErrorResponse of pg_terminate_backend (PostgreSQL, "Message Formats"). */
function farewell(): Buffer {
  const fields = ["SFATAL", "VFATAL", "C57P01", "Mterminating connection due to administrator command", ""]
  const body = Buffer.from(`${fields.join("\0")}\0`)
  const head = Buffer.alloc(5)
  head.write("E")
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

/** Whether the message is the first statement of a slow read, a Query. */
const isFirst = (message: Buffer): boolean =>
  /^SET statement_timeout = \d+\0$/.test(message.subarray(5).toString("latin1"))

/** A way to the database on which the first slow read is ended with the answer to its first statement. */
async function openEnding(until: Hooks, database: string): Promise<string> {
  const to = new URL(database)
  let isEnded = false
  const server = createServer((near: Socket) => {
    const far = connect(Number(to.port), to.hostname)
    let isLast = false
    near.on("data", (data) => {
      if (!isEnded && isFirst(data)) isEnded = isLast = true
      far.write(data)
    })
    far.on("data", (data) => {
      if (isLast) near.end(Buffer.concat([data, farewell()]))
      else near.write(data)
    })
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.on("error", () => {})
      one.on("close", () => other.destroy())
    }
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  until.after(() => void server.close())
  const address = new URL(database)
  address.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return address.href
}

test("a slow read whose connection ends between its statements fails alone", async () => {
  const storage = await openStorage(await openEnding(hooks, await temporaryPostgres(hooks)), {
    writes: "unsafe",
  })
  hooks.after(() => storage.close())
  const read = async (): Promise<string> =>
    String(
      await storage.read({ text: "SELECT 'here'" } as Statement, [], {
        pace: "slow",
        long: false,
        usual: false,
      }),
    )
  await assert.rejects(
    read(),
    (fault) => fault instanceof Refusal && fault.problems[0].code === "storage_unavailable",
  )
  assert.equal(await read(), "here")
})
