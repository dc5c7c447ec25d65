// Parameters by the names that other APIs give them, and how they are written here.
import { hintFor } from "../../plan/hints.ts"
import type { Spelled } from "./spellings.ts"

/** Names in lower case without `-` and `_`, by the parameter that does the same. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  after: ["page", "pagenumber", "offset", "skip", "start", "cursor", "pagetoken", "startingafter"],
  limit: ["perpage", "pagesize", "size", "count", "first", "top", "take", "maxresults", "pagelimit"],
  sort: ["order", "orderby", "sortby", "ordering"],
  filter: ["where", "q", "query", "search", "filterby"],
  include: ["expand", "embed", "populate", "with"],
  fields: ["select", "columns", "only"],
}

const hints: Readonly<Record<string, string>> = {
  after: "Lists have cursors: write `limit=20`, then `after=` with the `page.next` of the answer.",
  limit: "The number of records is written `limit=20`.",
  sort: "The order is written `sort=name`, or `sort=-name` for descending.",
  filter: "Conditions are written `filter[name]=…`, or `filter[name][contains]=…` for a part of a text.",
  include: "Related records are written `include=customer,lines.product`.",
  fields: "Members are chosen by `fields=id,name`.",
}

/** The hint for a parameter that is not taken. @param known names that are */
export function hintForParameter({ path, member, steps, written }: Spelled, known: readonly string[]) {
  const plain = member.toLowerCase().replaceAll(/[-_]/g, "")
  const meant = known.find((name) => otherNames[name]?.includes(plain))
  if (meant !== undefined && path === undefined) return hints[meant]
  const near = hintFor(member, known)
  if (near?.startsWith("Did") || path !== undefined || !known.includes("filter")) return near
  if (!/^\w{1,64}$/.test(member)) return near
  const [{ value }] = written
  const operand = /^[\w.:@+-]{1,40}$/.test(value) ? value : "…"
  const operator = steps.length === 1 && /^\w{1,20}$/.test(steps[0] ?? "") ? `[${steps[0]}]` : ""
  return `Conditions are written \`filter[${member}]${operator}=${operand}\`.${near === undefined ? "" : ` ${near}`}`
}
