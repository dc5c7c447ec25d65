// A process that runs the handlers of the shop: `node follower-process.ts <address> <file> <name> [<lease>]`. Each event that is
// handled is a line of the file: who did it, with which record and version. It ends with its input.
import { appendFileSync, writeSync } from "node:fs"
import { setTimeout as wait } from "node:timers/promises"
import { createEngine } from "../../src/engine/engine.ts"
import { startHandlers } from "../../src/events/handlers/runner.ts"
import { handler } from "../../src/index.ts"
import { load } from "../../src/model/load.ts"
import { createCursors } from "../../src/plan/draft/cursor.ts"
import { openStorage } from "../../src/storage/open.ts"
import { withHandlers } from "./open.ts"

const [address = "", file = "", name = "", lease = "1000"] = process.argv.slice(2)
const storage = await openStorage(address, { writes: "unsafe" })
const model = load(
  withHandlers({
    "order.*": handler({
      async run({ event: { recordId, version } }) {
        await wait(Math.random() * 30)
        if (Math.random() < 0.05) throw new Error("not this time")
        appendFileSync(file, `${name} ${recordId} ${version}\n`)
      },
    }),
  }),
)
const { handleFor, answer } = createEngine({ storage, cursors: createCursors("a secret of the tests") })
// What failed is tried again soon: a second is a hundredth of one.
const began = Date.now()
const now = (): number => began + (Date.now() - began) * 100
const handlers = await startHandlers({
  model,
  open: false,
  storage,
  handleFor,
  answer,
  tell: () => {},
  now,
  lease: Number(lease),
})
// Others write: it is not told when.
setInterval(() => handlers.wake(), 20).unref()
process.stdin.resume().on("end", async () => {
  await handlers.close()
  await storage.close()
})
writeSync(1, "ready\n")
