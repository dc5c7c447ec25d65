// A hand-written server's PostgreSQL without a driver: statements that are parsed once, and bound and executed in batches.
// Requests of one turn of the event loop go out in one packet with one Sync. So do requests that arrive
// while a batch is under way. A batch is one transaction: its writes share a commit, and a wait for the disk.
import type { Socket } from "node:net"
import pg from "pg"
import { serialize } from "pg-protocol"
import { postgresSpellings } from "./postgres.ts"
import type { Ask, HandDatabase } from "./server.ts"
import type { HandStatement, HandValue } from "./statements.ts"

type Body = string | Uint8Array | undefined

interface Question {
  readonly name: string
  readonly values: readonly HandValue[]
  readonly large: boolean
  readonly writes: boolean
  readonly answer: (body: Body) => void
}

/** Reads have two connections, as with the driver: PostgreSQL makes one long answer while it sends another. */
const readingConnections = 2
/** Batches that one connection sends before the first of them is answered. */
const mostBatches = 2
/** Bytes of messages (their type, and their length with itself) before what they say. */
const header = 5

/** @param url of a server that is asked by its driver first, for what begins a connection */
export async function openPipelinedPostgres(url: string): Promise<HandDatabase> {
  const readers = await Promise.all(Array.from({ length: readingConnections }, () => open(url)))
  // Two batches that change the same rows would wait for one another, or have to be undone.
  const writer = await open(url)
  let sent = 0
  return {
    spellings: postgresSpellings,
    get sent() {
      return sent
    },
    async prepare({ name, text, parameters, large, writes }: HandStatement): Promise<Ask> {
      const own = writes ? [writer] : readers
      await Promise.all(own.map((pipeline) => pipeline.parse(name, text)))
      return (given, answer) => {
        const pipeline = own[sent++ % own.length]
        pipeline?.ask({ name, values: parameters(given), large, writes: writes === true, answer })
      }
    },
    async close() {
      await Promise.all([writer, ...readers].map((pipeline) => pipeline.close()))
    },
  }
}

interface Pipeline {
  parse(name: string, text: string): Promise<void>
  ask(question: Question): void
  close(): Promise<void>
}

async function open(url: string): Promise<Pipeline> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query("SET plan_cache_mode = force_generic_plan")
  // The driver's types omit the socket, which is ours from here on.
  const { stream } = (client as unknown as { readonly connection: { readonly stream: Socket } }).connection
  stream.removeAllListeners("data")
  // The client reports the end of the connection.
  client.on("error", () => undefined)
  return pipelineOver(stream)
}

function pipelineOver(socket: Socket): Pipeline {
  const waiting: Question[] = []
  const batches: (readonly Question[])[] = []
  /** Statements that are parsed, before anything is asked. */
  const parsing: PromiseWithResolvers<void>[] = []
  let due = false

  const send = (batch: readonly Question[]): void => {
    batches.push(batch)
    const messages = batch.flatMap(({ name, values }) => [
      serialize.bind({ statement: name, values: values.map(asText) }),
      serialize.execute(),
    ])
    socket.write(Buffer.concat([...messages, serialize.sync()]))
  }
  const flush = (): void => {
    due = false
    if (waiting.length > 0 && batches.length < mostBatches) send(waiting.splice(0))
  }

  // The state of the batch that PostgreSQL is answering.
  let body: Body
  let written: Body[] = []
  let answered = 0
  let failed = false
  const complete = (): void => {
    const question = batches[0]?.[answered]
    // A write is done when its batch is.
    if (question?.writes) written.push(body)
    else {
      question?.answer(body)
      answered += 1
    }
    body = undefined
  }
  const ready = (): void => {
    const parsed = parsing.shift()
    if (parsed && failed) parsed.reject(new Error("A statement by hand is refused."))
    else if (parsed) parsed.resolve()
    else {
      const left = batches.shift()?.slice(answered) ?? []
      // Nothing of a batch that failed was done. Alone, a question that fails is refused, and others are answered.
      if (failed && left.length > 1) for (const question of left) send([question])
      else
        for (const [index, question] of left.entries()) question.answer(failed ? undefined : written[index])
    }
    written = []
    answered = 0
    failed = false
    flush()
  }
  readMessages(socket, (type, bytes, begin, end) => {
    if (type === codes.row) {
      // After the number of columns, which is one, and the length of its value.
      const from = begin + 6
      body = batches[0]?.[answered]?.large ? bytes.subarray(from, end) : bytes.toString("utf8", from, end)
    } else if (type === codes.complete) complete()
    else if (type === codes.error) failed = true
    else if (type === codes.ready) ready()
  })

  return {
    parse(name, text) {
      const parsed = Promise.withResolvers<void>()
      parsing.push(parsed)
      socket.write(Buffer.concat([serialize.parse({ name, text }), serialize.sync()]))
      return parsed.promise
    },
    ask(question) {
      waiting.push(question)
      if (due) return
      due = true
      setImmediate(flush)
    },
    async close() {
      socket.end(serialize.end())
    },
  }
}

const asText = (value: HandValue): string | null => (value === null ? null : String(value))

/** Types of messages (PostgreSQL 18, 54.7), as their first byte has them. */
const codes = { row: 0x44, complete: 0x43, error: 0x45, ready: 0x5a }

/** Whole messages, each where it lies: what it says is between `begin` and `end`. */
function readMessages(
  socket: Socket,
  take: (type: number, bytes: Buffer, begin: number, end: number) => void,
): void {
  let rest: Buffer[] = []
  let size = 0
  let wanted = header
  socket.on("data", (chunk: Buffer) => {
    rest.push(chunk)
    size += chunk.length
    if (size < wanted) return
    const bytes = rest.length === 1 ? chunk : Buffer.concat(rest, size)
    let at = 0
    wanted = header
    while (bytes.length - at >= header) {
      const length = 1 + bytes.readUInt32BE(at + 1)
      if (bytes.length - at < length) {
        wanted = length
        break
      }
      take(bytes[at] ?? 0, bytes, at + header, at + length)
      at += length
    }
    rest = at < bytes.length ? [bytes.subarray(at)] : []
    size = bytes.length - at
  })
}
