// Pages are exact: walking a list forward or backward gives every row once, in the naive order, whatever ties and missing
// values there are, and however a term is directed.
import assert from "node:assert/strict"
import { after, describe, test } from "node:test"
import { f, resource, service } from "bifold"
import fc from "fast-check"
import type { Row } from "../../src/sql/write/insert.ts"
import { cleanUp } from "../support/database.ts"
import { loadOpen } from "../support/everybody.ts"
import {
  type Asking,
  databases,
  field,
  id,
  openRecords,
  openSpecimens,
  rows,
  specimenRecords,
} from "./specimens.ts"

interface Term {
  readonly path: readonly string[]
  readonly name: string
  readonly descending: boolean
  readonly nulls?: "first" | "last"
}

const few = <Item>(...items: readonly Item[]) => fc.constantFrom(null, ...items)
const drawers: readonly Row[] = [
  { id: ["a", 10], label: "x" },
  { id: ["a", 9], label: null },
  { id: ["B", -1], label: "é" },
]
/** Few values, so that there are ties; missing ones among them. */
const members = {
  name: few("", "a", "Z", "é", "\uffff", "😀"),
  rank: few(-1, 0, 7),
  size: few(-0.5, 0.1, 1e300),
  price: few("-1.00", "0.05", "10.00", "9.00"),
  alive: few(true, false),
  foundOn: few("0001-01-01", "2024-02-29"),
  wakesAt: few("00:00:00", "00:00:00.5", "12:00:00"),
  seenAt: few("1969-12-31T23:59:59.999999Z", "2024-01-01T00:00:00Z", "2024-01-01T00:00:00.1Z"),
  tag: few("00000000-0000-0000-0000-000000000001", "f0000000-0000-0000-0000-000000000000"),
  mood: few("calm", "it's", "odd"),
  count: few(-(2n ** 63n), 2n ** 53n + 1n, 2n ** 53n),
  drawerId: few(["a", 10], ["a", 9], ["B", -1]),
}
const table = fc
  .array(fc.record(members), { minLength: 1, maxLength: 14 })
  .map((found) => found.map((row, index): Row => ({ ...row, id: BigInt(index + 1) })))

const ownTerm = (name: string): fc.Arbitrary<Term> =>
  fc.record({ path: fc.constant([]), name: fc.constant(name), ...turn })
const turn = { descending: fc.boolean(), nulls: fc.constantFrom("first" as const, "last" as const) }
const terms = fc
  .uniqueArray(
    fc.oneof(
      fc.constantFrom(...Object.keys(members)).chain(ownTerm),
      fc.record({ path: fc.constant(["drawer"]), name: fc.constantFrom("label", "number"), ...turn }),
      fc.record({ path: fc.constant([]), name: fc.constant("id"), descending: fc.boolean() }),
    ),
    { maxLength: 3, selector: ({ path, name }) => [...path, name].join() },
  )
  // What follows the key orders nothing, and is refused.
  .map((found): readonly Term[] =>
    found.slice(0, 1 + (found.findIndex(({ name }) => name === "id") + 1 || found.length) - 1),
  )

describe("pages", () => {
  const hooks = cleanUp(after)
  for (const database of databases)
    test(`walked forward and backward give the naive order on ${database}`, async () => {
      const tables = fc.sample(table, { numRuns: 6, seed: 7 })
      for (const stored of tables) {
        const asked = await openSpecimens(hooks, database, specimenRecords(stored, drawers))
        await fc.assert(
          fc.asyncProperty(terms, fc.integer({ min: 1, max: 5 }), async (order, size) => {
            const expected = [...stored]
              .sort((a, b) => compareRows(order, a, b))
              .map((row) => `specimen_${row["id"]}`)
            assert.deepEqual(await walk(asked, order, size, false), expected)
            assert.deepEqual(await walk(asked, order, size, true), expected)
          }),
          { numRuns: 25, seed: 11 },
        )
      }
    })
})

const keyless = loadOpen(
  service({
    name: "keyless",
    resources: {
      reading: resource({ key: false, fields: { value: f.integer({ optional: true }) } }),
    },
  }),
)

describe("pages of records without a key", () => {
  const hooks = cleanUp(after)
  for (const database of databases)
    test(`tell equal rows apart by their place in the table on ${database}`, async () => {
      const records = {
        records: new Map([["reading", [3, 1, 1, 1, null].map((value) => ({ value }))]]),
        links: [],
      }
      const asked = await openRecords(hooks, { model: keyless, database, records })
      const order = [{ path: [], name: "value" }]
      const found: (number | null)[] = []
      let after: string | undefined
      do {
        const page: { rows: { value: number | null }[]; next: string | null } = await asked.list(
          "reading",
          { order, first: 2, ...(after === undefined ? {} : { after }) },
          [rows(field("value")), { kind: "page", key: "next", fact: "next" }],
        )
        found.push(...page.rows.map(({ value }) => value))
        after = page.next ?? undefined
      } while (after !== undefined)
      assert.deepEqual(found, [1, 1, 1, 3, null])
    })
})

interface PageAnswer {
  readonly rows: readonly { readonly id: string; readonly cursor: string }[]
  readonly more: boolean
  readonly edge: string | null
  readonly further: string | null
  readonly first: string | null
  readonly last: string | null
}

async function walk(
  { list }: Asking,
  order: readonly Term[],
  size: number,
  backward: boolean,
): Promise<string[]> {
  const found: string[] = []
  let at: string | undefined
  for (;;) {
    const page = await list<PageAnswer>(
      "specimen",
      {
        order: order.map(({ path, name, descending, nulls }) => ({
          path,
          name,
          descending,
          ...(optional(name) && nulls ? { nulls } : {}),
        })),
        ...(backward ? { last: size } : { first: size }),
        ...(at === undefined ? {} : backward ? { before: at } : { after: at }),
      },
      [
        rows(id, { kind: "cursor", key: "cursor" }),
        { kind: "page", key: "more", fact: backward ? "hasPrevious" : "hasNext" },
        { kind: "page", key: "edge", fact: backward ? "startCursor" : "endCursor" },
        { kind: "page", key: "further", fact: backward ? "previous" : "next" },
        { kind: "page", key: "first", fact: "startCursor" },
        { kind: "page", key: "last", fact: "endCursor" },
      ],
    )
    const ids = page.rows.map((row) => row.id)
    found.splice(backward ? 0 : found.length, 0, ...ids)
    assert.equal(page.first, page.rows[0]?.cursor ?? null)
    assert.equal(page.last, page.rows.at(-1)?.cursor ?? null)
    assert.equal(page.further, page.more ? page.edge : null)
    if (!page.more) return found
    assert.equal(ids.length, size)
    at = page.edge ?? undefined
  }
}

const optional = (name: string): boolean => name !== "id"

// The naive order

function compareRows(order: readonly Term[], a: Row, b: Row): number {
  for (const term of order) {
    const [left, right] = [valueIn(term, a), valueIn(term, b)]
    if (left === null && right === null) continue
    if (left === null) return term.nulls === "first" ? -1 : 1
    if (right === null) return term.nulls === "first" ? 1 : -1
    const found = compareValues(term.name, left, right)
    if (found !== 0) return term.descending ? -found : found
  }
  return Number(BigInt(String(a["id"])) - BigInt(String(b["id"])))
}

type Value = Row[string]

function valueIn({ path, name }: Term, row: Row): Exclude<Value, undefined> {
  if (path.length === 0) return row[name] ?? null
  const drawer = drawers.find((one) => String(one["id"]) === String(row["drawerId"]))
  if (!drawer) return null
  return name === "number" ? ((drawer["id"] as readonly Value[])[1] ?? null) : (drawer[name] ?? null)
}

function compareValues(name: string, a: Value, b: Value): number {
  if (Array.isArray(a) && Array.isArray(b))
    return compareValues("", a[0], b[0]) || Number(a[1]) - Number(b[1])
  if (name === "price") return Number(a) - Number(b)
  if (name === "seenAt" || name === "wakesAt") return compareText(fixed(String(a)), fixed(String(b)))
  if (typeof a === "string") return compareText(a, String(b))
  const [left, right] = [a as number | bigint | boolean, b as number | bigint | boolean]
  return left < right ? -1 : left > right ? 1 : 0
}

const compareText = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))
const fixed = (text: string): string =>
  (text.includes(".") ? text.replace("Z", "") : `${text.replace("Z", "")}.`).padEnd(26, "0")
