// Values and modules loaded at first use, so that no start waits for them. A server imports all registered modules soon after
// its start. Its package may be replaced while it runs, and Node reads a module's file at the first import only.
import { Refusal } from "./problem.ts"

type Load = () => Promise<unknown>

/** Registered modules of this process. */
const expected = new Set<Load>()
const loaded = new Set<Load>()
const failures = new Map<Load, unknown>()

/** Concurrent callers share one load. A failed load is tried again by the next call. */
export function lazily<Value>(load: () => Promise<Value>): () => Promise<Value> {
  let loading: Promise<Value> | undefined
  return () =>
    (loading ??= load().catch((error: unknown) => {
      loading = undefined
      throw error
    }))
}

/** Concurrent and later callers share the module. A failed load is tried again by the next call. */
export function lateModule<Module>(load: () => Promise<Module>): () => Promise<Module> {
  const attempt = lazily(async () => {
    try {
      const module = await load()
      loaded.add(attempt)
      failures.delete(attempt)
      return module
    } catch (error) {
      const refused = unloadable(error)
      noteFailure(attempt, refused)
      throw refused
    }
  })
  return attempt
}

/** Registers modules that a request may need. */
export function expectModules(...loads: readonly Load[]): void {
  for (const load of loads) expected.add(load)
}

/** @param cause names the file */
export const unloadable = (cause: unknown): Refusal =>
  new Refusal(
    [
      {
        code: "program_unavailable",
        message: "This process cannot load a part of its own program.",
        hint: "Try again. If its files were replaced or removed, it has to be started again.",
      },
    ],
    { cause },
  )

/** @param again retries the load; rejects if it fails again */
export const noteFailure = (again: Load, error: unknown): void => void failures.set(again, error)

/** Imports the registered modules one by one, so that requests are answered in between. Failures are kept for `loadFailure`. */
export async function loadLateModules(): Promise<void> {
  // The loop also visits modules registered meanwhile.
  for (const load of expected) await load().catch(() => {})
}

/** Whether each registered module has been imported. */
export const allLoaded = (): boolean => expected.isSubsetOf(loaded)

/** Retries failed loads. Resolves with an error that remains, or undefined. */
export async function loadFailure(): Promise<unknown> {
  for (const again of [...failures.keys()])
    await again().then(
      () => failures.delete(again),
      (error: unknown) => failures.set(again, error),
    )
  return failures.values().next().value
}
