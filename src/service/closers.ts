// The parts of something that runs, closed in the reverse order of their opening, once.

export interface Closers {
  /** @param close is called before those that were added earlier */
  add(close: () => unknown): void
  /** A later call waits for the first one. Closes all of them, then rejects with the first fault. */
  close(): Promise<void>
}

export function createClosers(): Closers {
  const added: (() => unknown)[] = []
  let closing: Promise<void> | undefined
  const closeAll = async (): Promise<void> => {
    const faults: unknown[] = []
    for (const close of added.toReversed())
      try {
        await close()
      } catch (fault) {
        faults.push(fault)
      }
    if (faults.length > 0) throw faults[0]
  }
  return {
    add: (close) => void added.push(close),
    close: () => (closing ??= closeAll()),
  }
}
