// A process that writes to the ledger at an address: `node writer.ts <address> <honest|hasty> <durable|unsafe>`.
// Each line of its input is a receipt, each line of its output what became of one. `hasty` is what the tests must be able to find out: it says that
// a write is done before it is.
import { writeSync } from "node:fs"
import { createInterface } from "node:readline"
import { Refusal } from "../../src/base/problem.ts"
import { openStorage } from "../../src/storage/open.ts"
import type { Storage } from "../../src/storage/storage.ts"
import { openLedger, type ReceiptWrite } from "./ledger.ts"

export interface Told {
  readonly number: string
  /** `done`, `replayed`, or the code of what kept it from being done. */
  readonly outcome: string
}

/** Synchronous: what was said is with the reader, however the process ends. */
const tell = (line: Told | "ready"): void => void writeSync(1, `${JSON.stringify(line)}\n`)

/** Acknowledges as soon as it has been asked. */
const hasty = (storage: Storage): Storage => ({
  ...storage,
  async write(work) {
    storage.write?.(work).catch(() => {})
    return { kind: "done", rows: work.shape.wanted.map(() => ["{}"]) }
  },
})

const [address = "", manner, writes] = process.argv.slice(2)
const storage = await openStorage(address, {
  writes: writes === "unsafe" ? "unsafe" : "durable",
  deadline: 3_000,
})
const { write } = openLedger(manner === "hasty" ? hasty(storage) : storage)
const asked = createInterface(process.stdin)
asked.on("close", () => void storage.close())
asked.on("line", async (line) => {
  const receipt = JSON.parse(line) as ReceiptWrite
  const { number } = receipt
  try {
    const { replayed } = await write(receipt)
    tell({ number, outcome: replayed ? "replayed" : "done" })
  } catch (fault) {
    tell({ number, outcome: fault instanceof Refusal ? fault.problems[0].code : `bug: ${String(fault)}` })
  }
})
tell("ready")
