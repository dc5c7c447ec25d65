// One hand-written server as a process: `node main.ts <face> <database> [--label <number>] [--full] [--raw] [--foreign]`.
import { parseArgs } from "node:util"
import { openPipelinedPostgres } from "./pipelined.ts"
import { openHandPostgres } from "./postgres.ts"
import { startHandServer } from "./server.ts"
import { openHandSqlite } from "./sqlite.ts"

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    label: { type: "string" },
    full: { type: "boolean", default: false },
    raw: { type: "boolean", default: false },
    foreign: { type: "boolean", default: false },
  },
})
const [face, database = ""] = positionals
const { label, full, raw, foreign } = values
if (face !== "graphql" && face !== "rest") throw new Error("The face is graphql or rest.")
const openPostgres = raw ? openPipelinedPostgres : openHandPostgres
const opened = database.startsWith("postgres:")
  ? await openPostgres(database)
  : openHandSqlite(database, foreign)
const { url } = await startHandServer(face, opened, {
  full,
  ...(label !== undefined && { label: Number(label) }),
})
console.log(url)
