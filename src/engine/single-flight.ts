// Equal statements with equal bound values share one execution while it is under way. What a viewer may see is decided
// by bound values too, so nobody is given what somebody else asked for. Nothing is kept once an execution has ended.
import type { Parameter } from "../sql/statement.ts"
import type { Row, Storage } from "../storage/storage.ts"

export interface SingleFlight {
  /** `start` is called when no equal execution is under way. */
  share(text: string, parameters: readonly Parameter[], start: () => Promise<Row>): Promise<Row>
  /** What is under way is shared with nobody else. */
  forget(): void
}

export function createSingleFlight(): SingleFlight {
  const byText = new Map<string, Map<string, Promise<Row>>>()
  return {
    share(text, parameters, start) {
      const values = valuesKey(parameters)
      const flights = byText.get(text) ?? new Map<string, Promise<Row>>()
      const known = flights.get(values)
      if (known) return known
      const started = start()
      byText.set(text, flights.set(values, started))
      const end = (): void => {
        if (flights.get(values) === started) flights.delete(values)
        if (flights.size === 0 && byText.get(text) === flights) byText.delete(text)
      }
      started.then(end, end)
      return started
    },
    forget: () => byText.clear(),
  }
}

/** Each value with its type and length, so that no two lists of values have the same text. */
function valuesKey(parameters: readonly Parameter[]): string {
  let key = ""
  for (const value of parameters) {
    const text = value instanceof Uint8Array ? Buffer.from(value).toString("base64") : String(value)
    key += `${value instanceof Uint8Array ? "bytes" : value === null ? "null" : typeof value}${text.length}:${text}`
  }
  return key
}

/**
 * Starts reads that hold the process when everything that has arrived has been taken in: otherwise each would have ended
 * before an equal one could be seen. Those that start together share a snapshot: a database in a file asks the system
 * eight times for each one it opens.
 */
export function createTurns(snapshot?: Storage["snapshot"]): () => Promise<void> {
  let turn: Promise<void> | undefined
  let waiting = 0
  const start = (resolve: () => void): void => {
    if (snapshot && waiting > 1) {
      snapshot.begin()
      // In the next turn, before its reads: those of this one are done by then, as nothing interrupts them.
      setImmediate(() => snapshot.end())
    }
    turn = undefined
    waiting = 0
    resolve()
  }
  return () => {
    waiting++
    turn ??= new Promise((resolve) => setImmediate(start, resolve))
    return turn
  }
}
