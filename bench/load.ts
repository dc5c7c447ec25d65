// The load: requests taken in turn over a number of connections for some seconds, by wrk, or by autocannon where there is no wrk.
import { spawn } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { isInstalled, pinned, processorSeconds } from "./machine.ts"
import type { HttpRequest } from "./workloads.ts"

export interface Load {
  readonly url: string
  readonly requests: readonly HttpRequest[]
  readonly connections: number
  readonly seconds: number
}

export interface LoadResult {
  readonly requests: number
  readonly seconds: number
  /** Microseconds. */
  readonly p50: number
  readonly p99: number
  /** Answers that were no 2xx, connections that broke, requests that timed out. */
  readonly failed: number
  /** Part of a core that the client itself took; near 1 it is the client that is measured. */
  readonly clientBusy: number | undefined
}

export const clientName = (): "wrk" | "autocannon" => (isInstalled("wrk") ? "wrk" : "autocannon")

/** @param folder for what the client reads */
export async function applyLoad(load: Load, folder: string): Promise<LoadResult> {
  const { command, args } = clientName() === "wrk" ? wrk(load, folder) : autocannon(load, folder)
  const [program = command, ...rest] = [...pinned("client"), command, ...args]
  const started = performance.now()
  const child = spawn(program, rest, { stdio: ["ignore", "pipe", "pipe"] })
  const end = (): void => void child.kill("SIGKILL")
  process.once("exit", end)
  let busy: number | undefined
  const watch = setInterval(() => {
    busy = child.pid === undefined ? undefined : processorSeconds(child.pid)
  }, 50)
  let out = ""
  let said = ""
  child.stdout.on("data", (text: Buffer) => {
    out += text.toString()
  })
  child.stderr.on("data", (text: Buffer) => {
    said += text.toString()
  })
  const code = await new Promise((resolve, reject) => {
    child.once("error", reject)
    child.once("close", resolve)
  })
  clearInterval(watch)
  process.off("exit", end)
  const elapsed = (performance.now() - started) / 1_000
  const line = out.split("\n").find((text) => text.startsWith("{"))
  if (code !== 0 || line === undefined) throw new Error(`${command} ended with ${code}: ${said}${out}`)
  const result = JSON.parse(line) as Omit<LoadResult, "clientBusy">
  return { ...result, clientBusy: busy === undefined ? undefined : busy / elapsed }
}

interface Client {
  readonly command: string
  readonly args: readonly string[]
}

function wrk({ url, requests, connections, seconds }: Load, folder: string): Client {
  const script = join(folder, "requests.lua")
  const texts = requests.map((request) => luaText(requestText(url, request)))
  writeFileSync(script, `local requests = {\n${texts.join(",\n")}\n}\n${takeTurns}`)
  return {
    command: "wrk",
    args: ["-t1", `-c${connections}`, `-d${seconds}s`, "--timeout", "10s", "-s", script, url],
  }
}

const takeTurns = `local turn = 0
request = function()
  turn = turn % #requests + 1
  return requests[turn]
end
done = function(summary, latency)
  local e = summary.errors
  io.write(string.format('\\n{"requests":%d,"seconds":%f,"p50":%d,"p99":%d,"failed":%d}\\n', summary.requests,
    summary.duration / 1000000, latency:percentile(50), latency:percentile(99),
    e.connect + e.read + e.write + e.status + e.timeout))
end
`

const requestHeaders = ({ body, authorization, version }: HttpRequest): Readonly<Record<string, string>> => ({
  accept: "*/*",
  ...(version !== undefined && { "api-version": version }),
  ...(authorization !== undefined && { authorization }),
  ...(body === undefined ? {} : { "content-type": "application/json" }),
})

export function requestText(url: string, request: HttpRequest): string {
  const length = request.body === undefined ? {} : { "content-length": Buffer.byteLength(request.body) }
  const headers = Object.entries({ host: new URL(url).host, ...requestHeaders(request), ...length })
  const lines = headers.map(([name, value]) => `${name}: ${value}`)
  return [`${request.method} ${request.path} HTTP/1.1`, ...lines, "", request.body ?? ""].join("\r\n")
}

/** Lua's strings are bytes; every one but the plainest is written by its number. */
function luaText(text: string): string {
  const bytes = [...Buffer.from(text)].map((byte) =>
    byte < 32 || byte > 126 || byte === 34 || byte === 92
      ? `\\${String(byte).padStart(3, "0")}`
      : String.fromCharCode(byte),
  )
  return `"${bytes.join("")}"`
}

/** autocannon adds the length of a body itself; a second one would make every request a bad one. */
function autocannon({ url, requests, connections, seconds }: Load, folder: string): Client {
  const file = join(folder, "load.json")
  const given = requests.map((request) => ({ ...request, headers: requestHeaders(request) }))
  writeFileSync(file, JSON.stringify({ url, requests: given, connections, seconds }))
  return { command: process.execPath, args: [join(import.meta.dirname, "client", "autocannon.mjs"), file] }
}
