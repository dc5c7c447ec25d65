// Entries of the log that are no observations, in words: a line for each request and each slow statement.
import { type Entry, safeMembers } from "../../telemetry/logs/catalog.ts"
import type { Terminal } from "../../telemetry/terminal/terminal.ts"

type Request = Extract<Entry, { readonly event: "request" }>["members"]

/** Undefined for an event that another text reports. */
export function entryText({ err }: Terminal, entry: Entry): string | undefined {
  const { event } = entry
  // As the catalog bounds them, and without control characters.
  const members = safeMembers(entry)
  if (event === "request") return requestText({ err }, members as unknown as Request)
  if (event === "requests_omitted")
    return err.dim(`${members["count"]} more requests failed or were slow in this second.`)
  if (event === "slow_statement") {
    const { count, durationMs, failed, operation, sql, statement } = members
    const which = count === 1 ? "A statement" : `${count} more statements of one text`
    const of = operation === undefined ? "" : ` of ${operation}`
    const time = count === 1 ? `${durationMs} ms` : `up to ${durationMs} ms`
    return `${err.yellow("!")} ${which}${of} took ${time}${failed === true ? " and failed" : ""} (${statement}):\n  ${err.dim(String(sql))}`
  }
  if (event === "draining")
    return `Not ready any more; closes in ${Number(members["delayMs"]) / 1_000} s. Another signal ends it at once.`
  if (event === "stopping") return "Shutting down; draining requests."
  return undefined
}

function requestText({ err }: Pick<Terminal, "err">, request: Request): string {
  const { method, route, operationKind, operation, status, code, durationMs, rows, actor, requestId } =
    request
  const what = route ?? [operationKind, operation].filter((part) => part !== undefined).join(" ")
  const colour = status >= 500 ? err.red : status >= 400 ? err.yellow : err.green
  const answer = code === undefined ? String(status) : `${status} ${code}`
  const details = [`${durationMs} ms`, `${rows} rows`, actor ?? "anonymous", requestId]
  return `${method} ${what} ${colour(answer)} ${err.dim(details.join(", "))}`
}
