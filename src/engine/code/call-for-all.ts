// Calls user code once for several records: a value of each, in their order.
import type { RequestRecord } from "../../base/telemetry.ts"
import { spanned } from "../../base/tracing.ts"
import { inTime, untilStarted } from "./deadline.ts"
import { WrongShape } from "./user-code-error.ts"

interface ForAll {
  /** In the log and in traces. */
  readonly called: string
  /** Milliseconds. */
  readonly deadline: number
  /** By which its thread is known. */
  readonly run: object
  /** The rejection after the deadline. */
  readonly late?: () => unknown
  readonly record: RequestRecord | undefined
}

/** Rejects with the code's exception, and where it gives no value for some record. */
export async function callForAll(
  { called, deadline, run, late, record }: ForAll,
  count: number,
  call: (signal: AbortSignal) => unknown,
): Promise<readonly unknown[]> {
  const ended = record?.beginAround("code")
  const isLate = late ?? ((): Error => new Error(`The call took longer than ${deadline} ms.`))
  try {
    await untilStarted(run)
    const values = await spanned({ kind: "code", name: called }, () =>
      inTime({ milliseconds: deadline, late: isLate }, call),
    )
    if (!Array.isArray(values)) throw new WrongShape(`gave no list of values for ${called}`)
    if (values.length !== count)
      throw new WrongShape(`gave ${values.length} values of ${called} for ${count} records`)
    return values as readonly unknown[]
  } finally {
    ended?.()
  }
}
