// Unique keys whose fields changed: older versions find and write records by the former key (docs/guide/versions.md), on both
// databases and by both faces.
import assert from "node:assert/strict"
import { test } from "node:test"
import { anyone, f, one, resource, service, signedIn, viewer } from "../../src/index.ts"
import { load } from "../../src/model/load.ts"
import { startService, type TestService } from "../../src/tools/testing/start-service.ts"
import { temporaryPostgres } from "../support/database.ts"
import { dialects } from "../support/open-service.ts"

const newest = "2026-06-01"
const middle = "2026-03-01"
const oldest = "2026-01-01"

const allow = { read: anyone, create: anyone, update: anyone, delete: anyone }

const declared = service({
  name: "things",
  federation: true,
  viewer: "owner",
  versions: {
    [newest]: [
      {
        changed: "thing.code",
        was: f.text({ optional: true }),
        reads: { upper: "code" },
        writes: { lower: "code" },
      },
      {
        changed: "bill.total",
        was: { cents: f.integer() },
        reads: { cents: { multiply: ["total", 100] } },
        writes: { total: { multiply: ["cents", 0.01] } },
      },
      {
        changed: ["ticket.country", "ticket.number"],
        was: { mark: f.text() },
        reads: { mark: { concat: ["country", { value: "-" }, "number"] } },
        writes: { country: { before: ["mark", "-"] }, number: { after: ["mark", "-"] } },
      },
      {
        changed: "part.full",
        was: { series: f.text(), serial: f.text() },
        reads: { series: { before: ["full", " "] }, serial: { after: ["full", " "] } },
        writes: { full: { concat: ["series", { value: " " }, "serial"] } },
      },
      { changed: "page.code", was: f.text(), reads: { upper: "code" }, writes: { lower: "code" } },
      { changed: "slot.code", was: f.text(), reads: { upper: "code" }, writes: { lower: "code" } },
      {
        changed: "note.slug",
        was: f.text(),
        reads: { upper: "slug" },
        writes: { lower: "slug" },
      },
    ],
    [middle]: [
      { renamed: "thing.sign", to: "code" },
      {
        changed: "bill.cents",
        was: { mills: f.integer() },
        reads: { mills: { multiply: ["cents", 10] } },
        writes: { cents: { multiply: ["mills", 0.1] } },
      },
    ],
    [oldest]: [],
  },
  resources: {
    owner: resource({ id: "own", fields: { name: f.text() }, allow: { read: anyone } }),
    thing: resource({
      id: "thg",
      fields: {
        code: f.text({ unique: true, optional: true, pattern: "^[a-z0-9-]+$" }),
        name: f.text({ default: "none" }),
        size: f.integer({ optional: true }),
      },
      allow,
    }),
    bill: resource({
      id: "bil",
      fields: {
        total: f.decimal({ unique: true, precision: 10, scale: 2 }),
        name: f.text({ default: "none" }),
      },
      allow,
    }),
    ticket: resource({
      id: "tic",
      fields: {
        country: f.text({ pattern: "^[A-Z]{2}$" }),
        number: f.text({ pattern: "^[0-9]+$" }),
        name: f.text({ default: "none" }),
      },
      unique: [["country", "number"]],
      allow,
    }),
    part: resource({
      id: "prt",
      fields: {
        full: f.text({ unique: true, pattern: "^[a-z]+ [a-z]+$" }),
        name: f.text({ default: "none" }),
      },
      allow,
    }),
    page: resource({
      id: "pag",
      fields: { code: f.text({ unique: true, pattern: "^[a-z0-9-]+$" }) },
      allow: { read: anyone },
    }),
    slot: resource({
      id: "slt",
      key: ["code", "day"],
      fields: {
        code: f.text({ pattern: "^[a-z0-9]+$" }),
        day: f.date(),
        name: f.text({ default: "none" }),
      },
      allow,
    }),
    note: resource({
      id: "not",
      fields: {
        slug: f.text({
          pattern: "^[a-z]+$",
          read: { owner: { id: { eq: viewer.id } } },
        }),
        name: f.text({ default: "none" }),
        isSecret: f.boolean({ default: false }),
      },
      relations: { owner: one("owner") },
      unique: [["owner", "slug"]],
      allow: { read: { isSecret: { eq: false } }, create: signedIn, update: signedIn, delete: signedIn },
    }),
  },
} as Parameters<typeof service>[0])

interface Kind {
  readonly path: string
  readonly type: string
  readonly version: string
  /** The former key in an address, and what of it GraphQL takes. */
  readonly key: Readonly<Record<string, unknown>>
  readonly now: Readonly<Record<string, unknown>>
  readonly other: Readonly<Record<string, unknown>>
  readonly otherNow: Readonly<Record<string, unknown>>
}

const kinds: readonly Kind[] = [
  {
    path: "things",
    type: "Thing",
    version: middle,
    key: { code: "A-1" },
    now: { code: "a-1" },
    other: { code: "B-2" },
    otherNow: { code: "b-2" },
  },
  {
    path: "things",
    type: "Thing",
    version: oldest,
    key: { sign: "C-1" },
    now: { code: "c-1" },
    other: { sign: "D-2" },
    otherNow: { code: "d-2" },
  },
  {
    path: "bills",
    type: "Bill",
    version: middle,
    key: { cents: 1250 },
    now: { total: "12.50" },
    other: { cents: -3 },
    otherNow: { total: "-0.03" },
  },
  {
    path: "bills",
    type: "Bill",
    version: oldest,
    key: { mills: 70 },
    now: { total: "0.07" },
    other: { mills: 80 },
    otherNow: { total: "0.08" },
  },
  {
    path: "tickets",
    type: "Ticket",
    version: middle,
    key: { mark: "DE-17" },
    now: { country: "DE", number: "17" },
    other: { mark: "FR-4" },
    otherNow: { country: "FR", number: "4" },
  },
  {
    path: "parts",
    type: "Part",
    version: middle,
    key: { series: "ab", serial: "cd" },
    now: { full: "ab cd" },
    other: { series: "x", serial: "y" },
    otherNow: { full: "x y" },
  },
]

type Json = Readonly<Record<string, unknown>>

const address = ({ path }: Kind, key: Json): string =>
  `/${path}/${Object.entries(key)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
    .join(",")}`

const literal = (values: Json): string =>
  Object.entries(values)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
    .join(", ")

const capital = (name: string): string => `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`

const suffix = (key: Json): string => Object.keys(key).map(capital).join("")

const root = ({ type }: Kind): string => type.toLowerCase()

for (const database of dialects) {
  const open = async (context: { after(end: () => Promise<void>): void }) => {
    const url = database === "postgres" ? await temporaryPostgres(context as never) : undefined
    return await startService(declared, { ...(url !== undefined && { database: url }) })
  }

  test(`older versions ask for and write records by a key that changed, ${database}`, async (context) => {
    await using opened = await open(context)
    for (const kind of kinds) await byKey(opened, kind)
    // Those who write nothing find records as well.
    const { page: [id] = [] } = (await opened.add({ page: [{ code: "a-1" }] } as never)) as {
      page?: string[]
    }
    const headers = { "api-version": middle }
    const found = await opened.anyone.rest<Json>("GET", "/pages/code=A-1", undefined, headers)
    assert.deepEqual([found.status, found.body], [200, { id, code: "A-1" }])
    const { data } = await opened.anyone.graphql(`{ pageByCode(code: "A-1") { id code } }`, {}, headers)
    assert.deepEqual(data, { pageByCode: { id, code: "A-1" } })
    // A second record with the key is refused by the former name.
    const again = { mark: "DE-17", name: "again" }
    const taken = await opened.anyone.rest<{ errors?: Json[] }>("POST", "/tickets", again, headers)
    assert.deepEqual(
      taken.body.errors?.map(({ code, pointer, detail }) => [code, pointer, detail]),
      [["already_exists", "/mark", "There is already another ticket with the same `mark`."]],
    )
  })

  test(`an id of which a part changed, ${database}`, async (context) => {
    await using opened = await open(context)
    const headers = { "api-version": middle }
    const ask = async (
      method: string,
      id: string,
      body?: object,
      more: object = headers,
    ): Promise<string> => {
      const { status, body: given } = await opened.anyone.rest<Json | undefined>(
        method,
        `/slots/slt_${id}`,
        body,
        more as never,
      )
      return [status, given?.["code"], given?.["name"]].filter((part) => part !== undefined).join(" ")
    }
    assert.equal(await ask("PUT", "a1~2026-01-01", { name: "one" }), "201 A1 one")
    assert.equal(
      await ask("PUT", "a1~2026-01-01", { code: "A1", day: "2026-01-01", name: "two" }),
      "200 A1 two",
    )
    assert.equal(await ask("PUT", "a1~2026-01-01", { code: "a1", name: "three" }), "400 readonly_field")
    assert.equal(
      await ask("PUT", "b1~2026-01-01", { name: "b" }, { ...headers, "if-none-match": "*" }),
      "201 B1 b",
    )
    assert.equal(await ask("PATCH", "a1~2026-01-01", { code: "A1", name: "four" }), "200 A1 four")
    assert.equal(await ask("PATCH", "a1~2026-01-01", { code: "B1" }), "400 readonly_field")
    assert.equal(await ask("GET", "a1~2026-01-01", undefined, {}), "200 a1 four")
    assert.equal(await ask("GET", "A1~2026-01-01"), "404 not_found")
    assert.equal(await ask("DELETE", "a1~2026-01-01"), "204")
  })

  test(`a key that no record can have, ${database}`, async (context) => {
    await using opened = await open(context)
    await opened.add({ thing: [{ code: "a-1", name: "one" }], bill: [{ total: "1.00" }] } as never)
    const headers = { "api-version": middle }
    const ask = async (method: string, path: string, body?: object): Promise<string> => {
      const answer = await opened.anyone.rest<{ code?: string; problems?: { message: string }[] }>(
        method,
        path,
        body,
        headers,
      )
      return `${answer.status} ${answer.body?.code ?? ""}`
    }
    // Another spelling that leads to today's key is none that the version shows.
    assert.equal(await ask("GET", "/things/code=a-1"), "404 not_found")
    assert.equal(await ask("PATCH", "/things/code=a-1", { name: "two" }), "404 not_found")
    assert.equal(await ask("DELETE", "/things/code=a-1"), "404 not_found")
    assert.equal(await ask("PUT", "/things/code=a-1", { name: "two" }), "400 invalid_value")
    // Today's field takes no such text.
    assert.equal(await ask("GET", "/things/code=A_1"), "404 not_found")
    assert.equal(await ask("PUT", "/things/code=A_1", { name: "two" }), "400 invalid_value")
    assert.equal(await ask("GET", "/bills/cents=x"), "400 invalid_value")
    assert.equal(await ask("PUT", "/bills/cents=1.5", { name: "two" }), "400 invalid_value")
    assert.equal(await ask("PUT", "/things/code=B-1", { code: "B-2", name: "two" }), "400 readonly_field")
    const errorsOf = async (document: string): Promise<unknown[]> =>
      (await opened.anyone.graphql(document, {}, headers)).errors.map((error) => error.extensions?.["code"])
    assert.deepEqual(
      await errorsOf(`mutation { upsertThingByCode(code: "a-1", input: { name: "x" }) { thing { id } } }`),
      ["invalid_value"],
    )
    assert.deepEqual(
      await errorsOf(`mutation { upsertThingByCode(code: "A_1", input: { name: "x" }) { thing { id } } }`),
      ["invalid_value"],
    )
    const { data, errors } = await opened.anyone.graphql(`{ thingByCode(code: "a-1") { id } }`, {}, headers)
    assert.deepEqual([data, errors], [{ thingByCode: null }, []])
    // A missing value is no key.
    const made = await opened.anyone.rest<Json>("POST", "/things", { code: null, name: "bare" }, headers)
    assert.deepEqual([made.status, made.body["code"]], [201, null])
    assert.equal(await ask("GET", "/things/code=null"), "404 not_found")
    assert.deepEqual(
      await errorsOf(`mutation { upsertThingByCode(code: null, input: { name: "x" }) { thing { id } } }`),
      ["invalid_document"],
    )
    const listed = await opened.anyone.rest<{ data: Json[] }>(
      "GET",
      "/things?fields=code,name",
      undefined,
      headers,
    )
    assert.deepEqual(
      listed.body.data.map(({ code, name }) => [code, name]),
      [
        ["A-1", "one"],
        [null, "bare"],
      ],
    )
  })

  test(`a former key finds nothing by a value or a record that is hidden, ${database}`, async (context) => {
    await using opened = await open(context)
    const { owner: [ann = "", ben = ""] = [] } = (await opened.add({
      owner: [{ name: "Ann" }, { name: "Ben" }],
    } as never)) as { owner?: string[] }
    await opened.add({
      note: [
        { ownerId: ann, slug: "mine" },
        { ownerId: ben, slug: "his" },
        { ownerId: ann, slug: "secret", isSecret: true },
      ],
    } as never)
    const asAnn = opened.as({ viewer: ann } as never)
    for (const [version, spelt] of [
      [newest, (slug: string) => slug],
      [middle, (slug: string) => slug.toUpperCase()],
    ] as const) {
      const headers = { "api-version": version }
      const ask = async (method: string, owner: string, slug: string, body?: object): Promise<string> => {
        const path = `/notes/ownerId=${owner},slug=${spelt(slug)}`
        const answer = await asAnn.rest<{ code?: string; name?: string }>(method, path, body, headers)
        return `${answer.status} ${answer.body?.code ?? answer.body?.name ?? ""}`
      }
      assert.equal(await ask("GET", ann, "mine"), "200 none")
      assert.equal(await ask("GET", ben, "his"), "404 not_found")
      assert.equal(await ask("GET", ann, "secret"), "404 not_found")
      for (const [owner, slug] of [
        [ben, "his"],
        [ann, "secret"],
      ] as const) {
        assert.equal(await ask("PATCH", owner, slug, { name: "New" }), "404 not_found")
        assert.equal(await ask("DELETE", owner, slug), "404 not_found")
      }
      assert.equal(await ask("PUT", ben, "his", { name: "New" }), "422 rule_violated", version)
      assert.notEqual((await ask("PUT", ann, "secret", { name: "New" })).slice(0, 1), "2")
      assert.equal(await ask("PUT", ann, "mine", { name: "none" }), "200 none")
    }
  })
}

async function byKey(opened: TestService<never>, kind: Kind): Promise<void> {
  const { key, now, other, otherNow, version, type, path } = kind
  const old = { "api-version": version }
  const names = Object.keys(key)
  const rest = async (method: string, at: string, body?: object, headers: Json = old) => {
    const answer = await opened.anyone.rest<Json>(method, at, body, headers as never)
    return answer
  }
  const graphql = async (document: string): Promise<Json> => {
    const { data, errors } = await opened.anyone.graphql<Json>(document, {}, old)
    assert.deepEqual(errors, [], document)
    return data ?? {}
  }
  const pick = (record: unknown, of: readonly string[]): Json =>
    Object.fromEntries(of.map((name) => [name, (record as Json)[name]]))
  const today = async (id: unknown): Promise<Json> =>
    pick((await rest("GET", `/${path}/${String(id)}`, undefined, {})).body, [...Object.keys(now), "name"])

  // Upserts make the record, then change it.
  const made = await rest("PUT", address(kind, key), { name: "put" })
  assert.equal(made.status, 201, JSON.stringify(made.body))
  const { id } = made.body
  assert.deepEqual(pick(made.body, [...names, "name"]), { ...key, name: "put" })
  assert.deepEqual(await today(id), { ...now, name: "put" })
  const again = await rest("PUT", address(kind, key), { ...key, name: "again" })
  assert.deepEqual([again.status, again.body["id"]], [200, id], JSON.stringify(again.body))
  const upsert = `upsert${type}By${suffix(key)}`
  const upserted = await graphql(
    `mutation { ${upsert}(${literal(key)}, input: { name: "gql" }) { ${root(kind)} { id name } } }`,
  )
  assert.deepEqual(upserted, { [upsert]: { [root(kind)]: { id, name: "gql" } } })
  const fresh = (await graphql(
    `mutation { ${upsert}(${literal(other)}, input: { name: "new" }) { ${root(kind)} { id ${Object.keys(other).join(" ")} } } }`,
  )) as Readonly<Record<string, Readonly<Record<string, Json>>>>
  const second = fresh[upsert]?.[root(kind)]
  assert.deepEqual(pick(second, Object.keys(other)), other)
  assert.deepEqual(await today(second?.["id"]), { ...otherNow, name: "new" })
  assert.deepEqual(await today(id), { ...now, name: "gql" })

  // Read.
  const got = await rest("GET", address(kind, key))
  assert.deepEqual([got.status, got.body["id"]], [200, id])
  const named = await graphql(`{ ${root(kind)}By${suffix(key)}(${literal(key)}) { id } }`)
  assert.deepEqual(named, { [`${root(kind)}By${suffix(key)}`]: { id } })
  const variables = names.map((name) => `$${name}: ${typeof key[name] === "number" ? "Int!" : "String!"}`)
  const asked = await opened.anyone.graphql<Json>(
    `query (${variables.join(", ")}) { one: ${root(kind)}By${suffix(key)}(${names.map((name) => `${name}: $${name}`).join(", ")}) { id } }`,
    other,
    old,
  )
  assert.deepEqual([asked.data, asked.errors], [{ one: { id: second?.["id"] } }, []])
  const entities = await opened.anyone.graphql<Json>(
    `query ($of: [_Any!]!) { _entities(representations: $of) { ... on ${type} { id } } }`,
    { of: [{ __typename: type, ...key }] },
    old,
  )
  assert.deepEqual([entities.data, entities.errors], [{ _entities: [{ id }] }, []])

  // Updates and deletions, alone and in a batch.
  const patched = await rest("PATCH", address(kind, key), { name: "patched" })
  assert.deepEqual([patched.status, patched.body["id"]], [200, id], JSON.stringify(patched.body))
  const batch = await rest("POST", "/batch", {
    requests: [
      { method: "PATCH", path: address(kind, key), body: { name: "batch" } },
      { method: "PUT", path: address(kind, other), body: { name: "batched" } },
    ],
  })
  assert.equal(batch.status, 200, JSON.stringify(batch.body))
  assert.deepEqual(await today(id), { ...now, name: "batch" })
  assert.deepEqual(await today(second?.["id"]), { ...otherNow, name: "batched" })
  assert.equal((await rest("DELETE", address(kind, other))).status, 204)
  assert.equal((await rest("GET", address(kind, other))).status, 404)
  // The newest version and the key of then know nothing of each other.
  assert.equal((await rest("GET", address(kind, now), undefined, {})).status, 200)
}

test("check says where older versions lose the address", () => {
  const problems = (change: object, fields: object, more: readonly object[] = []): readonly string[] => {
    const made = service({
      name: "things",
      versions: { [newest]: [change, ...more], [oldest]: { changes: [], ends: "2027-01-01" } },
      resources: { thing: resource({ id: "thg", fields: fields as never, allow }) },
    } as unknown as Parameters<typeof service>[0])
    try {
      load(made)
      return []
    } catch (error) {
      return (error as { problems: { message: string }[] }).problems.map(({ message }) => message)
    }
  }
  const code = f.text({ unique: true })
  const lost = 'Older versions lose the address by "code": '
  const upper = { changed: "thing.code", was: f.text(), reads: { upper: "code" }, writes: { lower: "code" } }
  assert.deepEqual(problems(upper, { code }), [`${lost}today's "B" is shown as "B", and that leads to "b".`])
  assert.deepEqual(problems(upper, { code }, [{ breaking: "thing.code" }]), [])
  assert.deepEqual(problems(upper, { code: f.text({ unique: true, pattern: "^[a-z]+$" }) }), [])
  const { writes: _, ...readonly } = upper
  assert.deepEqual(problems(readonly, { code }), [`${lost}no expression in \`writes\` says "code".`])
  assert.deepEqual(
    problems(
      {
        changed: ["thing.code", "thing.tag"],
        was: { both: f.text() },
        reads: { both: { concat: ["code", "tag"] } },
        writes: { code: { before: ["both", "-"] }, tag: { after: ["both", "-"] } },
      },
      { code, tag: f.text() },
    ),
    [`${lost}"both" is read of "tag", which is no part of the key.`],
  )
  assert.deepEqual(
    problems(
      {
        changed: "thing.code",
        was: { code: f.text(), tag: f.text({ default: "" }) },
        reads: { code: "code", tag: { value: "x" } },
        writes: { code: { concat: ["code", "tag"] } },
      },
      { code },
    ),
    [`${lost}"code" is written of "tag", which is no part of the key.`],
  )
  const kind = f.oneOf(["small", "large", "huge"], { unique: true })
  const sizes = (reads: object): object => ({
    changed: "thing.kind",
    was: f.oneOf(["S", "L"]),
    reads: { map: ["kind", reads] },
    writes: { map: ["kind", { S: "small", L: "large" }] },
  })
  assert.deepEqual(problems(sizes({ small: "S", large: "L", huge: "L" }), { kind }), [
    'Older versions lose the address by "kind": today\'s "huge" is shown as "L", and that leads to "large".',
  ])
})
