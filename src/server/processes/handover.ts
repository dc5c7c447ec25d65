// Hands connections over to workers. A worker gets one when it has taken the one before, so that others take over from a worker
// that is busy or hangs. Connections without a free worker wait here, in bounds of number and time.
import type { Worker } from "node:cluster"
import type { Socket } from "node:net"
import type { Problem } from "../../base/problem.ts"
import { refuseConnection } from "../farewell.ts"
import { backlog, watchDescriptors } from "../listening.ts"
import type { Observe } from "../observation.ts"

export interface HandoverOptions {
  readonly observe: Observe
  /** Whether a client understands an answer of HTTP/1.1 at the beginning of its connection. */
  readonly isPlain: boolean
}

/** Comes with each connection that a worker is given. */
export const connection = "connection"

/**
 * Connections that wait for a worker, as many as the system keeps for one process. A busy worker takes one in each turn of its
 * event loop. They wait for so many milliseconds: a worker that has crashed is replaced by then.
 */
const bounds = { most: backlog, patience: 10_000 } as const
/** Milliseconds after which a worker hangs that does not take its connection. */
const hanging = 5_000

const busy: Problem = {
  code: "overloaded",
  message: "More connections arrive than workers take.",
  hint: "Start more workers (--workers), or let clients and proxies keep their connections.",
}
const absent: Problem = {
  code: "overloaded",
  message: "No worker is there to take connections.",
  hint: "The log says why workers end or hang: worker_lost, worker_unstarted, worker_hung.",
}

/** One that is on its way. */
interface Handing {
  readonly socket: Socket
  readonly late: NodeJS.Timeout
}

export class Handover {
  readonly #options: HandoverOptions
  readonly #room: ReturnType<typeof watchDescriptors>
  /** Those that serve: the first of them that is free is given the next connection. */
  #rota: readonly Worker[] = []
  readonly #handing = new Map<Worker, Handing>()
  readonly #hanging = new Set<Worker>()
  /** With what ends their wait; the first has waited longest. */
  readonly #waiting = new Map<Socket, NodeJS.Timeout>()

  constructor(options: HandoverOptions) {
    this.#options = options
    this.#room = watchDescriptors(options.observe)
  }

  /** The worker serves from now on. */
  join(worker: Worker): void {
    this.#rota = [...this.#rota, worker]
    this.#next()
  }

  /** The worker gets no more connections, and keeps the earlier ones. */
  leave(worker: Worker): void {
    this.#rota = this.#rota.filter((one) => one !== worker)
  }

  /** The worker is gone: another one gets the connections that it has not taken. */
  lose(worker: Worker): void {
    this.leave(worker)
    this.#hanging.delete(worker)
    const handing = this.#handing.get(worker)
    if (!handing) return
    this.#handing.delete(worker)
    clearTimeout(handing.late)
    this.#give(handing.socket)
  }

  take(socket: Socket): void {
    const room = this.#room(socket)
    if (room === "ample") this.#give(socket)
    else if (room === "little") this.#refuse(socket)
    else socket.destroy()
  }

  /** Every connection is with a worker afterwards, or refused. */
  close(): void {
    const rota = this.#rota.filter((worker) => !this.#hanging.has(worker))
    for (const [count, [socket, late]] of [...this.#waiting].entries()) {
      clearTimeout(late)
      const worker = rota[count % rota.length]
      if (worker) send(worker, socket, () => socket.destroy())
      else this.#refuse(socket)
    }
    this.#waiting.clear()
  }

  #give(socket: Socket): void {
    if (socket.destroyed) return
    const worker = this.#rota.find((one) => !this.#handing.has(one))
    if (!worker) return void this.#wait(socket)
    this.#rota = [...this.#rota.filter((one) => one !== worker), worker]
    const late = setTimeout(() => this.#hang(worker, socket), hanging)
    this.#handing.set(worker, { socket, late })
    send(worker, socket, (error) => this.#handed(worker, socket, error))
  }

  #handed(worker: Worker, socket: Socket, error: Error | null): void {
    const handing = this.#handing.get(worker)
    if (handing?.socket !== socket) return
    if (error) return void this.lose(worker)
    clearTimeout(handing.late)
    this.#handing.delete(worker)
    socket.destroy()
    if (this.#hanging.delete(worker)) this.#options.observe({ kind: "unhung", process: worker.process.pid })
    this.#next()
  }

  /** A worker that goes on would take the connection, so that no other can be given it, and no answer is sure: it is closed. */
  #hang(worker: Worker, socket: Socket): void {
    this.#hanging.add(worker)
    this.#options.observe({ kind: "hung", process: worker.process.pid, after: hanging })
    socket.destroy()
  }

  #wait(socket: Socket): void {
    if (this.#waiting.size >= bounds.most) return void this.#refuseUnserved(socket)
    const late = setTimeout(() => {
      this.#waiting.delete(socket)
      this.#refuseUnserved(socket)
    }, bounds.patience)
    this.#waiting.set(socket, late)
  }

  #next(): void {
    const [first] = this.#waiting
    if (!first) return
    const [socket, late] = first
    clearTimeout(late)
    this.#waiting.delete(socket)
    this.#give(socket)
  }

  #refuseUnserved(socket: Socket): void {
    const isServed = this.#rota.some((worker) => !this.#hanging.has(worker))
    this.#options.observe({ kind: "refused", count: 1, problem: isServed ? busy : absent })
    this.#refuse(socket)
  }

  #refuse(socket: Socket): void {
    if (this.#options.isPlain) refuseConnection(socket, "No process is free to answer.")
    else socket.destroy()
  }
}

/**
 * This process closes its own copy when the other has been sent. Node itself would send again to a worker without descriptors.
 * The worker would confirm twice, at which this process ends (`ERR_INTERNAL_ASSERTION`).
 */
function send(worker: Worker, socket: Socket, sent: (error: Error | null) => void): void {
  worker.send(connection, socket, { keepOpen: true }, sent)
}
