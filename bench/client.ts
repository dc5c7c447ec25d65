// Load where there is no wrk: asks what a file has, over connections that stay, and prints one line of JSON. A process of
// its own, to have a core of its own: `node client.ts <order as JSON>`.
import { readFileSync } from "node:fs"
import { connect } from "node:net"
import type { Order } from "./load.ts"

const { url, file, from, connections, seconds } = JSON.parse(process.argv[2] ?? "") as Order
const { hostname, port } = new URL(url)
const bytes = readFileSync(file)

const newline = 10
let at = from
function nextRequest(): Buffer {
  if (at >= bytes.length) at = 0
  const end = bytes.indexOf(newline, at)
  const begin = end + 1
  at = begin + Number(bytes.toString("latin1", at, end))
  return bytes.subarray(begin, at)
}

/** Microseconds that answers took, of a second at the most. */
const counts = new Uint32Array(1_000_001)
let answered = 0
let failed = 0
let over = false

const ending = Buffer.from("\r\n\r\n")
const lastChunk = Buffer.from("\r\n0\r\n\r\n")

/** Where the answer that these bytes begin with ends; nothing while it has not come whole. */
function endOf(got: Buffer): number | undefined {
  const head = got.indexOf(ending)
  if (head < 0) return undefined
  const headers = got.toString("latin1", 0, head)
  const length = /\r\ncontent-length: *(\d+)/i.exec(headers)?.[1]
  if (length !== undefined) {
    const end = head + ending.length + Number(length)
    return got.length < end ? undefined : end
  }
  const last = got.indexOf(lastChunk, head)
  return last < 0 ? undefined : last + lastChunk.length
}

function open(): void {
  const socket = connect(Number(port), hostname).setNoDelay()
  let got: Buffer | undefined
  let sent = 0
  const send = (): void => {
    if (over) return
    sent = performance.now()
    socket.write(nextRequest())
  }
  socket.on("connect", send)
  socket.on("data", (chunk: Buffer) => {
    got = got ? Buffer.concat([got, chunk]) : chunk
    const end = endOf(got)
    if (end === undefined) return
    const took = Math.round((performance.now() - sent) * 1_000)
    if (!over) {
      // "HTTP/1.1 2…"
      if (got[9] !== 0x32) failed += 1
      answered += 1
      const place = Math.min(counts.length - 1, took)
      counts[place] = (counts[place] ?? 0) + 1
    }
    got = undefined
    send()
  })
  socket.on("error", () => undefined)
  socket.on("close", () => {
    if (over) return
    failed += 1
    got = undefined
    setTimeout(open, 10)
  })
}

function percentile(share: number): number {
  let seen = 0
  for (const [microseconds, count] of counts.entries()) {
    seen += count
    if (seen >= answered * share) return microseconds
  }
  return counts.length
}

for (let index = 0; index < connections; index += 1) open()
const began = performance.now()
/** At the time, or when something was answered at all. */
function finish(): void {
  const elapsed = (performance.now() - began) / 1_000
  if (answered === 0 && failed === 0 && elapsed < seconds + mostLate) {
    setTimeout(finish, 10)
    return
  }
  over = true
  const figures = { requests: answered, seconds: elapsed, p50: percentile(0.5), p99: percentile(0.99) }
  process.stdout.write(`${JSON.stringify({ ...figures, failed })}\n`, () => process.exit(0))
}
/** Seconds. */
const mostLate = 10
setTimeout(finish, seconds * 1_000)
