// Savepoints of a transaction for user code: what is done since one was set can be undone without the rest.

/** Undone, it is gone as well. */
export type Mark = "set" | "release" | "undo"

/** @param depth how many are open around it, so that no two that are open have one name */
export function savepointCommands(mark: Mark, depth: number): readonly string[] {
  const name = `within_${depth}`
  switch (mark) {
    case "set":
      return [`SAVEPOINT ${name}`]
    case "release":
      return [`RELEASE ${name}`]
    case "undo":
      return [`ROLLBACK TO ${name}`, `RELEASE ${name}`]
  }
}
