// `npm run walk -- GET /orders?limit=1`: the rooms, files and functions of src that a warm request enters, in order.
// The storefront on SQLite answers in a process of its own; functions of its main thread are seen.
import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { Agent, request } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"

/** Requests before those that are looked at, and these: a function counts when each has entered it, others are a timer's. */
const [warming, looked] = [50, 5]

/** A server of a service, whose functions of src are seen. */
export async function startWatched({ as = "role:staff", service }) {
  const folder = mkdtempSync(join(tmpdir(), "bifold-walk-"))
  const socket = join(folder, "socket")
  const server = spawn(
    process.execPath,
    [
      ...["--disable-warning=ExperimentalWarning", "--conditions=bifold-source"],
      `--import=${new URL("record.mjs", import.meta.url)}`,
      fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url)),
      ...["serve", ...service, "--database", join(folder, "storefront.sqlite"), "--socket", socket],
      ...["--as", as],
    ],
    { stdio: ["ignore", "ignore", "pipe", "ipc"], env: { ...process.env, NODE_COMPILE_CACHE: "" } },
  )
  const said = text(server.stderr)
  // A warm request comes by a connection that is there.
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const end = async () => {
    agent.destroy()
    server.kill("SIGKILL")
    if (server.exitCode === null && server.signalCode === null) await once(server, "exit")
    rmSync(folder, { recursive: true, force: true })
  }
  const ask = async (asked) => {
    const headers = { "content-type": "application/json" }
    const sent = request({ agent, socketPath: socket, headers, ...asked }).end(asked.body)
    const [response] = await once(sent, "response")
    return { status: response.statusCode, text: await text(response) }
  }
  const recorded = async (work) => {
    server.send("begin")
    await once(server, "message")
    const result = await work()
    server.send("end")
    const [entered] = await once(server, "message")
    return { result, entered }
  }
  while (!existsSync(socket)) {
    if (server.exitCode !== null) {
      await end()
      throw new Error(`The server ended: ${await said}`)
    }
    await sleep(50)
  }
  return { ask, recorded, end }
}

/** Gives the answer's status, and the functions in the order in which they are entered first. */
export async function walk({ method, path, as, body, service = ["--example"], before }) {
  const { ask, recorded, end } = await startWatched({ as, service })
  try {
    const asked = { method, path: (await before?.(ask)) ?? path, body }
    for (let count = 0; count < warming; count++) await ask(asked)
    const walks = []
    for (let count = 0; count < looked; count++) walks.push(await recorded(() => ask(asked)))
    const [{ result, entered }, ...others] = walks
    const ids = others.map((one) => new Set(one.entered.map(({ id }) => id)))
    const first = new Map(entered.map((one) => [one.id, one]))
    const same = [...first.values()].filter(({ id }) => ids.every((set) => set.has(id)))
    return { status: result.status, entered: same }
  } finally {
    await end()
  }
}

/** Files with their functions, in order. */
const filesOf = (entered) => Map.groupBy(entered, ({ path }) => path)

function print({ status, entered }) {
  let room
  for (const [path, functions] of filesOf(entered)) {
    const [, own] = path.split("/")
    if (own !== room) console.log(`\n${own}`)
    room = own
    console.log(
      `  ${path.slice(`src/${own}/`.length)}  ${functions.map(({ name, line }) => `${name}:${line}`).join("  ")}`,
    )
  }
  console.log(`\n${status}: ${filesOf(entered).size} files, ${entered.length} functions`)
}

if (process.argv[1] === import.meta.filename) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { as: { type: "string" }, body: { type: "string" }, json: { type: "boolean" } },
  })
  const [method = "GET", path = "/products?limit=1"] = positionals
  const found = await walk({ method, path, ...values })
  if (values.json) console.log(JSON.stringify(found))
  else print(found)
}
