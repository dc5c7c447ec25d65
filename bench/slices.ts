// A load of so many requests, for slices that are too short to start a separate client.
import { once } from "node:events"
import { connect, type Socket } from "node:net"
import { requestText } from "./load.ts"
import type { HttpRequest } from "./workloads.ts"

export interface Slices {
  /** Resolves when so many requests are answered. Rejects when one is answered by anything but 2xx. */
  ask(count: number): Promise<void>
  close(): void
}

/** Over connections that stay, each with one request at a time. */
export function openSlices(url: string, requests: readonly HttpRequest[], connections: number): Slices {
  const texts = requests.map((request) => Buffer.from(requestText(url, request)))
  const { hostname, port } = new URL(url)
  let sockets: readonly Socket[] = []
  // A server waits for the first request of a connection, and not for long.
  const open = async (): Promise<void> => {
    sockets = Array.from({ length: connections }, () => connect(Number(port), hostname).setNoDelay())
    await Promise.all(sockets.map((socket) => once(socket, "connect")))
  }
  let turn = 0
  const next = (): Buffer => {
    turn = (turn + 1) % texts.length
    return texts[turn] ?? Buffer.alloc(0)
  }
  return {
    async ask(count) {
      if (sockets.length === 0) await open()
      let left = count
      const take = (): Buffer | undefined => (left-- > 0 ? next() : undefined)
      await Promise.all(sockets.map((socket) => askOver(socket, take)))
    },
    close() {
      for (const socket of sockets) socket.destroy()
    },
  }
}

const ending = Buffer.from("\r\n\r\n")

function askOver(socket: Socket, take: () => Buffer | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    let got: Buffer = Buffer.alloc(0)
    const end = (settle: () => void): void => {
      socket.off("data", read)
      socket.off("close", broken)
      settle()
    }
    const broken = (): void => end(() => reject(new Error("A connection broke.")))
    const send = (): void => {
      const text = take()
      if (text) socket.write(text)
      else end(resolve)
    }
    const read = (bytes: Buffer): void => {
      got = got.length === 0 ? bytes : Buffer.concat([got, bytes])
      const head = got.indexOf(ending)
      if (head < 0) return
      const headers = got.toString("latin1", 0, head)
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(headers)?.[1] ?? 0)
      if (got.length < head + ending.length + length) return
      const answer = got
      got = Buffer.alloc(0)
      if (/^HTTP\/1\.1 2/.test(headers)) send()
      else end(() => reject(new Error(answer.toString())))
    }
    socket.on("data", read)
    socket.on("close", broken)
    send()
  })
}
