// The record that an address names: its id, a unique key, or in a batch the record of an earlier request.
import { invariant } from "../../base/invariant.ts"
import type { Draft } from "../../plan/draft/draft.ts"
import { readRecord, readUnique, refuseUnshown, unnamed } from "../../plan/read/record.ts"
import type { RecordRoot } from "../../plan/read-plan.ts"
import { missingRecord } from "../http/not-found.ts"
import type { RequestContext, WriteContext } from "./request-context.ts"

/** Where mistakes in an address are. */
const inPath = "path"

/** `missing`: no record can have this address. */
export function findAddress(
  draft: Draft,
  { route, earlier }: Pick<RequestContext, "route" | "earlier">,
): RecordRoot["by"] | "missing" {
  invariant("address" in route, "the route is that of a record")
  const { address, resource } = route
  if (address.kind === "unique") {
    const { values, unique } = address
    return readUnique(draft, resource, unique, { values, encoding: "text", place: [inPath] })
  }
  const known = earlier?.get(address.text)
  if (!known) return readRecord(draft, resource, address.text)
  return known.resource === resource ? [{ subject: { kind: "id" }, slot: known.key.slot }] : "missing"
}

/** For a write: that there can be no such record is one of the mistakes. */
export function readAddress(draft: Draft, { route, earlier }: WriteContext): RecordRoot["by"] {
  const found = findAddress(draft, { route, ...(earlier && { earlier }) })
  if (found !== "missing") return found
  invariant("address" in route, "the route is that of a record")
  const { address, resource } = route
  if (route.kind === "replace" && address.kind === "unique" && address.unique.newest)
    refuseUnshown(draft, address.values, [inPath])
  else {
    const [problem] = missingRecord(resource, address).problems
    draft.problems.add(problem.code, [inPath], problem.message, problem.hint)
  }
  return unnamed(draft, address.kind === "id" ? [{ kind: "id" }] : address.unique.members)
}
