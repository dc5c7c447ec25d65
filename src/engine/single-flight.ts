// Equal statements with equal bound values share one execution while it is under way. The viewer's rights are bound values
// too, so callers with different rights share nothing. Nothing is kept once an execution has ended.

import { FairQueue } from "../base/fair-queue.ts"
import { present } from "../base/invariant.ts"
import type { Request } from "../base/request.ts"
import type { Parameter } from "../sql/statement.ts"
import { waitsTooLong } from "../storage/faults.ts"
import type { Read, Row, Storage } from "../storage/storage.ts"

export interface SingleFlight {
  /** As the storage's `read`, joining an equal one that is under way. */
  read(asked: Read): Promise<Row>
  /** Executions that are under way are not joined any more. */
  forget(): void
}

export function createSingleFlight({
  read,
  readTogether,
}: Pick<Storage, "read" | "readTogether">): SingleFlight {
  const flights = createFlights()
  const readShared: SingleFlight["read"] = ({
    statement,
    parameters,
    outlook,
    values = valuesKey(parameters),
    request,
  }) => {
    const { text } = statement
    return (
      flights.find(text, values, request) ??
      flights.add({ text, values, request, row: read(statement, parameters, outlook, request) })
    )
  }
  const readInTurn = readTogether && createTurns(readTogether, flights)
  return {
    read: (asked) => (readInTurn && asked.outlook?.pace !== "slow" ? readInTurn : readShared)(asked),
    forget: flights.forget,
  }
}

interface Flights {
  /** Its client is not the only one that waits for it then. */
  find(text: string, values: string, by: Request | undefined): Promise<Row> | undefined
  /** Gives its row back. */
  add(flight: Flight): Promise<Row>
  forget(): void
}

interface Flight {
  readonly text: string
  readonly values: string
  /** The request that began it. */
  readonly request: Request | undefined
  readonly row: Promise<Row>
}

function createFlights(): Flights {
  const byText = new Map<string, Map<string, Flight>>()
  return {
    find(text, values, by) {
      const flight = byText.get(text)?.get(values)
      if (flight) share(flight, by)
      return flight?.row
    },
    add(flight) {
      const { text, values, row } = flight
      const equal = byText.get(text) ?? new Map<string, Flight>()
      byText.set(text, equal.set(values, flight))
      const end = (): void => {
        if (equal.get(values) === flight) equal.delete(values)
        if (equal.size === 0 && byText.get(text) === equal) byText.delete(text)
      }
      row.then(end, end)
      return row
    },
    forget: () => byText.clear(),
  }
}

/** A request waits for the read of another one. */
function share({ request }: Pick<Read, "request">, by: Request | undefined): void {
  if (request) request.marks.shared = true
  if (by?.record) by.record.joined += 1
}

interface Waiting {
  readonly asked: Read
  readonly row: Promise<Row>
  readonly resolve: (row: Row | Promise<Row>) => void
}

/** Reads that may wait for the process; more are refused. */
const mostWaiting = 10_000

/**
 * Reads that hold the process are done together when everything that has arrived in the same turn of the event loop has
 * been taken in: otherwise each would have ended before an equal one could be seen. Clients take turns. Those for which one turn
 * has no time are done in the next. One that is slow after all goes on as a flight.
 */
function createTurns(
  readTogether: NonNullable<Storage["readTogether"]>,
  flights: Flights,
): SingleFlight["read"] {
  const waiting = new FairQueue<Waiting>()
  const byText = new Map<string, Map<string, Waiting>>()
  const begin = (one: Waiting): void => {
    const { statement, parameters, values = valuesKey(parameters) } = one.asked
    const equal = byText.get(statement.text)
    equal?.delete(values)
    if (equal?.size === 0) byText.delete(statement.text)
  }
  const end = (): void => {
    const taken: Waiting[] = []
    const rows = readTogether(takenFrom(waiting, taken), { isSeveral: waiting.length > 1 })
    for (const [index, row] of rows.entries()) {
      const one = present(taken[index], "each row is one that was asked for")
      const { asked, resolve } = one
      begin(one)
      const { statement, parameters, values = valuesKey(parameters), request } = asked
      resolve(row instanceof Promise ? flights.add({ text: statement.text, values, request, row }) : row)
    }
    if (waiting.length > 0) setImmediate(end)
  }
  return (asked) => {
    const { statement, parameters, values = valuesKey(parameters), request } = asked
    const equal = byText.get(statement.text) ?? new Map<string, Waiting>()
    const beside = equal.get(values)
    if (beside) share(beside.asked, request)
    const known = beside?.row ?? flights.find(statement.text, values, request)
    if (known) return known
    if (waiting.length >= mostWaiting) return Promise.reject(waitsTooLong())
    const { promise: row, resolve } = Promise.withResolvers<Row>()
    const one: Waiting = { asked, row, resolve }
    byText.set(statement.text, equal.set(values, one))
    waiting.push(request?.client ?? "", one)
    if (waiting.length === 1) setImmediate(end)
    return row
  }
}

/** In the order of turns; each is taken when it is asked for. */
function* takenFrom(waiting: FairQueue<Waiting>, taken: Waiting[]): Iterable<Read> {
  for (let one = waiting.shift(); one; one = waiting.shift()) {
    taken.push(one)
    yield one.asked
  }
}

/** A key of values. Different lists have different keys: texts are prefixed by their length, numbers have an end. */
export function valuesKey(parameters: readonly Parameter[]): string {
  let key = ""
  for (const value of parameters)
    if (typeof value === "string") key += `"${value.length}:${value}`
    else if (typeof value === "number") key += `${value};`
    else if (value === null) key += "-;"
    else if (value instanceof Uint8Array) key += `x${Buffer.from(value).toString("base64")};`
    else key += `${typeof value}${value};`
  return key
}
