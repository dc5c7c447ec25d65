// Answers of resources with `cache: { public }`: caches may show them to anybody, and nothing else. A shared cache stands
// before the server, and no caller is ever shown by it what the server would not have answered.
import assert from "node:assert/strict"
import { join } from "node:path"
import { after, before, suite, test } from "node:test"
import { withVersions } from "../../src/access/identity/identify.ts"
import { memoryBudget } from "../../src/access/limits/budget.ts"
import { anyone, f, many, one, resource, role, service, signedIn, viewer } from "../../src/index.ts"
import { type Actor, actorOf, strangerTo } from "../../src/plan/access/actor.ts"
import { loadService } from "../../src/plan/access/policies.ts"
import { createServer } from "../../src/server/server.ts"
import { createFaces } from "../../src/server/service.ts"
import { sqlite } from "../../src/sql/dialects/sqlite.ts"
import { createSchema } from "../../src/sql/schema/schema.ts"
import { insertRecords, type Row } from "../../src/sql/write/insert.ts"
import { setUp } from "../../src/storage/migration/set-up.ts"
import { openStorage } from "../../src/storage/open.ts"
import { cleanUp, temporaryFolder } from "../support/database.ts"
import { createSharedCache } from "../support/shared-cache.ts"

const shop = {
  name: "shop",
  roles: ["staff"],
  viewer: "person",
  limits: { cost: { perMinute: 1_000_000 } },
  resources: {
    person: resource({
      id: "per",
      fields: { name: f.text(), nick: f.text() },
      relations: { reviews: many("review", { by: "author" }) },
      allow: { read: [role("staff"), { id: { eq: viewer.id } }] },
    }),
    brand: resource({
      id: "bra",
      fields: { name: f.text() },
      relations: { products: many("product", { by: "brand" }), notices: many("notice", { by: "brand" }) },
      cache: { public: 300 },
      allow: { read: anyone },
    }),
    product: resource({
      id: "pro",
      fields: { name: f.text(), price: f.integer(), published: f.boolean() },
      relations: {
        brand: one("brand"),
        notice: one("notice", { optional: true }),
        reviews: many("review", { by: "product" }),
      },
      cache: { public: 60 },
      allow: { read: { published: { eq: true } } },
    }),
    review: resource({
      id: "rev",
      fields: { text: f.text(), stars: f.integer() },
      relations: { product: one("product"), author: one("person") },
      allow: { read: [role("staff"), { author: { id: { eq: viewer.id } } }], create: signedIn },
    }),
    // Anyone reads it, and nothing is said of caches.
    notice: resource({
      id: "not",
      fields: { text: f.text() },
      relations: { brand: one("brand") },
      allow: { read: anyone },
    }),
  },
} as const

const unversioned = service(shop)
const versioned = service({
  ...shop,
  versions: { "2026-11-01": [{ renamed: "product.label", to: "name" }], "2026-06-01": [] },
})

/** Names of the callers are the text of `Authorization`. */
const callers: Readonly<Record<string, string | undefined>> = {
  nobody: undefined,
  ann: "ann",
  ben: "ben",
  staff: "staff",
  // A credential that is pinned to the older version.
  late: "late",
}

const publicPaths = [
  ["/brands", 300],
  ["/brands/bra_1?include=products", 60],
  ["/products", 60],
  ["/products/pro_1", 60],
  ["/products/pro_1/brand", 60],
  ["/products?filter[brand.name]=Acme&sort=brand.name", 60],
  ["/nodes?ids=pro_1,bra_1", 60],
  [byGet("{ brands { nodes { name } } }"), 300],
  [byGet("{ __typename brands { nodes { name products { totalCount nodes { price } } } } }"), 60],
  [byGet('{ node(id: "pro_1") { id ... on Product { price } } }'), 60],
] as const

const privatePaths = [
  "/people",
  "/people/per_1",
  "/reviews",
  "/viewer",
  "/viewer?include=person",
  "/notices",
  "/brands?include=notices",
  "/products/pro_1?include=reviews",
  "/products/pro_1/reviews",
  "/products?include=reviews.author",
  "/products?filter[reviews][some][author.nick]=annie",
  "/products?filter[reviews][none][stars][gt]=0",
  "/products?filter[notice.text]=Sale",
  "/products?sort=notice.text",
  "/nodes?ids=pro_1,rev_1",
  "/nodes?ids=pro_1,rev_9",
  "/products/pro_3",
  "/openapi.json",
  "/changelog",
  "/",
  byGet("{ viewer { roles person { nick } } }"),
  byGet("{ viewer { limits { remaining } } brands { nodes { name } } }"),
  byGet("{ viewer { roles } products { nodes { price } } }"),
  byGet("{ products { nodes { price reviews { nodes { text author { nick } } } } } }"),
  byGet("{ products(where: { reviews: { some: { stars: { gt: 1 } } } }) { totalCount } }"),
  byGet('{ brands { nodes { name } } node(id: "rev_1") { id } }'),
  byGet("{ brands { nodes { name } } __schema { types { name } } }"),
  byGet('{ __type(name: "Review") { name } brands { nodes { name } } }'),
  byGet("{ brands { nodes { name nothing } } }"),
] as const

function byGet(query: string): string {
  return `/graphql?query=${encodeURIComponent(query)}`
}

for (const [isVersioned, declared] of [
  [false, unversioned],
  [true, versioned],
] as const)
  suite(`answers that caches may keep, ${isVersioned ? "with" : "without"} versions`, () => {
    const hooks = cleanUp(after)
    let origin = ""
    before(async () => {
      const model = loadService(declared)
      const address = join(await temporaryFolder(hooks), "shop.db")
      const records = new Map<string, readonly Row[]>([
        [
          "person",
          [1, 2].map((id) => ({ id: `${id}`, name: `Person ${id}`, nick: id === 1 ? "annie" : "benno" })),
        ],
        [
          "brand",
          [
            { id: "1", name: "Acme" },
            { id: "2", name: "Bolt" },
          ],
        ],
        [
          "product",
          [1, 2, 3].map((id) => ({
            id: `${id}`,
            name: `Thing ${id}`,
            price: id,
            published: id < 3,
            brandId: id === 1 ? "1" : "2",
          })),
        ],
        [
          "review",
          [1, 2].map((id) => ({
            id: `${id}`,
            text: `secret of ${id}`,
            stars: id,
            productId: "1",
            authorId: `${id}`,
          })),
        ],
        ["notice", [{ id: "1", text: "Sale", brandId: "1" }]],
      ])
      const tables = createSchema(model, sqlite).map((text) => ({ text, parameters: [] }))
      await setUp(address, [...tables, ...insertRecords(model, sqlite, { records, links: [] })])
      const storage = await openStorage(address, { writes: "unsafe" })
      hooks.after(() => storage.close())
      const stranger = strangerTo(model)
      const pin = isVersioned ? { version: "2026-06-01" } : {}
      const signIn = (name: string): Actor => {
        const roles = name === "staff" ? ["staff"] : []
        const viewer = name === "ben" ? "per_2" : "per_1"
        const found = actorOf(model, {
          name,
          viewer,
          roles,
          scopes: [],
          ...(name === "late" && pin),
        })
        assert.ok(found)
        return found
      }
      const known = new Map(["ann", "ben", "staff", "late"].map((name) => [name, signIn(name)]))
      const server = await createServer({
        ...createFaces({ model, storage, base: "", secret: "a secret of the tests" }),
        identify: withVersions(({ authorization }) => known.get(authorization ?? "") ?? stranger, model),
        base: "",
        cors: ["https://shop.example"],
        bodyLimit: 1024,
        loopbackOnly: false,
        observe: () => {},
        host: "127.0.0.1",
        port: 0,
        counting: { limits: model.limits, budget: memoryBudget(), whenDown: "open" },
      })
      hooks.after(() => server.close())
      origin = server.url
    })

    const headersOf = (caller: string): Readonly<Record<string, string>> => {
      const authorization = callers[caller]
      return authorization === undefined ? {} : { authorization }
    }
    const ask = (path: string, headers: Readonly<Record<string, string>> = {}, method = "GET") =>
      fetch(`${origin}${path}`, { method, headers })

    for (const [path, seconds] of publicPaths)
      test(`${decodeURIComponent(path)} is the same for every caller, for ${seconds} seconds`, async () => {
        for (const caller of Object.keys(callers)) {
          const { status, headers } = await ask(path, headersOf(caller))
          assert.equal(status, 200)
          assert.equal(headers.get("cache-control"), `public, max-age=${seconds}`)
          for (const own of ["x-request-id", "ratelimit", "ratelimit-policy", "cost"])
            assert.equal(headers.get(own), null, own)
          const vary = headers.get("vary") ?? ""
          // A credential may be pinned to another version.
          for (const name of [/API-Version/, /Authorization/])
            assert.equal(name.test(vary), isVersioned, vary)
          assert.match(vary, /Origin/)
          assert.match(vary, /Accept/)
        }
      })

    for (const path of privatePaths)
      test(`${decodeURIComponent(path)} is not public`, async () => {
        for (const caller of Object.keys(callers)) {
          const { headers } = await ask(path, headersOf(caller))
          const said = headers.get("cache-control") ?? "nothing"
          assert.doesNotMatch(said, /public|max-age/, `${caller}: ${said}`)
          assert.match(said, caller === "nobody" ? /no-store|no-cache/ : /no-store/, caller)
          if (caller !== "nobody" && said.includes("private"))
            assert.match(headers.get("vary") ?? "", /Authorization/)
        }
      })

    test("a shared cache shows no caller what the server would not", async () => {
      const cache = createSharedCache(origin)
      const from = { cache: 0, validated: 0, origin: 0 }
      const names = Object.keys(callers)
      const publicOnes = publicPaths.map(([path]) => path)
      const questions = [
        ...[...publicOnes, ...privatePaths].flatMap((path) => [
          { path, more: {} },
          { path, more: { "api-version": "2026-06-01" } },
        ]),
        ...publicOnes.flatMap((path) => [
          { path, more: { accept: "text/csv" } },
          { path, more: { origin: "https://shop.example" } },
        ]),
      ]
      for (const { path, more } of questions) {
        const own = new Map<string, Awaited<ReturnType<typeof plain>>>()
        for (const caller of names) own.set(caller, await plain(path, { ...headersOf(caller), ...more }))
        // Each before each other one, and each twice.
        for (const order of [names, names.toReversed()]) {
          for (const caller of [...order, ...order]) {
            const shown = await cache.get(path, { ...headersOf(caller), ...more })
            const expected = own.get(caller)
            from[shown.from] += 1
            const place = `${path} for ${caller} after others, ${JSON.stringify(more)}`
            assert.equal(shown.status, expected?.status, place)
            assert.equal(shown.body.replace(changing, ""), expected?.body.replace(changing, ""), place)
            assert.equal(shown.headers.get("api-version"), expected?.headers.get("api-version"), place)
            if (shown.from === "cache") assert.equal(shown.headers.get("x-request-id"), null, place)
          }
          cache.forget()
        }
      }
      // It kept what it could.
      const most = 20 * publicOnes.length * 4
      assert.ok(from.cache > most * (isVersioned ? 0.3 : 0.6), JSON.stringify(from))
    })

    const plain = async (path: string, headers: Readonly<Record<string, string>>) => {
      const response = await ask(path, headers)
      return { status: response.status, headers: response.headers, body: await response.text() }
    }

    test("a 304 renews what it is about, with the same headers", async () => {
      const first = await ask("/products/pro_1")
      const etag = first.headers.get("etag") ?? ""
      const renewed = await ask("/products/pro_1", { "if-none-match": etag, authorization: "ann" })
      assert.equal(renewed.status, 304)
      for (const name of ["etag", "cache-control", "vary", "api-version"])
        assert.equal(renewed.headers.get(name), first.headers.get(name), name)
      assert.equal(renewed.headers.get("x-request-id"), null)
      const cache = createSharedCache(origin)
      assert.equal((await cache.get("/products/pro_1")).from, "origin")
      cache.pass(59)
      assert.equal((await cache.get("/products/pro_1")).from, "cache")
      cache.pass(2)
      assert.equal((await cache.get("/products/pro_1")).from, "validated")
      assert.equal((await cache.get("/products/pro_1")).from, "cache")
    })

    test("only answers to reads are public", async () => {
      const head = await ask("/brands", {}, "HEAD")
      assert.equal(head.headers.get("cache-control"), "public, max-age=300")
      const posted = await fetch(`${origin}/graphql`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ query: "{ brands { nodes { name } } }" }),
      })
      assert.equal(posted.headers.get("cache-control"), "no-store")
      const asked = await fetch(`${origin}/brands/query`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: "{}",
      })
      assert.equal(asked.headers.get("cache-control"), "no-store")
      const frames = await ask(byGet("{ brands { nodes { name } } }"), { accept: "text/event-stream" })
      assert.doesNotMatch(frames.headers.get("cache-control") ?? "", /public/)
    })
  })

/** Ids of requests differ, and so does the time until a limit is renewed. */
const changing = /"requestId":"[^"]*"|"(?:remaining|resetAt)":[^,}]*/g
