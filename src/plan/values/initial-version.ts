// Where the versions of records begin. Keys may come again: a record that is made in the place of one that was deleted has
// none of its versions, so that nobody who has seen that one changes this one unseen.

/** Microseconds since 1970, each greater than the one before: no record is written so often that its versions keep up. */
export function createVersions(now: () => number = precise): () => number {
  let last = 0
  return () => {
    last = Math.max(last + 1, Math.floor(now() * 1_000))
    return last
  }
}

/** Milliseconds since 1970, with their fractions; by the system's clock, also when that is set. */
function precise(): number {
  const coarse = Date.now()
  return coarse + (performance.now() % 1)
}
