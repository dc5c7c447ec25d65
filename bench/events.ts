// The cost of following events: from a write to its subscriber, 1,000 subscriptions in one process, and the log's share of
// logged writes.
import { setTimeout as sleep } from "node:timers/promises"
import { Agent, request } from "undici"
import { processorSeconds, residentBytes } from "./machine.ts"
import { type ServerProcess, startServer } from "./processes.ts"
import { median } from "./rounds.ts"
import type { Contestant, DatabaseName } from "./servers.ts"
import { type Subscriber, subscribe, type Transport } from "./subscribers.ts"
import type { Table } from "./table.ts"
import type { Fired } from "./transitions.ts"

export interface EventsOptions {
  readonly contestant: Contestant
  readonly addresses: Readonly<Partial<Record<DatabaseName, string>>>
  readonly rounds: number
  /** The time of writes for each crowd of subscribers. */
  readonly minutes: number
  readonly progress: (text: string) => void
}

export interface EventFigures {
  readonly delays: readonly Delays[]
  readonly crowds: readonly Crowd[]
}

const transports = ["sse", "websocket"] as const satisfies readonly Transport[]

export async function measureEvents(options: EventsOptions): Promise<EventFigures> {
  const delays: Delays[] = []
  const crowds: Crowd[] = []
  for (const database of ["sqlite", "postgres"] as const) {
    const address = options.addresses[database]
    if (address === undefined) continue
    const command = options.contestant.command("rest", address)
    // All subscribers have one address, and the writer has another connection.
    const env = { ...command.env, BIFOLD_MAX_CONNECTIONS: "0" }
    const start = (): Promise<ServerProcess> => startServer({ ...command, env })
    const server = await start()
    try {
      delays.push(...(await measureDelays(options, server, database)))
    } finally {
      await server.stop()
    }
    for (const follows of ["one record", "all records"] as const) {
      const own = await start()
      try {
        crowds.push(await measureCrowd(options, own, { database, follows }))
      } finally {
        await own.stop()
      }
    }
  }
  return { delays, crowds }
}

// From a write to its subscriber

interface Delays {
  readonly database: DatabaseName
  readonly transport: Transport
  /** Milliseconds from when the write was sent, of each write: to its frame, and to its own answer. */
  readonly frames: readonly number[]
  readonly answers: readonly number[]
  readonly rounds: number
}

const writesOfRound = 300
/** Milliseconds between two of them. */
const pause = 20

async function measureDelays(
  { rounds, progress }: EventsOptions,
  { url }: ServerProcess,
  database: DatabaseName,
): Promise<readonly Delays[]> {
  const writer = createWriter(url)
  const taken = new Map(
    transports.map((transport) => [transport, { frames: [] as number[], answers: [] as number[] }]),
  )
  // Round 0 warms it up.
  for (let round = 0; round <= rounds; round += 1)
    for (const transport of transports) {
      progress(`a subscriber by ${transport}, ${database}: round ${round} of ${rounds}`)
      const sent = new Map<number, number>()
      const frames: number[] = []
      const subscriber = await subscribe({
        url,
        transport,
        take: (text) => {
          const now = performance.now()
          for (const number of marksIn(text)) frames.push(now - (sent.get(number) ?? Number.NaN))
        },
        whenEnded: () => {
          throw new Error(`The ${transport} stream has ended.`)
        },
      })
      await sleep(500)
      const answers: number[] = []
      for (let count = 0; count < writesOfRound; count += 1) {
        sent.set(writer.next, performance.now())
        answers.push(await writer.write(1 + (count % 500)))
        await sleep(pause)
      }
      for (let waited = 0; frames.length < writesOfRound && waited < 10_000; waited += 10) await sleep(10)
      subscriber.close()
      if (frames.length !== writesOfRound || frames.some(Number.isNaN))
        throw new Error(`${frames.length} frames of ${writesOfRound} writes by ${transport} on ${database}`)
      if (round === 0) continue
      taken.get(transport)?.frames.push(...frames)
      taken.get(transport)?.answers.push(...answers)
    }
  await writer.close()
  return transports.map((transport) => ({
    database,
    transport,
    rounds,
    ...(taken.get(transport) ?? { frames: [], answers: [] }),
  }))
}

interface Writer {
  /** The number of the next write. */
  readonly next: number
  /** Gives the milliseconds that it took. */
  write(id: number): Promise<number>
  close(): Promise<void>
}

function createWriter(url: string): Writer {
  const dispatcher = new Agent({ connections: 32, pipelining: 1 })
  // Titles of another server on the same records would be no change.
  let next = Math.floor(Math.random() * 1e12)
  const send = async (number: number, id: number, started: number): Promise<number> => {
    const { statusCode, body } = await request(`${url}/kepts/${id}`, {
      dispatcher,
      method: "PATCH",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ title: mark(number) }),
    })
    const text = await body.text()
    if (statusCode === 503) {
      await sleep(50)
      return await send(number, id, started)
    }
    if (statusCode !== 200) throw new Error(`${statusCode}: ${text}`)
    return performance.now() - started
  }
  return {
    get next() {
      return next
    },
    write: (id) => send(next++, id, performance.now()),
    close: () => dispatcher.close(),
  }
}

const mark = (number: number): string => `<${number}>`

/** The last text of a frame is the new title in either transport. */
function marksIn(text: string): readonly number[] {
  const ends = text.split("\n\n")
  return ends.flatMap((frame) => {
    const found = [...frame.matchAll(/<(\d+)>/g)].at(-1)?.[1]
    return found === undefined ? [] : [Number(found)]
  })
}

// A crowd of subscribers

interface Crowd {
  readonly database: DatabaseName
  /** Each subscriber a record of its own, or all of them everything. */
  readonly follows: "one record" | "all records"
  readonly minutes: number
  readonly writes: number
  readonly frames: number
  /** Frames that one process could not be sent, of its own writes, by the end. */
  readonly missing: number
  readonly ended: number
  /** Parts of a core. */
  readonly processor: number | undefined
  /** Bytes: before the first subscriber, with all of them, and at the end of each tenth of the time. */
  readonly resident: { readonly start: number; readonly open: number; readonly tenths: readonly number[] }
  /** Milliseconds from when a write was sent to its first frame. */
  readonly delays: readonly number[]
}

const subscribers = 1_000
/** Where each subscriber gets every frame, a tenth of the writes makes a hundred times the frames. */
const writesPerSecond = { "one record": 100, "all records": 10 } as const

async function measureCrowd(
  { minutes, progress }: EventsOptions,
  { url, pid }: ServerProcess,
  { database, follows }: Pick<Crowd, "database" | "follows">,
): Promise<Crowd> {
  const writer = createWriter(url)
  await writer.write(1)
  const start = residentBytes(pid) ?? 0
  const open: Subscriber[] = []
  const sent = new Map<number, number>()
  const delays: number[] = []
  let frames = 0
  let ended = 0
  const take = (text: string): void => {
    frames += countFrames(text)
    // Frames of the first subscriber only, where each has the same.
  }
  const watch = (text: string): void => {
    take(text)
    const now = performance.now()
    for (const number of marksIn(text)) {
      const at = sent.get(number)
      if (at !== undefined) delays.push(now - at)
      sent.delete(number)
    }
  }
  for (let index = 0; index < subscribers; index += 1) {
    const transport = transports[index % 2] ?? "sse"
    if (index % 50 === 0) progress(`${index} subscribers of ${follows}, ${database}`)
    open.push(
      await subscribe({
        url,
        transport,
        take: follows === "one record" || index < 2 ? watch : take,
        whenEnded: () => {
          ended += 1
        },
        ...(follows === "one record" && { id: index + 1 }),
      }),
    )
  }
  await sleep(2_000)
  const before = processorSeconds(pid)
  const began = performance.now()
  const openBytes = residentBytes(pid) ?? 0
  const tenths: number[] = []
  const rate = writesPerSecond[follows]
  const total = Math.round(minutes * 60 * rate)
  const writing: Promise<unknown>[] = []
  for (let count = 0; count < total; count += 1) {
    const due = began + (count * 1_000) / rate
    const early = due - performance.now()
    if (early > 0) await sleep(early)
    sent.set(writer.next, performance.now())
    writing.push(writer.write(1 + (count % subscribers)))
    if (writing.length > 200) await writing.splice(0, 100).at(-1)
    if ((count + 1) % Math.ceil(total / 10) === 0) {
      tenths.push(residentBytes(pid) ?? 0)
      progress(`${subscribers} subscribers of ${follows}, ${database}: part ${tenths.length} of 10`)
    }
  }
  await Promise.all(writing)
  const seconds = (performance.now() - began) / 1_000
  const after = processorSeconds(pid)
  const expected = follows === "one record" ? total : total * subscribers
  for (let waited = 0; frames < expected && waited < 20_000; waited += 100) await sleep(100)
  for (const one of open) one.close()
  await writer.close()
  return {
    database,
    follows,
    minutes: seconds / 60,
    writes: total,
    frames,
    missing: expected - frames,
    ended,
    processor: before === undefined || after === undefined ? undefined : (after - before) / seconds,
    resident: { start, open: openBytes, tenths },
    delays,
  }
}

/** Frames of either transport: each has one id. */
function countFrames(text: string): number {
  let count = 0
  for (let at = text.indexOf('"kind":'); at >= 0; at = text.indexOf('"kind":', at + 7)) count += 1
  return count
}

// Tables

const milliseconds = (values: readonly number[], part: number): string => {
  const sorted = values.toSorted((a, b) => a - b)
  return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN).toFixed(1)
}

export const delaysTable = ({ delays }: EventFigures): Table => ({
  title: "From a write to its subscriber",
  head: [
    "one subscriber",
    "p50 ms",
    "p99 ms",
    "most ms",
    "the write itself, p50 ms",
    "p99 ms",
    "frames",
    "rounds",
  ],
  rows: delays.map(({ database, transport, frames, answers, rounds }) => [
    `${transport}, ${database}`,
    ...[0.5, 0.99, 1].map((part) => milliseconds(frames, part)),
    ...[0.5, 0.99].map((part) => milliseconds(answers, part)),
    String(frames.length),
    String(rounds),
  ]),
})

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(0)

export const crowdsTable = ({ crowds }: EventFigures): Table => ({
  title: "A thousand subscriptions",
  head: [
    `${subscribers} subscriptions`,
    "writes/s",
    "minutes",
    "frames/s",
    "missing",
    "ended",
    "cores",
    "p50 ms",
    "p99 ms",
    "resident MB before",
    "with all",
    "each tenth",
  ],
  rows: crowds.map(({ database, follows, minutes, frames, missing, ended, processor, delays, resident }) => [
    `${follows} each, ${database}`,
    String(writesPerSecond[follows]),
    minutes.toFixed(1),
    (frames / (minutes * 60)).toFixed(0),
    String(missing),
    String(ended),
    processor?.toFixed(2) ?? "–",
    milliseconds(delays, 0.5),
    milliseconds(delays, 0.99),
    megabytes(resident.start),
    megabytes(resident.open),
    resident.tenths.map(megabytes).join(", "),
  ]),
})

export const loggedTable = (measured: readonly Fired[]): Table => ({
  title: "Writes that are logged",
  head: ["updates", "connections", "not logged/s", "logged/s", "ratio", "rounds: least–most", "failed"],
  rows: measured.map(({ database, face, connections, of: { plain, kept } }) => {
    const ratios = kept.rounds.map((one, index) => one / (plain.rounds[index] ?? Number.NaN))
    return [
      `${face}, ${database}`,
      String(connections),
      plain.perSecond.toFixed(0),
      kept.perSecond.toFixed(0),
      median(ratios).toFixed(2),
      `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)} of ${ratios.length}`,
      String(plain.failed + kept.failed),
    ]
  }),
})
