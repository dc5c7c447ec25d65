// Equal statements with equal bound values share one running execution. The viewer's rights are bound values too, so callers
// with different rights share no execution. An execution is forgotten once it has ended, or is being ended because its client
// is gone.

import { FairQueue } from "../base/fair-queue.ts"
import { present } from "../base/invariant.ts"
import type { Parameter } from "../sql/statement.ts"
import { isLate, waitsTooLong } from "../storage/faults.ts"
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
  const apart: Way = {
    find: flights.find,
    begin(asked) {
      const { statement, parameters, outlook, request } = asked
      return flights.add(asked, read(statement, parameters, outlook, request))
    },
  }
  const turns = readTogether && createTurns(readTogether, flights)
  const readShared = (asked: Read, mayAskAgain: boolean): Promise<Row> => {
    const way = turns && asked.outlook?.pace !== "slow" ? turns : apart
    const joined = way.find(asked)
    if (!joined) return way.begin(asked)
    share(joined.asked, asked)
    if (!mayAskAgain || !hasMoreTime(asked, joined.asked)) return joined.row
    // The first caller's deadline has passed; this one has time left.
    return joined.row.catch((fault: unknown) => {
      if (isLate(fault)) return readShared(asked, false)
      throw fault
    })
  }
  return {
    read: (asked) => readShared(asked, true),
    forget: flights.forget,
  }
}

/** A read that others may join. */
interface Flight {
  /** By the request that began it. */
  readonly asked: Read
  readonly row: Promise<Row>
}

interface Way {
  /** An equal read that may be joined. */
  find(asked: Read): Flight | undefined
  begin(asked: Read): Promise<Row>
}

interface Flights {
  find(asked: Read): Flight | undefined
  /** Gives the row back. */
  add(asked: Read, row: Promise<Row>): Promise<Row>
  forget(): void
}

function createFlights(): Flights {
  const byText = new Map<string, Map<string, Flight>>()
  return {
    find({ statement, parameters, values = valuesKey(parameters) }) {
      const flight = byText.get(statement.text)?.get(values)
      // Its client is gone: its statement is being ended.
      return flight?.asked.request?.marks.gone ? undefined : flight
    },
    add(asked, row) {
      const { statement, parameters, values = valuesKey(parameters) } = asked
      const { text } = statement
      const flight: Flight = { asked, row }
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

/** A request waits for the read of another one, whose client is not the only one that waits for it then. */
function share({ request }: Read, by: Read): void {
  if (request) request.marks.shared = true
  if (by.request?.record) by.request.record.joined += 1
}

const hasMoreTime = (one: Read, other: Read): boolean =>
  !one.request || !other.request || one.request.since > other.request.since

interface Waiting extends Flight {
  readonly resolve: (row: Row | Promise<Row>) => void
}

/** Reads that may wait for the process; more are refused. */
const mostWaiting = 10_000

/**
 * Reads that hold the process run together, after all arrivals of one turn of the event loop. Otherwise each would end before
 * an equal one could be seen. Clients take turns, and reads without time in one turn run in the next. A read that proves slow
 * goes on as a flight.
 */
function createTurns(readTogether: NonNullable<Storage["readTogether"]>, flights: Flights): Way {
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
      begin(one)
      one.resolve(row instanceof Promise ? flights.add(one.asked, row) : row)
    }
    if (waiting.length > 0) setImmediate(end)
  }
  return {
    find(asked) {
      const { statement, parameters, values = valuesKey(parameters) } = asked
      return byText.get(statement.text)?.get(values) ?? flights.find(asked)
    },
    begin(asked) {
      if (waiting.length >= mostWaiting) return Promise.reject(waitsTooLong())
      const { statement, parameters, values = valuesKey(parameters), request } = asked
      const { promise: row, resolve } = Promise.withResolvers<Row>()
      const one: Waiting = { asked, row, resolve }
      const equal = byText.get(statement.text) ?? new Map<string, Waiting>()
      byText.set(statement.text, equal.set(values, one))
      waiting.push(request?.client ?? "", one)
      if (waiting.length === 1) setImmediate(end)
      return row
    },
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
