// A service that is edited: who has the connections where the new one cannot start.
import assert from "node:assert/strict"
import { once } from "node:events"
import { connect, type Socket } from "node:net"
import test from "node:test"
import { setImmediate } from "node:timers/promises"
import { serveEdited } from "../../src/server/processes/serve-edited.ts"

/** A server that says its name to each connection. */
const saying = (name: string) => ({
  take: (socket: Socket): void => void socket.end(name),
  ending: { drain: async () => {}, close: async () => {} },
})

test("the server from before the edit keeps the connections where the new one fails after it asked for them", async (context) => {
  const names = ["first", "second"]
  const failures: unknown[] = []
  const served = await serveEdited({
    place: { port: 0, host: "127.0.0.1" },
    start: async (receive) => {
      const { take, ending } = saying(names.shift() ?? "")
      receive(take)
      await setImmediate()
      if (names.length === 0) throw new Error("the rest of the start fails")
      return ending
    },
    failed: (error) => failures.push(error),
  })
  context.after(() => served.close())
  const answer = async (): Promise<string> => {
    const socket = connect(Number(new URL(served.url).port), "127.0.0.1").setEncoding("utf8")
    const [text] = await once(socket, "data")
    socket.destroy()
    return text
  }
  assert.equal(await answer(), "first")
  served.reload()
  while (failures.length === 0) await setImmediate()
  assert.equal(await answer(), "first")
})
