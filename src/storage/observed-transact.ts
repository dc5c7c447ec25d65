// Transactions of user code, observed: each program in them, and their commit.
import type { RequestRecord, Telemetry } from "../base/telemetry.ts"
import type { Storage } from "./storage.ts"
import type { Session, Work } from "./write-request.ts"

type Transact = NonNullable<Storage["transact"]>

const commit = [{ text: "COMMIT" }] as const

export function observedTransact(telemetry: Telemetry | undefined, transact: Transact): Transact {
  if (!telemetry) return transact
  return async (use, options) => {
    const record = options.request?.record
    let asked = performance.now()
    const outcome = await transact(async (session) => {
      record?.endSince("queue", asked)
      const row = await use(observed(telemetry, record, session))
      asked = performance.now()
      return row
    }, options)
    telemetry.statementEnded({ kind: "commit", commands: commit, record }, asked)
    return outcome
  }
}

function observed(telemetry: Telemetry, record: RequestRecord | undefined, session: Session): Session {
  return {
    run: (work: Work) =>
      telemetry.awaited({ kind: "write", commands: work.shape.commands, record }, () => session.run(work)),
    within: (use) => session.within((own) => use(observed(telemetry, record, own))),
  }
}
