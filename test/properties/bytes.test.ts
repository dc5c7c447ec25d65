// Random bytes on real sockets: requests that were cut, doubled, mixed and filled with what does not belong into HTTP. Whatever
// comes, no answer is 500 or above, and the next client is served.
import assert from "node:assert/strict"
import { once } from "node:events"
import { connect } from "node:net"
import { test } from "node:test"
import { type Random, randomFrom } from "../fuzz/random.ts"
import { openLibrary } from "../server/open.ts"

const full = process.env["BIFOLD_PROOF"] === "full"
const count = full ? 30_000 : 500
const seed = Number(process.env["BIFOLD_SEED"] ?? (full ? Date.now() % 2 ** 31 : 20_261_123))
const together = 8

const question = JSON.stringify({ query: "{ author(id: 1) { name } }" })
const chunked = `${question.length.toString(16)}\r\n${question}\r\n0\r\n\r\n`
const posted = (headers: string, body: string): string =>
  `POST /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${headers}\r\n\r\n${body}`

const requests = [
  "GET /authors?limit=2 HTTP/1.1\r\nHost: localhost\r\nAccept: application/json\r\n\r\n",
  'GET /authors/1 HTTP/1.1\r\nHost: localhost\r\nIf-None-Match: "1"\r\nConnection: close\r\n\r\n',
  "HEAD /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n",
  "OPTIONS /authors HTTP/1.1\r\nHost: localhost\r\nOrigin: http://a.example\r\nAccess-Control-Request-Method: POST\r\n\r\n",
  "GET /health HTTP/1.0\r\n\r\n",
  posted(`Content-Length: ${question.length}`, question),
  posted("Transfer-Encoding: chunked", chunked),
  posted(`Expect: 100-continue\r\nContent-Length: ${question.length}`, question),
  posted(`Upgrade: websocket\r\nConnection: Upgrade\r\nContent-Length: ${question.length}`, question),
] as const

const odd = [
  "\r",
  "\n",
  "\r\n",
  "\r\n\r\n",
  "\0",
  "\t",
  " ",
  ":",
  ",",
  "%",
  "%00",
  "%ff",
  "\u00ff",
  "\u0080",
  "HTTP/1.1",
  "HTTP/2.0",
  "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
  "\u0016\u0003\u0001\u0002\u0000",
  "Content-Length: 5\r\n",
  "Content-Length: -1\r\n",
  "Content-Length: 99999999999999999999\r\n",
  "Transfer-Encoding: chunked\r\n",
  "Transfer-Encoding: gzip, chunked\r\n",
  "Host: other\r\n",
  "Connection: close, upgrade\r\n",
  'Idempotency-Key: "a"\r\n',
  "ffffffffffffffff\r\n",
  "x".repeat(20_000),
]

/** What is done to bytes that would be right. */
const spoilt: readonly ((random: Random, bytes: Buffer) => Buffer)[] = [
  (random, bytes) => bytes.subarray(0, random.whole(bytes.length + 1)),
  (random, bytes) => bytes.subarray(random.whole(bytes.length + 1)),
  (random, bytes) => {
    const changed = Buffer.from(bytes)
    if (changed.length > 0) changed[random.whole(changed.length)] = random.whole(256)
    return changed
  },
  (random, bytes) => {
    const at = random.whole(bytes.length + 1)
    return Buffer.concat([bytes.subarray(0, at), Buffer.from(random.one(odd), "latin1"), bytes.subarray(at)])
  },
  (random, bytes) => {
    const [from, to] = [random.whole(bytes.length + 1), random.whole(bytes.length + 1)].toSorted(
      (a, b) => a - b,
    )
    return Buffer.concat([bytes.subarray(0, to), bytes.subarray(from)])
  },
  (random, bytes) => Buffer.concat([bytes, Buffer.from(random.one(requests), "latin1")]),
]

function drawn(number: number): Buffer {
  const random = randomFrom(number)
  let bytes: Buffer = Buffer.from(random.one(requests), "latin1")
  for (let left = random.whole(4); left > 0; left -= 1) bytes = random.one(spoilt)(random, bytes)
  return bytes
}

/** What came back until the server ended the connection, or said nothing more (`patience`, ms). */
async function answersTo(
  port: number,
  bytes: Buffer,
  { patience = 300, ends = true }: { readonly patience?: number; readonly ends?: boolean } = {},
): Promise<string> {
  const socket = connect({ port, host: "127.0.0.1" })
  const chunks: Buffer[] = []
  socket.on("data", (chunk) => chunks.push(chunk))
  socket.on("error", () => {}) // a connection that is refused is an answer too
  socket.setTimeout(patience, () => socket.destroy())
  if (ends) socket.end(bytes)
  else socket.write(bytes)
  await once(socket, "close")
  return Buffer.concat(chunks).toString("latin1")
}

const statusesIn = (text: string): readonly number[] =>
  [...text.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map(([, status]) => Number(status))

test("random bytes break nothing", { timeout: full ? 3_600_000 : 240_000 }, async (context) => {
  const { port } = await openLibrary(context)
  const seen = new Map<number, number>()
  let next = 0
  const work = async (): Promise<void> => {
    while (next < count) {
      const number = seed + next++
      const bytes = drawn(number)
      for (const status of statusesIn(await answersTo(port, bytes))) {
        seen.set(status, (seen.get(status) ?? 0) + 1)
        assert.ok(
          // A transfer coding that is not known (RFC 9112 section 6.1).
          status < 500 || status === 501,
          `seed ${number}: ${status} to ${JSON.stringify(bytes.toString("latin1")).slice(0, 2_000)}`,
        )
      }
      if (number % 100 > 0) continue
      const healthy = await answersTo(
        port,
        Buffer.from("GET /authors HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"),
        // The server ends this one: a client that ends first may be left without an answer, as Node's HTTP server does it.
        { patience: 10_000, ends: false },
      )
      assert.match(healthy, /^HTTP\/1\.1 200 /, `after seed ${number}`)
    }
  }
  await Promise.all(Array.from({ length: together }, work))
  context.diagnostic(`seed ${seed}, ${count} times: ${JSON.stringify([...seen].toSorted())}`)
  // What is refused at the door alone would show nothing.
  assert.ok((seen.get(200) ?? 0) > count / 5 && (seen.get(400) ?? 0) > count / 20, JSON.stringify([...seen]))
})
