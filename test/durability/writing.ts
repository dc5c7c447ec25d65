// Starts and kills the process of writer.ts, and looks at what it left in the database.
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { DatabaseSync } from "node:sqlite"
import pg from "pg"
import type { Hooks } from "../support/database.ts"
import type { ReceiptWrite } from "./ledger.ts"
import type { Told } from "./writer.ts"

export interface WriterOptions {
  readonly manner?: "honest" | "hasty"
  /** Whether the database has to promise that what is committed is on disk; the tests' own server does not. */
  readonly writes?: "durable" | "unsafe"
  /** A command and its arguments that the process runs under. */
  readonly under?: readonly string[]
}

export interface Writer {
  readonly pid: number
  /** What became of it; `lost` when the process ended first. */
  write(receipt: ReceiptWrite): Promise<string>
  /** SIGKILL; resolves when everything that it had said has been read. */
  kill(): Promise<void>
  /** Ends its input; resolves when the process has ended. */
  end(): Promise<void>
}

const node = ["--disable-warning=ExperimentalWarning", "--conditions=bifold-source"]

export async function startWriter(
  hooks: Hooks,
  address: string,
  { manner = "honest", writes = "durable", under = [] }: WriterOptions = {},
): Promise<Writer> {
  const [program = process.execPath, ...args] = [
    ...under,
    process.execPath,
    ...node,
    join(import.meta.dirname, "writer.ts"),
    address,
    manner,
    writes,
  ]
  const child = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"] })
  hooks.after(() => void child.kill("SIGKILL"))
  return attach(child)
}

async function attach(child: ChildProcess): Promise<Writer> {
  const { stdin, stdout, pid } = child
  if (!stdin || !stdout || pid === undefined) throw new Error("The writer was not started.")
  stdin.on("error", () => {}) // it was killed
  const waiting = new Map<string, ((outcome: string) => void)[]>()
  const lines = createInterface(stdout)
  const ended = once(child, "close").then(() => {
    for (const resolve of [...waiting.values()].flat()) resolve("lost")
    waiting.clear()
  })
  const ready = once(lines, "line")
  await Promise.race([ready, ended.then(() => Promise.reject(new Error("The writer ended at once.")))])
  lines.on("line", (line) => {
    const { number, outcome } = JSON.parse(line) as Told
    waiting.get(number)?.shift()?.(outcome)
  })
  return {
    pid,
    write(receipt) {
      const { promise, resolve } = Promise.withResolvers<string>()
      if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve("lost")
      waiting.set(receipt.number, [...(waiting.get(receipt.number) ?? []), resolve])
      stdin.write(`${JSON.stringify(receipt)}\n`)
      return promise
    },
    async kill() {
      child.kill("SIGKILL")
      await ended
    },
    async end() {
      stdin.end()
      await ended
    },
  }
}

export interface Stored {
  /** How many lines each receipt should have, and has. */
  readonly receipts: ReadonlyMap<string, { readonly said: number; readonly found: number }>
  /** What the database says of itself; empty when all is well. */
  readonly complaints: readonly string[]
}

const receipts = `SELECT number, line_count AS said, (SELECT count(*) FROM receipt_line WHERE receipt_id = receipt.id) AS found FROM receipt`

export async function storedIn(address: string): Promise<Stored> {
  const [rows, complaints] = address.startsWith("postgres:") ? await inPostgres(address) : inSqlite(address)
  return {
    receipts: new Map(
      rows.map(({ number, said, found }) => [String(number), { said: Number(said), found: Number(found) }]),
    ),
    complaints,
  }
}

type Rows = readonly Readonly<Record<string, unknown>>[]

function inSqlite(path: string): [Rows, readonly string[]] {
  const database = new DatabaseSync(path)
  try {
    const integrity = database.prepare("PRAGMA integrity_check").all()
    const references = database.prepare("PRAGMA foreign_key_check").all()
    const complaints = [
      ...integrity.map(({ integrity_check: said }) => String(said)).filter((said) => said !== "ok"),
      ...references.map((row) => JSON.stringify(row)),
    ]
    return [database.prepare(receipts).all(), complaints]
  } finally {
    database.close()
  }
}

async function inPostgres(address: string): Promise<[Rows, readonly string[]]> {
  const client = new pg.Client({ connectionString: address })
  await client.connect()
  try {
    const { rows: orphans } = await client.query(
      "SELECT id FROM receipt_line WHERE NOT EXISTS (SELECT 1 FROM receipt WHERE id = receipt_id)",
    )
    const { rows } = await client.query(receipts)
    return [rows, orphans.map((row) => JSON.stringify(row))]
  } finally {
    await client.end()
  }
}

/** What is wrong: acknowledged receipts that are not there, and receipts that are there in part. */
export function losses(
  { receipts: stored, complaints }: Stored,
  acknowledged: Iterable<string>,
): readonly string[] {
  const lost = [...acknowledged].filter((number) => !stored.has(number))
  const half = [...stored].filter(([, { said, found }]) => said !== found)
  return [
    ...complaints,
    ...lost.map((number) => `${number} was acknowledged and is lost`),
    ...half.map(([number, { said, found }]) => `${number} has ${found} lines of ${said}`),
  ]
}
