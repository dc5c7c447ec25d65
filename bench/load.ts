// The load: requests taken in turn over a number of connections for some seconds. wrk sends them, or bench/client.ts where
// wrk is absent. Both read requests from a file as they send, so that their number has no bound.
import { spawn } from "node:child_process"
import { closeSync, openSync, writeFileSync, writeSync } from "node:fs"
import { join } from "node:path"
import { isInstalled, pinnedClient, processorSeconds } from "./machine.ts"
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

export const clientName = (): string => (isInstalled("wrk") ? "wrk" : "bench/client.ts")

/** Requests in a file. Each load continues after the last one's requests, and begins anew at the end. */
export interface Supply {
  readonly url: string
  readonly file: string
  /** Bytes of the file before each request. */
  readonly places: Float64Array
  /** How many have been taken, by all loads. */
  taken: number
}

/** @param file that they are written to */
export function writeSupply(url: string, requests: readonly HttpRequest[], file: string): Supply {
  const places = new Float64Array(requests.length)
  const open = openSync(file, "w")
  let length = 0
  for (let begin = 0; begin < requests.length; begin += written) {
    const some = requests.slice(begin, begin + written).map((request, index) => {
      const text = Buffer.from(requestText(url, request))
      const whole = Buffer.concat([Buffer.from(`${text.length}\n`), text])
      places[begin + index] = length
      length += whole.length
      return whole
    })
    writeSync(open, Buffer.concat(some))
  }
  closeSync(open)
  return { url, file, places, taken: 0 }
}

/** Requests that are written at once. */
const written = 5_000

/** @param folder for what the client reads */
export function applyLoad({ url, requests, ...load }: Load, folder: string): Promise<LoadResult> {
  return loadFrom(writeSupply(url, requests, join(folder, "requests.bin")), load, folder)
}

export async function loadFrom(
  supply: Supply,
  { connections, seconds }: Omit<Load, "url" | "requests">,
  folder: string,
): Promise<LoadResult> {
  const { url, file, places } = supply
  const from = places[supply.taken % places.length] ?? 0
  const load = { url, file, from, connections, seconds }
  const { command, args } = isInstalled("wrk") && Number.isInteger(seconds) ? wrk(load, folder) : own(load)
  const [program = command, ...rest] = [...pinnedClient(), command, ...args]
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
  // With those that were under way at the end.
  supply.taken += result.requests + connections
  return { ...result, clientBusy: busy === undefined ? undefined : busy / elapsed }
}

interface Client {
  readonly command: string
  readonly args: readonly string[]
}

/** The order to a client. */
export interface Order {
  readonly url: string
  readonly file: string
  /** Bytes of the file to pass over. */
  readonly from: number
  readonly connections: number
  readonly seconds: number
}

function wrk({ url, file, from, connections, seconds }: Order, folder: string): Client {
  const script = join(folder, "requests.lua")
  writeFileSync(
    script,
    `local file = io.open(${JSON.stringify(file)}, "rb")\nfile:seek("set", ${from})\n${takeTurns}`,
  )
  return {
    command: "wrk",
    args: ["-t1", `-c${connections}`, `-d${seconds}s`, "--timeout", "10s", "-s", script, url],
  }
}

const takeTurns = `request = function()
  local length = file:read("*l")
  if not length then
    file:seek("set", 0)
    length = file:read("*l")
  end
  return file:read(tonumber(length))
end
done = function(summary, latency)
  local e = summary.errors
  io.write(string.format('\\n{"requests":%d,"seconds":%f,"p50":%d,"p99":%d,"failed":%d}\\n', summary.requests,
    summary.duration / 1000000, latency:percentile(50), latency:percentile(99),
    e.connect + e.read + e.write + e.status + e.timeout))
end
`

const own = (order: Order): Client => ({
  command: process.execPath,
  args: [
    "--disable-warning=ExperimentalWarning",
    join(import.meta.dirname, "client.ts"),
    JSON.stringify(order),
  ],
})

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
