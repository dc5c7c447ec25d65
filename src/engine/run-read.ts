// The stage `run` of reads: at most one statement, its values bound, its columns put in the place of the roots.

import { invariant } from "../base/invariant.ts"
import type { Reads, Request } from "../base/request.ts"
import type { Cursors } from "../plan/draft/cursor.ts"
import { noSlot } from "../plan/read/computed.ts"
import type { Answer, ReadPlan } from "../plan/read-plan.ts"
import { resourcesRead } from "../sql/read/compile.ts"
import type { Read, Row, Storage } from "../storage/storage.ts"
import { assemble, signCursors } from "./assemble.ts"
import type { Run } from "./prepare.ts"
import { createSingleFlight, valuesKey } from "./single-flight.ts"

interface ReadOptions {
  readonly storage: Storage
  readonly cursors: Cursors
  readonly singleFlight: boolean
}

export interface RunRead {
  /** The row's columns in the place of the roots, with their cursors signed. */
  run(run: Run<ReadPlan>, request: Request | undefined): Promise<Answer>
  /** Resources that its statement reads. */
  reads(run: Run<ReadPlan>): Reads
  /** Sent at once, before reads that wait. */
  probe(run: Run<ReadPlan>, request: Request): Promise<void>
  /** No later read shares a read that is under way. */
  forget(): void
}

export function createRunRead({ storage, cursors, singleFlight }: ReadOptions): RunRead {
  const { log } = storage
  const flights = createSingleFlight(storage)
  const sendAlone = ({ statement, parameters, outlook, request }: Read): Promise<Row> =>
    storage.read(statement, parameters, outlook, request)
  const send = singleFlight ? flights.read : sendAlone
  return {
    async run(run, request) {
      const bound = boundOf(run)
      const { statement, sends } = bound
      // Where the log cannot be made ready, the read says whether it is missed.
      if (sends && statement.readsLog) await log?.ready().catch(() => {})
      const row = sends ? await send({ ...bound, request }) : []
      const scopes = statement.cursors
      const signed = scopes.length === 0 ? row : row.map((json) => json && signCursors(json, scopes, cursors))
      return assemble(run.plan, statement, signed)
    },
    reads: (run) => resourcesRead(boundOf(run).statement, run.plan.model),
    async probe(run, request) {
      const bound = boundOf(run)
      if (bound.sends) await sendAlone({ ...bound, request })
    },
    forget: flights.forget,
  }
}

type Bound = NonNullable<Run["bound"]>

const boundOf = (run: Run<ReadPlan>): Bound => (run.bound ??= bind(run))

function bind({ plan, prepared, price }: Run<ReadPlan>): Bound {
  const statement = prepared.statement(plan, price)
  const sends = statement.columns.some((column) => column !== undefined)
  const parameters = (sends ? statement.binds : []).map(({ slot, encode }) => {
    const value = slot === noSlot ? null : plan.values[slot]
    invariant(value !== undefined, "each slot has a value")
    return encode(value)
  })
  return { statement, parameters, outlook: price, values: valuesKey(parameters), sends }
}
