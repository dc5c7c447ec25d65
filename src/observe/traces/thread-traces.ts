// Traces in a thread of user code, whose SDK is one of its own: its spans belong to the trace of the call.
import { readTraceparent } from "../../base/tracing.ts"
import { isRegistered } from "./registered.ts"

/** Runs work as part of a trace. */
export type InTrace = <Result>(traceparent: string | undefined, work: () => Result) => Result

/** Undefined where no SDK is registered in the thread. */
export async function openThreadTraces(): Promise<InTrace | undefined> {
  if (!isRegistered()) return undefined
  const [{ loadApi }, { remote }] = await Promise.all([import("./api.ts"), import("./tracer.ts")])
  const { context, ROOT_CONTEXT, trace } = await loadApi()
  return (traceparent, work) => {
    const span = readTraceparent(traceparent)
    return span ? context.with(trace.setSpanContext(ROOT_CONTEXT, remote(span)), work) : work()
  }
}
