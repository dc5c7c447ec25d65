// The stage `run` of reads: at most one statement, its values bound, its columns put in the place of the roots.

import { invariant } from "../base/invariant.ts"
import type { Json } from "../base/json.ts"
import type { Reads, Request } from "../base/request.ts"
import type { Cursors } from "../plan/draft/cursor.ts"
import { noSlot } from "../plan/read/computed.ts"
import type { Answer, ReadPlan } from "../plan/read-plan.ts"
import { resourcesRead } from "../sql/resources-read.ts"
import type { Parameter, Statement } from "../sql/statement.ts"
import type { Read, Row, Storage } from "../storage/storage.ts"
import { assemble, signCursors } from "./assemble.ts"
import type { BoundRead, Priced } from "./prepare.ts"
import { createSingleFlight, keyed } from "./single-flight.ts"

interface ReadOptions {
  readonly storage: Storage
  readonly cursors: Cursors
  readonly singleFlight: boolean
}

export interface RunRead {
  run(priced: Priced<ReadPlan>, request: Request | undefined): Promise<Row>
  /** The row's columns in the place of the roots, with their cursors signed. */
  assembled(priced: Priced<ReadPlan>, row: Row): Answer
  /** Resources that its statement reads. */
  reads(priced: Priced<ReadPlan>): Reads
  /** Sent at once, before reads that wait. */
  probe(priced: Priced<ReadPlan>, request: Request): Promise<void>
  /** Reads that are under way are shared with nobody else. */
  forget(): void
}

export function createRunRead({ storage, cursors, singleFlight }: ReadOptions): RunRead {
  const flights = createSingleFlight(storage)
  const send = singleFlight
    ? flights.read
    : ({ statement, parameters, outlook, request }: Read) =>
        storage.read(statement, parameters, outlook, request)
  return {
    run(priced, request) {
      const { statement, read } = boundOf(priced)
      if (!read) return nothing
      const asked = request ? { ...read, request } : read
      if (!statement.readsLog || !storage.log) return send(asked)
      // Where the log cannot be made ready, the read says whether it is missed.
      const sent = (): Promise<Row> => send(asked)
      return storage.log.ready().then(sent, sent)
    },
    assembled(priced, row) {
      const { statement } = boundOf(priced)
      return assemble(priced.plan, statement, signRow(row, statement, cursors))
    },
    reads: (priced) => resourcesRead(boundOf(priced).statement, priced.plan.model),
    async probe(priced, request) {
      const { read } = boundOf(priced)
      if (read) await storage.read(read.statement, read.parameters, read.outlook, request)
    },
    forget: flights.forget,
  }
}

const nothing: Promise<Row> = Promise.resolve([])

const boundOf = (priced: Priced<ReadPlan>): BoundRead => (priced.bound ??= bindRead(priced))

function bindRead({ plan, prepared, price }: Priced<ReadPlan>): BoundRead {
  const statement = prepared.statement(plan, price)
  const parameters = parametersOf(statement, plan)
  return { statement, read: parameters && keyed({ statement, parameters, outlook: price }) }
}

function parametersOf({ columns, binds }: Statement, { values }: ReadPlan): readonly Parameter[] | undefined {
  if (columns.every((column) => column === undefined)) return undefined
  return binds.map(({ slot, encode }) => {
    const value = slot === noSlot ? null : values[slot]
    invariant(value !== undefined, "each slot has a value")
    return encode(value)
  })
}

const signRow = (row: Row, { cursors: scopes }: Statement, cursors: Cursors): readonly (Json | null)[] =>
  scopes.length === 0 ? row : row.map((json) => json && signCursors(json, scopes, cursors))
