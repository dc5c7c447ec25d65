// A catalogue of hostile requests, over HTTP to a process of its own: each is refused or answered, never a fault, and others
// are answered meanwhile. In the proof (BIFOLD_PROOF=full) it is measured how long each keeps the process from others.
import assert from "node:assert/strict"
import { writeFileSync } from "node:fs"
import { connect, type Socket } from "node:net"
import { join } from "node:path"
import { after, before, describe, it } from "node:test"
import { setTimeout as sleep } from "node:timers/promises"
import { type Serving, serving } from "../cli/run.ts"
import { cleanUp, temporaryFolder, temporaryPostgres } from "../support/database.ts"

const source = `import { anyone, f, many, one, resource, service } from "bifold"
export default service({
  name: "besieged",
  resources: {
    person: resource({
      fields: { name: f.text({ unique: true }), code: f.text({ pattern: "(a+)+b", optional: true }), data: f.json({ optional: true }) },
      relations: { things: many("thing", { by: "owner" }) },
      allow: { read: anyone, create: anyone, update: anyone },
    }),
    thing: resource({
      fields: { name: f.text(), rank: f.integer({ optional: true }) },
      relations: { owner: one("person") },
      allow: { read: anyone, create: anyone, update: anyone },
    }),
  },
})
`

interface Hostile {
  readonly method?: string
  readonly path?: string
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Statuses that it may have. */
  readonly status: readonly number[]
  /** One of these codes is in the answer. */
  readonly codes?: readonly string[]
}

const times = (count: number, make: (index: number) => string, by = " "): string =>
  Array.from({ length: count }, (_, index) => make(index)).join(by)
const refused = ["too_large", "too_deep", "too_expensive"]

const graphql = (query: string, codes: readonly string[] = refused, variables?: unknown): Hostile => ({
  method: "POST",
  path: "/graphql",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ query, variables }),
  status: [200, 400, 413],
  codes,
})
const get = (path: string, status: readonly number[] = [400], codes?: readonly string[]): Hostile => ({
  path,
  status,
  ...(codes && { codes }),
})
const send = (
  method: string,
  path: string,
  body: string,
  status: readonly number[],
  type = "application/json",
): Hostile => ({
  method,
  path,
  body,
  headers: { "content-type": type },
  status,
})
const header = (name: string, value: string, status: readonly number[]): Hostile => ({
  path: "/people?limit=1",
  headers: { [name]: value },
  status,
})

const nested = (depth: number, open: string, close: string, inner: string): string =>
  open.repeat(depth) + inner + close.repeat(depth)
const list = (depth: number): string => nested(depth, "things(first: 100) { nodes { owner { ", " } } }", "id")
const bomb = (count: number): string =>
  `{ people { nodes { ...F0 } } } ${times(count, (index) => `fragment F${index} on Person { ...F${index + 1} ...F${index + 1} }`)} fragment F${count} on Person { id }`

const catalogue: Readonly<Record<string, Hostile>> = {
  "10,000 aliases": graphql(`{ ${times(10_000, (index) => `a${index}: __typename`)} }`),
  "1,000 aliases of lists": graphql(
    `{ ${times(1_000, (index) => `a${index}: people(first: 100) { nodes { id } }`)} }`,
    [...refused, "overloaded"],
  ),
  "10,000 fields of one name": graphql(`{ ${times(10_001, () => "__typename")} }`),
  "a fragment bomb of 30 levels": graphql(bomb(30), ["too_large", "people"]),
  "a fragment bomb of 190 levels": graphql(bomb(190), ["too_large", "people"]),
  "a cycle of fragments": graphql(
    "{ people { nodes { ...A } } } fragment A on Person { ...B } fragment B on Person { ...A }",
    ["invalid_document"],
  ),
  "1,000 unused fragments": graphql(
    `{ __typename } ${times(1_000, (index) => `fragment F${index} on Person { id }`)}`,
  ),
  "1,000 deep": graphql(`{ ${nested(1_000, "people { nodes { ", " } }", "id")} }`),
  "200 deep by relations": graphql(`{ people { nodes { ${list(60)} } } }`),
  "five deep of 100": graphql(`{ people(first: 100) { nodes { ${list(2)} } } }`),
  "200 x 100 inline fragments": graphql(
    `{ people { nodes { ${times(200, () => `... on Person { ${times(100, () => "... on Person { id }")} }`)} } } }`,
  ),
  "fields that may overlap": graphql(
    `{ people { nodes { ${times(1_500, (index) => `x: things(first: ${index % 2 === 0 ? 1 : 2}) { nodes { id } }`)} } } }`,
    ["invalid_document", ...refused],
  ),
  "10,000 directives": graphql(`{ ${times(10_000, () => "__typename @include(if: true)")} }`),
  "1,000 directives at one field": graphql(`{ __typename ${times(1_000, () => "@include(if: true)")} }`, [
    "invalid_document",
    ...refused,
  ]),
  "100,000 tokens": graphql(`{ ${"a ".repeat(50_000)} }`),
  "a string of 200,000 characters": graphql(`{ person(id: "${"x".repeat(200_000)}") { id } }`),
  "1,000 operations": graphql(
    times(1_000, (index) => `query Q${index} { __typename }`),
    ["invalid_document", "malformed_request", ...refused],
  ),
  "1,000 variables": graphql(`query(${times(1_000, (index) => `$v${index}: Int`)}) { __typename }`, [
    "invalid_document",
    ...refused,
  ]),
  "a list type 10,000 deep": graphql(
    `query($v: ${"[".repeat(10_000)}Int${"]".repeat(10_000)}) { __typename }`,
  ),
  "variables 2,000 deep": graphql(
    "query($w: PersonWhere) { people(where: $w) { totalCount } }",
    ["too_deep", "malformed_request"],
    { w: JSON.parse(nested(2_000, '{"not":', "}", "{}")) },
  ),
  "introspection 30 deep": graphql(
    `{ __schema { types { ${nested(15, "fields { type { ", " } }", "name")} } } }`,
    [...refused, "invalid_document", "unauthenticated"],
  ),
  "100,000 values of in": graphql("query($w: PersonWhere) { people(where: $w) { totalCount } }", refused, {
    w: { name: { in: Array.from({ length: 100_000 }, (_, index) => String(index)) } },
  }),
  "10,000 terms": graphql("query($w: PersonWhere) { people(where: $w) { totalCount } }", refused, {
    w: { or: Array.from({ length: 10_000 }, (_, index) => ({ name: { eq: String(index) } })) },
  }),
  "not, 500 times": graphql("query($w: PersonWhere) { people(where: $w) { totalCount } }", refused, {
    w: JSON.parse(nested(500, '{"not":', "}", '{"name":{"eq":"x"}}')),
  }),
  "200 steps to related records": graphql(
    "query($w: PersonWhere) { people(where: $w) { totalCount } }",
    refused,
    { w: { and: Array.from({ length: 200 }, () => ({ things: { some: { name: { eq: "x" } } } })) } },
  ),
  "1,000 terms of an order": graphql(
    "query($o: [PersonOrderBy!]) { people(orderBy: $o) { totalCount } }",
    refused,
    { o: Array.from({ length: 1_000 }, () => ({ field: "name" })) },
  ),
  "a page of a billion": graphql("{ people(first: 1000000000) { nodes { id } } }", [
    "invalid_value",
    ...refused,
  ]),
  "a body of 10 MB": send("POST", "/people", JSON.stringify({ name: "x".repeat(10_000_000) }), [413]),
  "a million opening brackets": send("POST", "/people", "[".repeat(1_000_000), [400]),
  "a million opening brackets by GraphQL": {
    ...graphql(""),
    body: "[".repeat(1_000_000),
    codes: ["malformed_request"],
  },
  "100,000 repeated members": send("POST", "/people", `{${times(50_000, () => '"name":"x"', ",")}}`, [400]),
  "100,000 unknown members": send(
    "POST",
    "/people",
    `{${times(50_000, (index) => `"n${index}":1`, ",")}}`,
    [400, 413],
  ),
  "a number of a million digits": send(
    "POST",
    "/things",
    `{"name":"x","rank":${"9".repeat(900_000)},"ownerId":"x"}`,
    [400, 422],
  ),
  "a pattern that backtracks": send(
    "POST",
    "/people",
    JSON.stringify({ name: "p", code: `${"a".repeat(40)}c` }),
    [400, 422],
  ),
  "JSON 5,000 deep in a field": send(
    "POST",
    "/people",
    `{"name":"deep","data":${nested(5_000, "[", "]", "")}}`,
    [400, 413, 422],
  ),
  "10,000 records at once": send(
    "POST",
    "/people",
    `[${times(10_000, (index) => `{"name":"n${index}"}`, ",")}]`,
    [400, 413, 422],
  ),
  "a batch of 10,000": send(
    "POST",
    "/batch",
    JSON.stringify({ requests: Array.from({ length: 10_000 }, () => ({ method: "GET", path: "/people" })) }),
    [413],
  ),
  "a batch of batches": send(
    "POST",
    "/batch",
    JSON.stringify({ requests: [{ method: "POST", path: "/batch", body: { requests: [] } }] }),
    [405],
  ),
  "a batch of the dearest pages": send(
    "POST",
    "/batch",
    JSON.stringify({
      requests: Array.from({ length: 100 }, () => ({
        method: "GET",
        path: "/people?limit=100&include=things&include[things][limit]=100",
      })),
    }),
    [422],
  ),
  "a patch of 20,000 steps": send(
    "PATCH",
    "/people/name=x",
    JSON.stringify(Array.from({ length: 20_000 }, () => ({ op: "test", path: "/name", value: "x" }))),
    [404, 413, 422],
    "application/json-patch+json",
  ),
  "2,000 parameters": get(`/people?${times(2_000, (index) => `p${index}=1`, "&")}`, [413]),
  "5,000 brackets": get(`/people?filter${"[a]".repeat(3_000)}=1`, [400, 413, 422]),
  "an include 500 deep": get(`/people?include=${times(500, () => "things.owner", ".")}`, [400, 413, 422]),
  "an include of 1,500": get(`/people?include=${times(1_500, () => "things", ",")}`, [400, 413, 422]),
  "a sort of 1,000": get(`/people?sort=${times(1_000, () => "name", ",")}`, [400, 413]),
  "fields of 2,500": get(`/people?fields=${times(2_500, () => "name", ",")}`, [400, 413]),
  "bad percent signs": get(`/people?name=${"%".repeat(5_000)}`),
  "an id of 10 kB": get(`/people/${"x".repeat(10_000)}`, [404]),
  "a cursor of 10 kB": get(`/people?after=${"x".repeat(10_000)}`, [400]),
  "a negative page": get("/people?limit=-1"),
  "an address of 20 kB": get(`/people?a=${"x".repeat(20_000)}`, [431]),
  "900 media types": header(
    "accept",
    times(900, (index) => `a/b${index};q=0.${index % 10}`, ","),
    [406],
  ),
  "1,500 entity tags": header(
    "if-none-match",
    times(1_500, (index) => `"${index}"`, ","),
    [200],
  ),
  "1,500 preferences": header(
    "prefer",
    times(1_500, (index) => `p${index}=1`, ","),
    [200],
  ),
  "an idempotency key of 10 kB": {
    ...send("POST", "/people", '{"name":"k"}', [400]),
    headers: { "content-type": "application/json", "idempotency-key": "x".repeat(10_000) },
  },
  "a token of 10 kB": header("authorization", `Bearer ${"x".repeat(10_000)}`, [401]),
  "quotes in a credential": header("authorization", `Bearer ${'"\\'.repeat(2_000)}`, [401]),
}

const proof = process.env["BIFOLD_PROOF"] === "full"

async function attack(
  url: string,
  { method = "GET", path = "/", body, headers = {}, status, codes }: Hostile,
) {
  const response = await fetch(url + path, { method, headers, ...(body !== undefined && { body }) })
  const text = await response.text()
  assert.ok(status.includes(response.status), `${response.status}: ${text.slice(0, 300)}`)
  if (codes)
    assert.ok(
      codes.some((code) => text.includes(`"${code}"`)),
      text.slice(0, 300),
    )
}

/** The longest time that a small request of somebody else took while the work was done, in milliseconds. */
async function longestBeside(url: string, work: () => Promise<unknown>): Promise<number> {
  let [longest, over] = [0, false]
  const beside = (async () => {
    while (!over) {
      const since = performance.now()
      await (await fetch(`${url}/health`)).text()
      longest = Math.max(longest, performance.now() - since)
    }
  })()
  await work()
  over = true
  await beside
  return longest
}

for (const database of ["SQLite", "PostgreSQL"] as const)
  describe(`hostile requests, ${database}`, () => {
    const hooks = cleanUp(after)
    let server: Serving
    const blocked: [string, number][] = []
    before(async () => {
      const cwd = await temporaryFolder(hooks)
      writeFileSync(join(cwd, "service.ts"), source)
      const url = database === "SQLite" ? join(cwd, "besieged.db") : await temporaryPostgres(hooks)
      server = await serving(["service.ts", "--database", url, "--dev", "--accept-data-loss"], { cwd })
      hooks.after(async () => {
        const { stderr } = await server.end()
        assert.doesNotMatch(stderr, /fault of Bifold/)
      })
    })

    it("are many", () => assert.ok(Object.keys(catalogue).length >= 50))

    for (const [name, hostile] of Object.entries(catalogue))
      it(name, async () => {
        await attack(server.url, hostile)
        assert.equal((await fetch(`${server.url}/people?limit=1`)).status, 200)
        if (!proof) return
        let least = Number.POSITIVE_INFINITY
        for (let tries = 0; tries < 5; tries++) {
          const alone = await longestBeside(server.url, () => sleep(20))
          const beside = await longestBeside(server.url, () => attack(server.url, hostile))
          least = Math.min(least, Math.max(0, beside - alone))
        }
        blocked.push([name, least])
      })

    it("1,000 idle connections leave others alone", async () => {
      const port = Number(new URL(server.url).port)
      const idle: Socket[] = Array.from({ length: 990 }, () =>
        connect(port, "127.0.0.1").on("error", () => {}),
      )
      for (let index = 0; index < 10; index++)
        assert.equal((await fetch(`${server.url}/people?limit=1`)).status, 200)
      for (const socket of idle) socket.destroy()
    })

    it("a body that never ends leaves others alone", async () => {
      const socket = connect(Number(new URL(server.url).port), "127.0.0.1").on("error", () => {})
      socket.write(
        "POST /people HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{",
      )
      assert.equal((await fetch(`${server.url}/people?limit=1`)).status, 200)
      socket.destroy()
    })

    it("keep the process from others for a while at most", { skip: !proof && "only in the proof" }, () => {
      const sorted = [...blocked].sort(([, one], [, other]) => other - one)
      console.table(
        sorted.map(([request, milliseconds]) => ({ request, milliseconds: Math.round(milliseconds) })),
      )
      const slow = sorted.filter(([, milliseconds]) => milliseconds > 100)
      assert.deepEqual(slow, [])
    })
  })
