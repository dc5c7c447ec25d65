// Counts the steps of a piece of work, as V8 counts them for coverage: each run of a function, and of each block within one. The
// count of the same work is the same on any machine.
import { Session } from "node:inspector/promises"
import { after } from "node:test"

interface Counted {
  readonly url: string
  readonly functions: readonly { readonly ranges: readonly { readonly count: number }[] }[]
}

/** @param isOurs whether steps of a module count, by its address */
export async function openSteps(isOurs: (url: string) => boolean) {
  const session = new Session()
  session.connect()
  await session.post("Profiler.enable")
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true })
  after(() => session.disconnect())
  /** Takes what was counted since it was taken last. */
  const take = async (): Promise<number> => {
    const { result } = (await session.post("Profiler.takePreciseCoverage")) as {
      readonly result: readonly Counted[]
    }
    let steps = 0
    for (const { url, functions } of result)
      if (isOurs(url)) for (const { ranges } of functions) for (const { count } of ranges) steps += count
    return steps
  }
  return async (work: () => void): Promise<number> => {
    await take()
    work()
    return await take()
  }
}
