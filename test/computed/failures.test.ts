// Own code that fails, in whatever way: what is told where, by GraphQL exactly as graphql-js would execute the document.
import assert from "node:assert/strict"
import { describe, test } from "node:test"
import fc from "fast-check"
import { execute, parse } from "graphql"
import { buildSchema } from "../../src/graphql/schema/schema.ts"
import {
  anyone,
  computed,
  f,
  many,
  one,
  problem,
  resource,
  role,
  service,
  withCode,
} from "../../src/index.ts"
import { load } from "../../src/model/load.ts"
import { strangerTo } from "../../src/plan/access/actor.ts"
import { openModel } from "../../src/plan/access/visible-model.ts"
import { connectFaces, dialects, openService } from "../support/open-service.ts"

type Run = (
  records: readonly { readonly id: string; readonly name: string }[],
  signal: AbortSignal,
) => unknown

/** What the code does; set by each test. */
const behaviour: { sure: Run; maybe: Run } = { sure: () => [], maybe: () => [] }

const bare = service({
  name: "boxes",
  roles: ["keeper"],
  resources: {
    box: resource({
      id: "box",
      fields: { name: f.text(), inner: f.text({ optional: true, read: { name: { ne: "closed" } } }) },
      relations: { things: many("thing", { by: "box" }), parent: one("box", { optional: true }) },
      allow: { read: anyone, create: role("keeper") },
    }),
    thing: resource({
      id: "thg",
      fields: { name: f.text() },
      relations: { box: one("box") },
      allow: { read: anyone },
    }),
  },
})

const text = f.text({ max: 20 })
const coded = withCode(bare, {
  computed: {
    box: {
      sure: computed({
        type: text,
        needs: ["name"],
        deadline: 50,
        run: async (records, { signal }) => (await behaviour.sure(records, signal)) as string[],
      }),
      maybe: computed({
        type: f.text({ max: 20, optional: true }),
        needs: ["name"],
        run: (records, { signal }) => behaviour.maybe(records, signal) as string[],
      }),
      looked: computed({
        type: text,
        needs: ["inner"],
        run: (records) => records.map(({ inner }) => String(inner)),
      }),
    },
    thing: {
      sure: computed({
        type: text,
        needs: ["name"],
        run: (records, { signal }) => behaviour.sure(records, signal) as string[],
      }),
      maybe: computed({
        type: f.text({ max: 20, optional: true }),
        needs: ["name"],
        run: (records, { signal }) => behaviour.maybe(records, signal) as string[],
      }),
    },
  },
})

const model = openModel(load(coded))

const boxes = [
  { id: "a", name: "a", inner: "1", parentId: null },
  { id: "b", name: "b", inner: null, parentId: "a" },
  { id: "c", name: "closed", inner: "2", parentId: "b" },
]
const things = [
  { id: "t", name: "t", boxId: "a" },
  { id: "u", name: "u", boxId: "a" },
  { id: "v", name: "v", boxId: "c" },
]
const records = {
  records: new Map<string, readonly Record<string, string | null>[]>([
    ["box", boxes],
    ["thing", things],
  ]),
  links: [],
}

/** What becomes of a record's value. */
type Fate = "value" | "null" | "throws"
type Fates = Readonly<Record<"sure" | "maybe", Readonly<Record<string, Fate>>>>

const fate = fc.constantFrom<Fate>("value", "value", "value", "null", "throws")
const fatesOfOne = fc.record(
  Object.fromEntries([...boxes, ...things].map(({ name }) => [name, fate])),
) as fc.Arbitrary<Readonly<Record<string, Fate>>>
const fates: fc.Arbitrary<Fates> = fc.record({ sure: fatesOfOne, maybe: fatesOfOne })

const message = (name: string): string => `${name} is broken.`

const runBy =
  (of: Readonly<Record<string, Fate>>): Run =>
  (all) =>
    all.map(({ name }) =>
      of[name] === "value" ? `v${name}` : of[name] === "null" ? null : problem("conflict", message(name)),
    )

/** The same data for graphql-js, whose default resolvers call functions. */
function graphOf({ sure, maybe }: Fates): object {
  const resolve = (of: Readonly<Record<string, Fate>>, name: string) => () => {
    if (of[name] === "throws") throw new Error(message(name))
    return of[name] === "null" ? null : `v${name}`
  }
  const own = (name: string) => ({ name, sure: resolve(sure, name), maybe: resolve(maybe, name) })
  const boxOf = (id: string | null): object | null => {
    const found = boxes.find((box) => box.id === id)
    if (!found) return null
    const inside = things.filter(({ boxId }) => boxId === id)
    return {
      __typename: "Box",
      ...own(found.name),
      parent: () => boxOf(found.parentId),
      things: () => ({
        nodes: inside.map(({ name }) => own(name)),
        edges: inside.map(({ name }) => ({ node: own(name) })),
      }),
    }
  }
  return {
    box: ({ id }: { id: string }) => boxOf(id.replace("box_", "")),
    node: ({ id }: { id: string }) => boxOf(id.replace("box_", "")),
    nodes: ({ ids }: { ids: string[] }) => ids.map((id) => boxOf(id.replace("box_", ""))),
    boxes: { nodes: boxes.map(({ id }) => boxOf(id)) },
  }
}

const documents = [
  `{ box(id: "box_a") { name sure maybe } }`,
  `{ box(id: "box_c") { name parent { name sure parent { maybe sure } } } other: box(id: "box_b") { maybe } }`,
  `{ boxes { nodes { name maybe things { edges { node { name again: sure maybe } } } } } box(id: "box_a") { name } }`,
  `query Q($id: ID!) { node(id: $id) { __typename ... on Box { things { nodes { sure } } } ...more } nodes(ids: [$id, "box_b"]) { ...more } }
   fragment more on Box { sure parent { sure } }`,
  `{ box(id: "box_a") { things { nodes { name maybe } } ... on Box { things { nodes { sure } } } } }`,
]

for (const database of dialects)
  describe(`own code that fails, on ${database}`, () => {
    test("what was written stays written, and its answer says by REST what is missing in it", async (context) => {
      const opened = await openService(context, { model, records, database, options: { writes: "unsafe" } })
      const json = { "content-type": "application/json" }
      const send = async (method: string, path: string, sent: unknown, query = "fields=name,sure,maybe") => {
        const request = { method, path, query, headers: json, body: Buffer.from(JSON.stringify(sent)) }
        const { status, headers, body, fault } = await opened.rest(request)
        return { status, headers, body: JSON.parse(body), fault }
      }
      behaviour.sure = runBy({ new: "throws", other: "value" })
      behaviour.maybe = () => {
        throw new Error("hunter2")
      }
      const made = await send("POST", "/boxes", { name: "new" })
      const { id } = made.body as { id: string }
      assert.deepEqual([made.status, made.body], [201, { id, name: "new", sure: null, maybe: null }])
      assert.equal(made.headers["value-errors"], 'count=2, pointers=("/sure" "/maybe")')
      assert.match(made.headers["location"] ?? "", new RegExp(`/boxes/${id}$`))
      assert.match(causesOf(made.fault), /hunter2/)
      const both = await send("POST", "/boxes", [{ name: "other" }, { name: "new" }], "fields=sure")
      assert.equal(both.status, 201)
      assert.deepEqual(
        both.body.data.map(({ sure }: { readonly sure: unknown }) => sure),
        ["vother", null],
      )
      assert.deepEqual(
        both.body.errors.map(({ code, detail, pointer }: Record<string, string>) => ({
          code,
          detail,
          pointer,
        })),
        [{ code: "computed_failed", detail: "new is broken.", pointer: "/data/1/sure" }],
      )
      const requests = [
        { method: "PATCH", path: `/boxes/${id}?fields=sure`, body: { name: "other" } },
        { method: "GET", path: `/boxes/${id}?fields=maybe` },
      ]
      const batch = await send("POST", "/batch", { requests }, "")
      assert.equal(batch.status, 200)
      assert.deepEqual(
        batch.body.responses.map(({ body }: { readonly body: unknown }) => body),
        [
          { id, sure: "vother" },
          { id, maybe: null },
        ],
      )
      assert.equal(batch.body.errors[0].pointer, "/responses/1/body/maybe")
      assert.equal(batch.headers["value-errors"], 'count=1, pointers=("/responses/1/body/maybe")')
      const { body } = await opened.rest({ method: "GET", path: `/boxes/${id}`, query: "fields=name" })
      assert.deepEqual(JSON.parse(body), { id, name: "other" }, "it was done")
    })

    test("nulls and errors are those of the specification, as graphql-js has them", async (context) => {
      const opened = await openService(context, { model, records, database })
      const schema = buildSchema(model)
      let failed = 0
      await fc.assert(
        fc.asyncProperty(fates, async (given) => {
          behaviour.sure = runBy(given.sure)
          behaviour.maybe = runBy(given.maybe)
          for (const query of documents) {
            const variables = { id: "box_c" }
            const wanted = await execute({
              schema,
              document: parse(query),
              rootValue: graphOf(given),
              variableValues: variables,
              typeResolver: () => "Box",
            })
            const { body } = await opened.graphql({ body: { query, variables } })
            const { data, errors = [] } = JSON.parse(body) as { data: unknown; errors?: Told[] }
            assert.deepEqual(data, JSON.parse(JSON.stringify(wanted.data)), query)
            const told = (wanted.errors ?? []).map(({ message, path, locations }) => ({
              message,
              path,
              locations,
            }))
            assert.deepEqual(
              errors.map(({ message, path, locations }) => ({ message, path, locations })),
              JSON.parse(JSON.stringify(told)),
              query,
            )
            failed += errors.length
          }
        }),
        { numRuns: 60 },
      )
      assert.ok(failed > 200, `only ${failed} errors were compared`)
    })

    test("by REST an answer that lacks a value is none, and names each", async (context) => {
      const opened = await openService(context, { model, records, database })
      behaviour.sure = runBy({ a: "value", b: "null", closed: "throws" })
      behaviour.maybe = runBy({ a: "throws", b: "null", closed: "value" })
      const ask = async (query: string) => {
        const { status, body } = await opened.rest({ method: "GET", path: "/boxes", query })
        return {
          status,
          ...(JSON.parse(body) as { code?: string; errors?: { detail: string; pointer: string }[] }),
        }
      }
      const sure = await ask("fields=sure")
      assert.equal(sure.status, 500)
      assert.equal(sure.code, "computed_failed")
      assert.deepEqual(
        sure.errors?.map(({ detail, pointer }) => [pointer, detail]),
        [
          ["/data/1/sure", "There is no value of `sure`, and there has to be one."],
          ["/data/2/sure", "closed is broken."],
        ],
      )
      const maybe = await ask("fields=maybe")
      assert.deepEqual(
        maybe.errors?.map(({ pointer }) => pointer),
        ["/data/0/maybe"],
      )
      assert.equal((await ask("fields=name")).status, 200)
    })

    const broken: readonly { readonly it: string; readonly run: Run; readonly cause: RegExp }[] = [
      { it: "throws", run: () => Promise.reject(new Error("the password is hunter2")), cause: /hunter2/ },
      {
        it: "gives too few values",
        run: (all) => all.slice(1).map(() => "a"),
        cause: /gave \d values of box\.sure for \d records/,
      },
      { it: "gives no list", run: () => "abc", cause: /gave no list/ },
      { it: "gives a value of another type", run: (all) => all.map(() => 7), cause: /must be text, not 7/ },
      { it: "gives too long a text", run: (all) => all.map(() => "x".repeat(21)), cause: /at most 20/ },
      { it: "gives undefined", run: (all) => all.map(() => undefined), cause: /must be text/ },
      {
        it: "takes too long, and goes on",
        run: (_, signal) =>
          new Promise((resolve) => {
            signal.addEventListener("abort", () => resolve(["late"]))
          }),
        cause: /longer than 50 ms/,
      },
    ]
    for (const { it, run, cause } of broken)
      test(`${it}: the client is told nothing of it, the log everything`, async (context) => {
        const opened = await openService(context, { model, records, database })
        behaviour.sure = run
        behaviour.maybe = runBy({ a: "value", b: "value", closed: "value" })
        const begun = performance.now()
        const { body, fault } = await opened.graphql({
          body: { query: `{ boxes { nodes { name maybe } } box(id: "box_a") { sure } }` },
        })
        assert.match(body, /"boxes":\{"nodes":\[\{"name":"a","maybe":"va"\}/)
        assert.match(body, /"box":null/)
        const { errors } = JSON.parse(body) as { errors: Told[] }
        assert.deepEqual(
          errors.map(({ message, path }) => ({ message, path })),
          [{ message: "`sure` could not be computed.", path: ["box", "sure"] }],
        )
        assert.match(causesOf(fault), cause)
        assert.ok(performance.now() - begun < 3_000, "it is not waited for after its deadline")
        const rest = await opened.rest({ method: "GET", path: "/boxes", query: "fields=sure" })
        assert.equal(rest.status, 500)
        assert.doesNotMatch(rest.body, /hunter2|longer|must be/)
        assert.match(rest.body, /`sure` could not be computed/)
        assert.match(causesOf(rest.fault), cause)
        behaviour.sure = runBy({ a: "value", b: "value", closed: "value" })
        assert.equal((await opened.rest({ method: "GET", path: "/boxes", query: "fields=sure" })).status, 200)
      })

    test("whoever does not select it asks what they would ask without it", async (context) => {
      const { storage } = await openService(context, { model, records, database })
      const asked = async (of: typeof model): Promise<readonly string[]> => {
        const texts: string[] = []
        const read: typeof storage.read = (statement, ...rest) => {
          texts.push(statement.text)
          return storage.read(statement, ...rest)
        }
        const opened = connectFaces(of, { ...storage, read }, { singleFlight: false })
        await opened.graphql({ body: { query: `{ boxes { nodes { id name things { nodes { name } } } } }` } })
        await opened.rest({ method: "GET", path: "/boxes", query: "include=things" })
        return texts
      }
      const [withCode, without] = [await asked(model), await asked(openModel(load(bare)))]
      assert.equal(withCode.length, 2)
      assert.deepEqual(withCode, without)
    })

    test("a record of which something needed is hidden has no value, and the code is not asked of it", async (context) => {
      const { storage } = await openService(context, { model, records, database })
      const actor = strangerTo(load(coded))
      const opened = connectFaces(actor.model, storage, { actor })
      const { body } = await opened.rest({ method: "GET", path: "/boxes", query: "fields=looked" })
      const { data } = JSON.parse(body) as { data: { id: string; looked: string | null }[] }
      assert.deepEqual(data, [
        { id: "box_a", looked: "1" },
        { id: "box_b", looked: "null" },
        { id: "box_c", looked: null },
      ])
    })
  })

interface Told {
  readonly message: string
  readonly path: readonly (string | number)[]
  readonly locations: readonly object[]
}

function causesOf(fault: unknown): string {
  return fault instanceof Error ? `${fault.message} ${causesOf(fault.cause)}` : ""
}
