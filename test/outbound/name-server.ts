// A name server of the tests (RFC 1035): answers each question for addresses with what it is given, the next one each time.
import { createSocket } from "node:dgram"
import { once } from "node:events"
import ipaddr from "ipaddr.js"
import type { Hooks } from "../support/database.ts"

export interface NameServer {
  /** `127.0.0.1:port` */
  readonly address: string
  readonly asked: readonly string[]
}

/**
 * @param answers by name: the addresses of each time that it is asked for those of IPv4, and of IPv6 beside them; the last ones
 * are given for ever
 */
export async function startNameServer(
  hooks: Hooks,
  answers: Readonly<Record<string, readonly (readonly string[])[]>>,
): Promise<NameServer> {
  const asked: string[] = []
  const counts = new Map<string, number>()
  const socket = createSocket("udp4")
  socket.on("message", (question, from) => {
    const { name, type, end } = readQuestion(question)
    asked.push(name)
    const turns = answers[name]
    const count = counts.get(name) ?? 0
    const all = turns?.[Math.min(count, turns.length - 1)] ?? []
    const addresses = all.map((text) => ipaddr.parse(text)).filter((one) => typeOf(one) === type)
    if (type === 1) counts.set(name, count + 1)
    const head = Buffer.from(question.subarray(0, 12))
    head.writeUInt16BE(turns ? 0x8180 : 0x8183, 2)
    head.writeUInt16BE(addresses.length, 6)
    head.writeUInt32BE(0, 8)
    const records = addresses.map(recordOf)
    socket.send(Buffer.concat([head, question.subarray(12, end), ...records]), from.port, from.address)
  })
  socket.bind(0, "127.0.0.1")
  await once(socket, "listening")
  hooks.after(() => void socket.close())
  return { address: `127.0.0.1:${socket.address().port}`, asked }
}

type Address = ReturnType<typeof ipaddr.parse>

/** A and AAAA. */
const typeOf = (address: Address): number => (address.kind() === "ipv4" ? 1 : 28)

function recordOf(address: Address): Buffer {
  const bytes = address.toByteArray()
  return Buffer.from([0xc0, 12, 0, typeOf(address), 0, 1, 0, 0, 0, 0, 0, bytes.length, ...bytes])
}

function readQuestion(message: Buffer): {
  readonly name: string
  readonly type: number
  readonly end: number
} {
  const labels: string[] = []
  let at = 12
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString("latin1", at + 1, at + 1 + length))
    at += length + 1
  }
  return { name: labels.join("."), type: message.readUInt16BE(at + 1), end: at + 5 }
}
