// Limits of a request's size: each is set by the service, holds by both faces on both databases, and is named with its
// value in the refusal. docs/reference/limits.md lists them as they are.
import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { after, before, describe, it, test } from "node:test"
import { f, many, one, resource, service } from "../../src/index.ts"
import {
  fixedLimits,
  optionalLimitNames,
  optionalLimits,
  requestLimitNames,
  requestLimits,
  type SizeLimitName,
  sizeLimitNames,
  sizeLimits,
} from "../../src/model/limits.ts"
import { load } from "../../src/model/load.ts"
import { prices } from "../../src/plan/cost/points.ts"
import { cleanUp } from "../support/database.ts"
import { loadOpen } from "../support/everybody.ts"
import { dialects, type OpenService, openService } from "../support/open-service.ts"

const declared = (limits: Partial<Record<SizeLimitName, number>> = {}) =>
  service({
    name: "sized",
    limits,
    resources: {
      thing: resource({
        fields: { name: f.text(), rank: f.integer({ optional: true }), size: f.integer({ optional: true }) },
        relations: { parent: one("thing", { optional: true }), parts: many("thing", { by: "parent" }) },
      }),
    },
  })

const times = <Item>(count: number, make: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => make(index))

/** A request of the size: a query with its variables, or a request by REST. */
type Ask =
  | { readonly query: string; readonly variables?: object }
  | { readonly method: string; readonly path: string; readonly body: unknown }

const byWhere = (where: object): readonly Ask[] => [
  { query: "query ($w: ThingWhere) { things(where: $w) { totalCount } }", variables: { w: where } },
  { method: "POST", path: "/things/query", body: { filter: where } },
]
const things = (count: number) => times(count, (index) => ({ name: `thing ${index}` }))
const sortable = ["name", "rank", "size"]

/** The setting, and the requests of any size. */
const cases: Readonly<Record<SizeLimitName, readonly [set: number, asks: (size: number) => readonly Ask[]]>> =
  {
    depth: [
      2,
      (size) => [
        { query: `{ things { nodes { ${"parent { ".repeat(size)} id ${"} ".repeat(size)} } } }` },
        ...byWhere(times(size, () => "parent").reduceRight<object>((inner, name) => ({ [name]: inner }), {})),
      ],
    ],
    characters: [100, (size) => [{ query: "{ __typename } #".padEnd(size, "x") }]],
    tokens: [20, (size) => [{ query: `{ ${times(size - 2, () => "__typename").join(" ")} }` }]],
    nesting: [
      5,
      (size) => [
        { query: `{ things { nodes { ${"parent { ".repeat(size - 3)} id ${"} ".repeat(size - 3)} } } }` },
      ],
    ],
    aliases: [3, (size) => [{ query: `{ ${times(size, (index) => `a${index}: __typename`).join(" ")} }` }]],
    directives: [
      3,
      (size) => [{ query: `{ ${times(size, () => "__typename @include(if: true)").join(" ")} }` }],
    ],
    fragments: [
      2,
      (size) => [
        {
          query: `{ things { nodes { ${times(size, (index) => `...F${index}`).join(" ")} } } } ${times(size, (index) => `fragment F${index} on Thing { id }`).join(" ")}`,
        },
      ],
    ],
    fields: [6, (size) => [{ query: `{ ${times(size, () => "__typename").join(" ")} }` }]],
    sort: [
      2,
      (size) => [
        {
          query: "query ($o: [ThingOrderBy!]) { things(orderBy: $o) { nodes { id } } }",
          variables: { o: sortable.slice(0, size).map((field) => ({ field })) },
        },
        { method: "POST", path: "/things/query", body: { sort: sortable.slice(0, size) } },
      ],
    ],
    values: [4, (size) => byWhere({ rank: { in: times(size, (index) => index) } })],
    terms: [4, (size) => byWhere({ or: times(size, (index) => ({ rank: { eq: index } })) })],
    relations: [2, (size) => byWhere({ and: times(size, () => ({ parent: { rank: { eq: 1 } } })) })],
    lookups: [
      3,
      (size) => [{ query: `{ ${times(size, (index) => `l${index}: things { totalCount }`).join(" ")} }` }],
    ],
    members: [
      12,
      (size) => [
        {
          query: `{ a: things { totalCount } b: things { nodes { ${times(size - 4, (index) => `m${index}: name`).join(" ")} } } }`,
        },
      ],
    ],
    batch: [
      2,
      (size) => [
        {
          method: "POST",
          path: "/batch",
          body: { requests: times(size, () => ({ method: "POST", path: "/things", body: { name: "one" } })) },
        },
      ],
    ],
    writes: [
      3,
      (size) => [
        {
          query: "mutation ($i: [ThingCreateInput!]!) { createThings(input: $i) { things { id } } }",
          variables: { i: things(size) },
        },
        { method: "POST", path: "/things", body: things(size) },
      ],
    ],
  }

interface Refused {
  readonly code: string
  readonly message: string
}

/** Undefined where it was answered. */
async function refusalOf({ graphql, rest }: OpenService, ask: Ask): Promise<Refused | undefined> {
  if ("query" in ask) {
    const { body } = await graphql({ body: ask })
    const [error] = JSON.parse(body).errors ?? []
    return error && { code: error.extensions.code, message: error.message }
  }
  const { status, body } = await rest({
    method: ask.method,
    path: ask.path,
    query: "",
    headers: { "content-type": "application/json" },
    body: Buffer.from(JSON.stringify(ask.body)),
  })
  if (status < 400) return undefined
  const { code, detail } = JSON.parse(body)
  return { code, message: detail }
}

for (const database of dialects)
  describe(`limits of size on ${database}`, () => {
    const hooks = cleanUp(after)
    for (const name of sizeLimitNames)
      it(`\`${name}\` is as the service sets it`, async () => {
        const [set, asks] = cases[name]
        const model = loadOpen(declared({ [name]: set }))
        const opened = await openService(hooks, {
          model,
          records: { records: new Map(), links: [] },
          database,
          options: { writes: "unsafe" },
        })
        for (const ask of asks(set))
          assert.equal(await refusalOf(opened, ask), undefined, JSON.stringify(ask))
        for (const ask of asks(set + 1)) {
          const { code, message } = (await refusalOf(opened, ask)) ?? { code: "answered", message: "" }
          const deep = name === "depth" || name === "nesting"
          assert.equal(code, deep ? "too_deep" : "too_large", JSON.stringify(ask))
          assert.match(message, new RegExp(`\\b${set}\\b.*\\(limit \`${name}\`\\)\\.$`))
        }
      })
  })

test("the page of limits lists each with its default and its greatest setting", () => {
  const page = readFileSync(join(import.meta.dirname, "..", "..", "docs", "reference", "limits.md"), "utf8")
  const rows = [...page.matchAll(/^\| `(\w+)` +\|.*?\| *([\d,]+|–) +\| *([\d,]+|–) +\|$/gm)].map(
    ([, name = "", usual = "", most = ""]) => [name, usual.replaceAll(",", ""), most.replaceAll(",", "")],
  )
  assert.deepEqual(
    rows,
    [
      ...requestLimitNames.map((name) => [name, requestLimits[name].preset, requestLimits[name].most]),
      ...optionalLimitNames.map((name) => [name, "–", optionalLimits[name].most]),
      ...sizeLimitNames.map((name) => [name, sizeLimits[name].preset, sizeLimits[name].most]),
      ...Object.entries(fixedLimits).map(([name, most]) => [name, most, "–"]),
    ].map((row) => row.map(String)),
  )
})

test("a limit that cannot hold is an error of the declaration", () => {
  for (const name of sizeLimitNames)
    for (const wrong of [0, -1, 1.5, sizeLimits[name].most + 1])
      assert.throws(
        () => load(declared({ [name]: wrong })),
        new RegExp(`"${name}" must be a whole number from 1 to ${sizeLimits[name].most}, not ${wrong}`),
      )
  assert.throws(() => load(declared({ tokens: 2_000, characters: 1_000 })), /"tokens", 2000, is greater than/)
})

for (const database of dialects)
  describe(`fixed limits, ${database}`, () => {
    const hooks = cleanUp(after)
    let service: OpenService
    before(async () => {
      service = await openService(hooks, {
        model: loadOpen(declared()),
        records: { records: new Map(), links: [] },
        database,
        options: { writes: "unsafe" },
      })
    })
    const post = async (text: string) => {
      const [method, path, headers] = ["POST", "/things", { "content-type": "application/json" }]
      const answered = await service.rest({ method, path, query: "", headers, body: Buffer.from(text) })
      return { ...answered, problem: JSON.parse(answered.body) }
    }

    it("a hundred mistakes are named", async () => {
      const { status, problem } = await post(`{${times(1_000, (index) => `"wrong${index}": 1`).join()}}`)
      assert.equal(status, 400)
      assert.equal(problem.errors.length, fixedLimits.mistakes)
    })

    it("JSON is nested a thousand deep at most, without the brackets of strings", async () => {
      const nested = (levels: number) => `${'{"a\\"":['.repeat(levels / 2)}${"]}".repeat(levels / 2)}`
      const { problem } = await post(nested(1_002))
      assert.match(problem.detail, /nested more than 1000 deep/)
      for (const text of [nested(1_000), `{"name": "${'\\"[{'.repeat(2_000)}"}`]) {
        const { body } = await post(text)
        assert.doesNotMatch(body, /nested/)
      }
    })
  })

test("the page of limits lists each price", () => {
  const page = readFileSync(join(import.meta.dirname, "..", "..", "docs", "reference", "limits.md"), "utf8")
  const [, table = ""] = /\| for \| points \|\n\|[^\n]*\n((?:\|.*\n)+)/.exec(page) ?? []
  const listed = [...table.matchAll(/\| *(\d+(?:\.\d+)?) \|$/gm)].map(([, points]) => Number(points))
  const all = Object.values(prices).map((price) => (typeof price === "number" ? price : price.points))
  assert.deepEqual(listed, all)
})
