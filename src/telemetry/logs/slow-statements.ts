// Statements that took long, for the log: of each text the first is told at once, then every ten seconds the number of further ones
// with the longest of them, as long as there are any. A database that has become slow as a whole does not fill a disk.
import { createHash } from "node:crypto"
import type { ObservedStatement } from "../../base/telemetry.ts"
import type { Entry } from "./catalog.ts"

export interface SlowStatements {
  note(statement: ObservedStatement): void
  /** Tells what has not been told. */
  end(): void
}

interface Bundle {
  longest: ObservedStatement | undefined
  count: number
}

/** Texts that are kept apart; all others are bundled as one. */
const most = 100

export function createSlowStatements(
  write: (entry: Entry) => void,
  /** Milliseconds. */
  every = 10_000,
): SlowStatements {
  const bundles = new Map<string, Bundle>()
  let timer: NodeJS.Timeout | undefined
  const pass = (): void => {
    for (const [text, bundle] of bundles) {
      const { longest, count } = bundle
      if (!longest) bundles.delete(text)
      else {
        bundle.longest = undefined
        bundle.count = 0
        write(slowEntry(longest, count))
      }
    }
    if (bundles.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
  const bundleOf = (text: string): Bundle | undefined =>
    bundles.get(text) ?? (bundles.size < most ? undefined : bundles.get(others))
  return {
    note(statement) {
      const text = statement.commands[0]?.text ?? ""
      const bundle = bundleOf(text)
      if (!bundle) {
        bundles.set(bundles.size < most ? text : others, { longest: undefined, count: 0 })
        timer ??= setInterval(pass, every).unref()
        write(slowEntry(statement, 1))
        return
      }
      bundle.count++
      if (!bundle.longest || bundle.longest.took < statement.took) bundle.longest = statement
    },
    end() {
      pass()
      clearInterval(timer)
      bundles.clear()
    },
  }
}

/** No statement has this text. */
const others = "…"

function slowEntry({ kind, commands, record, took, fault }: ObservedStatement, count: number): Entry {
  const sql = commands.map(({ text }) => text).join("; ")
  const operation = record?.route ?? record?.operation?.name
  return {
    event: "slow_statement",
    members: {
      kind,
      durationMs: took,
      count,
      statement: createHash("sha1").update(sql).digest("hex").slice(0, 12),
      sql,
      failed: fault !== undefined,
      ...(operation !== undefined && { operation }),
      ...(record && { requestId: record.id }),
      ...(record?.traceId !== undefined && { traceId: record.traceId }),
    },
  }
}
