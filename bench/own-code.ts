// User code that decides by its reads, with many clients at once: exact results, refusals and answers per second.
// The same code at READ COMMITTED, with locks by hand, runs beside it.
import { serialize } from "pg-protocol"
import { Telemetry } from "../src/base/telemetry.ts"
import { type OpenCode, openCode } from "../test/code/open.ts"
import { postgresAddress } from "./databases.ts"
import { bank } from "./own-code/service.ts"
import { median } from "./rounds.ts"
import type { DatabaseName } from "./servers.ts"
import type { Table } from "./table.ts"

const contestants = ["plain", "by hand"] as const
type Contestant = (typeof contestants)[number]

type Task = readonly [path: string, body: object]

interface Case {
  readonly name: string
  /** Makes the records; gives the requests. */
  prepare(opened: OpenCode, byHand: boolean, clients: number): Promise<readonly Task[]>
  /** Whether the records are as if all tasks had run one after the other. */
  isExact(opened: OpenCode): Promise<boolean>
}

const places = (opened: OpenCode, count: number) =>
  opened.add({ place: Array.from({ length: count }, (_, at) => ({ name: `${at}` })) })

/** All records of a resource, page by page. */
async function all<Row>({ as }: OpenCode, path: string): Promise<readonly Row[]> {
  const rows: Row[] = []
  for (let after = ""; ; ) {
    const { body } = await as("anyone").rest<{
      readonly data: readonly Row[]
      readonly page: { readonly next: string | null }
    }>("GET", `${path}?limit=100${after && `&after=${encodeURIComponent(after)}`}`)
    rows.push(...body.data)
    if (body.page.next === null) return rows
    after = body.page.next
  }
}

const cents = (amount: string): number => Math.round(Number(amount) * 100)
const accounts = 10

const cases: readonly Case[] = [
  {
    name: "transfers",
    async prepare(opened, byHand, clients) {
      const made = await opened.add({
        account: Array.from({ length: accounts }, () => ({ balance: "100.00" })),
      })
      const ids = made.account ?? []
      return Array.from({ length: Math.max(40, clients * 4) }, (_, at): Task => {
        const from = ids[at % accounts]
        const to = ids[(at + 1 + ((at * 7) % (accounts - 1))) % accounts]
        const amount = `${(at % 7) + 1}.${10 + (at % 90)}`
        return byHand
          ? ["/actions/transfer", { from, to, amount }]
          : [`/accounts/${from}/actions/send`, { to, amount }]
      })
    },
    async isExact(opened) {
      const found = await all<{ id: string; balance: string }>(opened, "/accounts")
      const entries = await all<{ accountId: string; amount: string }>(opened, "/entries")
      const of = (id: string) => entries.filter(({ accountId }) => accountId === id)
      const sum = (amounts: readonly string[]) => amounts.reduce((whole, amount) => whole + cents(amount), 0)
      return (
        sum(found.map(({ balance }) => balance)) === accounts * 10_000 &&
        found.every(({ id, balance }) => cents(balance) === 10_000 + sum(of(id).map(({ amount }) => amount)))
      )
    },
  },
  {
    name: "bookings",
    async prepare(opened, byHand, clients) {
      const { place = [] } = await places(opened, 20)
      const { booking = [] } = await opened.add({
        booking: Array.from({ length: Math.max(80, clients * 2) }, (_, at) => ({ placeId: place[at % 20] })),
      })
      // Bookings of one place follow each other, so that they conflict.
      const order = Array.from({ length: 20 }, (_, room) => booking.filter((_one, at) => at % 20 === room))
      return order.flat().map((id): Task => [`/bookings/${id}/actions/confirm`, { byHand }])
    },
    async isExact(opened) {
      const found = await all<{ placeId: string; confirmed: boolean }>(opened, "/bookings")
      const taken = found.filter(({ confirmed }) => confirmed).map(({ placeId }) => placeId)
      return taken.length === 20 && new Set(taken).size === 20
    },
  },
  {
    name: "write skew",
    async prepare(opened, byHand) {
      const { place = [] } = await places(opened, 40)
      const { doctor = [] } = await opened.add({
        doctor: Array.from({ length: 80 }, (_, at) => ({ placeId: place[at >> 1] })),
      })
      return doctor.map((id): Task => [`/doctors/${id}/actions/leave`, { byHand }])
    },
    async isExact(opened) {
      const found = await all<{ placeId: string; onCall: boolean }>(opened, "/doctors")
      const left = found.filter(({ onCall }) => onCall).map(({ placeId }) => placeId)
      return left.length === 40 && new Set(left).size === 40
    },
  },
  {
    name: "numbering",
    async prepare(opened, byHand) {
      const { place: [series] = [] } = await places(opened, 1)
      return Array.from({ length: 40 }, (): Task => ["/actions/bill", { series, byHand }])
    },
    async isExact(opened) {
      const found = await all<{ number: number }>(opened, "/invoices")
      return new Set(found.map(({ number }) => number)).size === 40 && found.length === 40
    },
  },
]

interface Run {
  readonly exact: boolean
  readonly perSecond: number
  readonly asked: number
  /** By status and code, of answers that are no decision of the code. */
  readonly failed: Readonly<Record<string, number>>
  readonly repeated: number
}

export interface OwnCode {
  readonly database: DatabaseName
  readonly case: string
  readonly clients: number
  readonly of: Readonly<Record<Contestant, readonly Run[]>>
}

export interface OwnCodeOptions {
  readonly database: readonly DatabaseName[]
  readonly connections: readonly number[]
  readonly rounds: number
  readonly undo: (() => void | Promise<void>)[]
  readonly progress: (text: string) => void
}

/** Rounds in which code that locks by hand takes part: its rate is compared, and not whether it is right. */
const mostByHand = 20

/** Bifold's transactions for user code are SERIALIZABLE; code that locks by hand runs at READ COMMITTED. */
const isolation = { isReadCommitted: false }

function replaceIsolation(undo: OwnCodeOptions["undo"]): void {
  const { parse } = serialize
  serialize.parse = (query) =>
    parse({
      ...query,
      text: isolation.isReadCommitted
        ? query.text.replace("BEGIN ISOLATION LEVEL SERIALIZABLE", "BEGIN ISOLATION LEVEL READ COMMITTED")
        : query.text,
    })
  undo.push(() => void Object.assign(serialize, { parse }))
}

export async function measureOwnCode(options: OwnCodeOptions): Promise<readonly OwnCode[]> {
  const { undo, rounds, progress } = options
  replaceIsolation(undo)
  if (options.database.includes("postgres")) process.env["BIFOLD_TEST_POSTGRES"] = postgresAddress()
  const measured: OwnCode[] = []
  for (const database of options.database) {
    const opened = await openBoth(database, undo)
    for (const clients of options.connections)
      for (const each of cases) {
        const of: Record<Contestant, Run[]> = { plain: [], "by hand": [] }
        // Round 0 warms it up.
        for (let round = 0; round <= rounds; round += 1) {
          progress(`${each.name}, ${database}, ${clients} clients: round ${round} of ${rounds}`)
          const order = round % 2 === 0 ? contestants : contestants.toReversed()
          for (const contestant of order) {
            if (contestant === "by hand" && round > mostByHand) continue
            const run = await runOnce(each, opened[contestant], contestant === "by hand", clients)
            if (round > 0) of[contestant].push(run)
          }
        }
        measured.push({ database, case: each.name, clients, of })
      }
  }
  return measured
}

interface Opened extends OpenCode {
  repeats(): number
}

async function openBoth(
  database: DatabaseName,
  undo: OwnCodeOptions["undo"],
): Promise<Readonly<Record<Contestant, Opened>>> {
  const open = async (serializable: boolean): Promise<Opened> => {
    let repeated = 0
    const telemetry = new Telemetry()
    telemetry.listen({ doneAgain: () => (repeated += 1) })
    const opened = await openCode({ after: (work) => undo.push(work) }, bank, database, {
      serializable,
      telemetry,
    })
    return { ...opened, repeats: () => repeated }
  }
  return { plain: await open(true), "by hand": await open(false) }
}

async function runOnce(each: Case, opened: Opened, byHand: boolean, clients: number): Promise<Run> {
  await clear(opened)
  const left = [...(await each.prepare(opened, byHand, clients))]
  const asked = left.length
  const client = opened.as("anyone")
  const failed: Record<string, number> = {}
  let answered = 0
  isolation.isReadCommitted = byHand
  const before = opened.repeats()
  const began = performance.now()
  await Promise.all(
    Array.from({ length: clients }, async () => {
      for (let task = left.shift(); task; task = left.shift()) {
        const { status, body } = await client.rest<{ code?: string } | undefined>("POST", ...task)
        if ([200, 204, 409].includes(status)) answered += 1
        else failed[`${status} ${body?.code}`] = (failed[`${status} ${body?.code}`] ?? 0) + 1
      }
    }),
  )
  const seconds = (performance.now() - began) / 1_000
  isolation.isReadCommitted = false
  return {
    exact: await each.isExact(opened),
    perSecond: answered / seconds,
    asked,
    failed,
    repeated: opened.repeats() - before,
  }
}

const tables = ["entry", "account", "booking", "doctor", "place", "invoice"]

async function clear({ storage }: Opened): Promise<void> {
  const commands = tables.map((table) => ({ text: `DELETE FROM "${table}"`, takes: 0 }))
  const shape = { commands, wanted: [], takes: 0, sure: false }
  const outcome = await storage.write?.({ shape, parameters: [] })
  if (outcome?.kind !== "done") throw new Error(`The tables could not be emptied: ${outcome?.kind}`)
}

const total = (runs: readonly Run[], of: (run: Run) => number): number =>
  runs.reduce((sum, run) => sum + of(run), 0)

const refused = (runs: readonly Run[]): string => {
  const kinds = new Map<string, number>()
  for (const { failed } of runs)
    for (const [kind, count] of Object.entries(failed)) kinds.set(kind, (kinds.get(kind) ?? 0) + count)
  return [...kinds].map(([kind, count]) => `${count} × ${kind}`).join(", ") || "0"
}

export const ownCodeTable = (measured: readonly OwnCode[]): Table => ({
  title: "Own code that decides by what it has read",
  head: [
    "case",
    "clients",
    "exact runs",
    "requests",
    "not decided",
    "repeated",
    "answers/s",
    "by hand: exact runs",
    "by hand: not decided",
    "by hand: answers/s",
    "ratio",
  ],
  rows: measured.map(({ database, case: name, clients, of }) => {
    const [plain, rival] = [of.plain, of["by hand"]]
    const rate = (runs: readonly Run[]) => median(runs.map(({ perSecond }) => perSecond))
    const exact = (runs: readonly Run[]) => `${total(runs, (run) => Number(run.exact))} of ${runs.length}`
    // Round by round, where both took part.
    const ratios = rival.map((run, at) => (plain[at]?.perSecond ?? 0) / run.perSecond)
    return [
      `${name}, ${database}`,
      String(clients),
      exact(plain),
      String(total(plain, ({ asked }) => asked)),
      refused(plain),
      String(total(plain, ({ repeated }) => repeated)),
      rate(plain).toFixed(0),
      exact(rival),
      refused(rival),
      rate(rival).toFixed(0),
      median(ratios).toFixed(2),
    ]
  }),
})
