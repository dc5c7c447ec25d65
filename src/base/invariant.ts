// Our own bugs: a broken promise inside Bifold. A person's mistake is a Problem instead (problem.ts).

/** Throws when `condition` does not hold. The text is for the log; a client only ever sees `internal`. */
export function invariant(condition: unknown, text: string): asserts condition {
  if (!condition) throw new Error(`Bifold is at fault: ${text}`)
}

/** The value, which our own reasoning says is present. */
export function present<Value>(value: Value | undefined | null, text: string): Value {
  invariant(value !== undefined && value !== null, text)
  return value
}
