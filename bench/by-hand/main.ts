// One hand-written server as a process: `node main.ts <face> <database> [label]`.
import { openHandPostgres } from "./postgres.ts"
import { startHandServer } from "./server.ts"
import { openHandSqlite } from "./sqlite.ts"

const [face, database = "", label] = process.argv.slice(2)
if (face !== "graphql" && face !== "rest") throw new Error("The face is graphql or rest.")
const opened = database.startsWith("postgres:") ? await openHandPostgres(database) : openHandSqlite(database)
const { url } = await startHandServer(face, opened, label === undefined ? {} : { label: Number(label) })
console.log(url)
