// A process that logs to its stderr: so many entries at once, one more when its stdin ends, and then its end.
import { once } from "node:events"
import { createJsonLog } from "../../src/observe/logs/json-log.ts"

const [count = "1", length = "100"] = process.argv.slice(2)
const log = createJsonLog({ stream: process.stderr, level: "info" })
process.stderr.on("error", () => {}) // as the command line has it
const text = "é".repeat(Number(length))
for (let index = 0; index < Number(count); index++)
  log.write({ event: "notice", members: { text: `${index} ${text}` } })
process.stdout.write("written\n")
process.stdin.resume()
await once(process.stdin, "end")
log.write({ event: "notice", members: { text: "last" } })
await log.close()
