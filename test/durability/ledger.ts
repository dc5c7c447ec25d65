// The ledger's writes as plans: what both faces would make of a request, for tests of what lies below them.

import { createHash } from "node:crypto"
import { join } from "node:path"
import type { Idempotency } from "../../src/base/request.ts"
import { createEngine } from "../../src/engine/engine.ts"
import { createCursors } from "../../src/plan/draft/cursor.ts"
import { type Draft, type PlanContext, startDraft } from "../../src/plan/draft/draft.ts"
import { resourceNamed } from "../../src/plan/lookup.ts"
import type { Plan } from "../../src/plan/plan.ts"
import type { Answer, ListMember, Member, RecordRoot } from "../../src/plan/read-plan.ts"
import { type Effect, readCreate, readUpdate, readUpdates, writtenList } from "../../src/plan/write/write.ts"
import type { WritePlan } from "../../src/plan/write-plan.ts"
import { postgres } from "../../src/sql/dialects/postgres.ts"
import { sqlite } from "../../src/sql/dialects/sqlite.ts"
import { createSchema } from "../../src/sql/schema/schema.ts"
import { setUp } from "../../src/storage/migration/set-up.ts"
import type { Storage } from "../../src/storage/storage.ts"
import { ledger } from "../services/ledger.ts"
import { type Hooks, temporaryFolder, temporaryPostgres } from "../support/database.ts"
import { answerAnyone, loadOpen } from "../support/everybody.ts"
import type { Database } from "../support/open-service.ts"

const model = loadOpen(ledger)

export interface ReceiptWrite {
  readonly number: string
  readonly lines: readonly string[]
  /** An Idempotency-Key. */
  readonly key?: string
}

interface Counter {
  readonly name: string
  readonly count: number
  readonly version: string
}

export interface Ledger {
  /** A receipt with its lines, all or nothing. */
  write(receipt: ReceiptWrite): Promise<Answer>
  addCounter(name: string): Promise<Counter>
  readCounter(name: string): Promise<Counter>
  /** Refused as `stale_version` when the counter is not as it was read. */
  setCounter(counter: Counter, count: number): Promise<Counter>
  /** Receipts whose number holds a text, each of which has to be looked at. */
  changeEach(holding: string): Promise<Answer>
}

/** The tables in a database that is there; a SQLite file is made. */
export async function makeLedger(url: string): Promise<string> {
  const dialect = url.startsWith("postgres:") ? postgres : sqlite
  await setUp(
    url,
    createSchema(model, dialect).map((text) => ({ text, parameters: [] })),
  )
  return url
}

/** The address of a new database with the ledger's tables. */
export async function ledgerDatabase(hooks: Hooks, database: Database): Promise<string> {
  return makeLedger(
    database === "sqlite"
      ? join(await temporaryFolder(hooks), "ledger.sqlite")
      : await temporaryPostgres(hooks),
  )
}

export function openLedger(storage: Storage): Ledger {
  const context: PlanContext = { model, cursors: createCursors("a secret of the tests") }
  const engine = createEngine({ ...context, storage })
  const answer = (plan: Plan, once?: Idempotency): Promise<Answer> => answerAnyone(engine, plan, once)
  return {
    write: ({ number, lines, key }) =>
      answer(receiptPlan(context, number, lines), key ? onceOf(key, number) : undefined),
    async addCounter(name) {
      const draft = startDraft(context)
      const effect = readCreate(draft, resourceNamed(model, "counter"), {
        input: { name, count: 0 },
        place: [],
      })
      return counterOf(await answer(planOf(draft, effect, counterMembers)))
    },
    async readCounter(name) {
      const draft = startDraft(context)
      draft.bind(name)
      const root: RecordRoot = { ...recordRoot("counter", counterMembers), by: byName }
      return counterOf(await answer(draft.finish([root])))
    },
    async setCounter({ name, version }, count) {
      const draft = startDraft(context)
      draft.bind(name)
      const given = {
        input: { count },
        place: [],
        by: byName,
        match: [version],
        absent: "keep",
      } as const
      const effect = readUpdate(draft, resourceNamed(model, "counter"), given)
      return counterOf(await answer(planOf(draft, effect, counterMembers)))
    },
    async changeEach(holding) {
      const draft = startDraft(context)
      const effect = readUpdates(draft, resourceNamed(model, "receipt"), {
        input: { input: { lineCount: 0 }, place: [] },
        where: { number: { contains: holding } },
        wherePlace: [],
        most: 10,
        place: [],
      })
      const total: ListMember = { kind: "total", key: "affected" }
      return answer(
        draft.finishWrite(
          (effect ? [effect] : []).map((one) => ({
            writes: one.writes,
            answer: {
              kind: "list",
              key: "receipts",
              resource: "receipt",
              list: { ...writtenList(draft, one), members: [total] },
            },
            reads: "after",
          })),
        ),
      )
    },
  }
}

const counterMembers: readonly Member[] = [
  { kind: "field", key: "name", field: "name" },
  { kind: "field", key: "count", field: "count" },
  { kind: "version", key: "version" },
]

/** The name is the first value of the plan. */
const byName: RecordRoot["by"] = [{ subject: { kind: "field", field: "name" }, slot: 0 }]

const recordRoot = (resource: string, members: readonly Member[]): Omit<RecordRoot, "by"> => ({
  kind: "record",
  key: resource,
  resource,
  members,
})

function receiptPlan(context: PlanContext, number: string, lines: readonly string[]): WritePlan {
  const draft = startDraft(context)
  const input = {
    number,
    lineCount: lines.length,
    lines: { create: lines.map((text, position) => ({ text, position })) },
  }
  const effect = readCreate(draft, resourceNamed(model, "receipt"), { input, place: [] })
  return planOf(draft, effect, [
    { kind: "id", key: "id" },
    { kind: "field", key: "number", field: "number" },
  ])
}

function planOf(draft: Draft, effect: Effect | undefined, members: readonly Member[]): WritePlan {
  const [first] = effect?.writes ?? []
  if (!effect || !first) return draft.finishWrite([])
  const resource = effect.writes.some((write) => write.resource === "receipt") ? "receipt" : first.resource
  const answer: RecordRoot = {
    ...recordRoot(resource, members),
    by: [{ subject: { kind: "id" }, slot: effect.key.slot }],
  }
  return draft.finishWrite([{ writes: effect.writes, answer, reads: "after" }])
}

const onceOf = (key: string, number: string): Idempotency => ({
  key,
  fingerprint: createHash("sha256").update(number).digest("hex"),
})

function counterOf({ roots: [json] }: Answer): Counter {
  if (!json) throw new Error("There is no such counter.")
  return JSON.parse(String(json)) as Counter
}
