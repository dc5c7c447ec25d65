// How a server ends when a signal says so: readiness first, then the listener, then the process.

export interface Ending {
  /** Readiness fails from then on; the server is closed after so many milliseconds. */
  drain(delay: number): void
  /** Answers what it was asked, then ends. */
  close(): Promise<void>
  /** Ends processes that it has started, with what they do. */
  kill?(): void
}

interface EndingOptions {
  /** Milliseconds. */
  readonly delay: number
  readonly tell: (what: "draining" | "closing") => void
}

/** Exit codes as shells give them for a process that a signal has ended: 128 and the number of the signal. */
const exitCodes = { SIGINT: 130, SIGTERM: 143 } as const
/** Milliseconds: a terminal signals every process it started, and each passes it on, so that sooner ones are the same. */
const same = 500

export interface EndAsked {
  /** Resolves when a signal has come. */
  readonly asked: Promise<void>
  /** Resolves when the server has ended after one. */
  end(running: Ending, options: EndingOptions): Promise<void>
}

/** Listens for signals from now on. */
export function endOnSignal(): EndAsked {
  const asked = Promise.withResolvers<void>()
  let since: number | undefined
  let kill = (): void => {}
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.on(signal, () => {
      if (since !== undefined && performance.now() - since > same) {
        kill()
        process.exit(exitCodes[signal])
      }
      since ??= performance.now()
      asked.resolve()
    })
  return {
    asked: asked.promise,
    async end(running, { delay, tell }) {
      kill = () => running.kill?.()
      await asked.promise
      running.drain(delay)
      if (delay > 0) {
        tell("draining")
        await new Promise((resolve) => setTimeout(resolve, delay))
      }
      tell("closing")
      await running.close()
    },
  }
}
