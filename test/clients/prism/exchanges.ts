import assert from "node:assert/strict"
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { type TestContext, test } from "node:test"
import { type Hooks, temporaryFolder } from "../../support/database.ts"
import { freePort } from "../../support/free-port.ts"
import { processorSeconds, recipeEnvironment, startRecipe } from "../../support/openapi-tools.ts"
import { authorization, buyer, productId, withShop } from "../../support/shop-server.ts"

interface Exchange {
  readonly status: number
  readonly method?: string
  readonly path: string
  readonly body?: object
  readonly headers?: Readonly<Record<string, string>>
  readonly anonymous?: boolean
}

const read = (path: string, more: Partial<Exchange> = {}): Exchange => ({ status: 200, path, ...more })
const write = (
  status: number,
  method: string,
  path: string,
  body?: object,
  more: Partial<Exchange> = {},
): Exchange => ({ status, method, path, ...(body && { body }), ...more })

const category = (slug: string) => ({ slug, name: slug, position: 1 })
const order = (number: string) => ({ ...buyer, number, total: "12.50" })
const product = "/products/slug=product-03"
const bulk = { Prefer: "max-affected=5" }

/** In this order. */
const exchanges: readonly Exchange[] = [
  // Reads.
  read("/products?limit=5&sort=-price&fields=slug,price", { anonymous: true }),
  read("/categories", { anonymous: true }),
  read("/orders?limit=3&include=customer,lines.product&total=true"),
  read("/orders?filter[status][in]=cart,paid&aggregate=count,sum.total&groupBy=status&limit=0"),
  read(`/orders?filter=${encodeURIComponent('{"or":[{"number":{"eq":"S-1"}},{"number":{"eq":"S-2"}}]}')}`),
  read("/products?limit=2", { headers: { Accept: "text/csv" } }),
  read("/products?limit=2", { headers: { Accept: "application/x-ndjson" } }),
  read(product),
  read(`/products/${productId(4)}?fields=name,etag&include=category`),
  read("/orders/number=S-1/transitions"),
  read("/customers/email=ada@example.org"),
  read(`/nodes?ids=${productId(1)},${productId(2)}`),
  read("/viewer"),
  read("/events?limit=2"),
  write(200, "POST", "/products/query", { filter: { price: { gte: "20" } }, sort: ["-price"], limit: 2 }),
  // Writes of one record.
  write(201, "POST", "/categories", category("one")),
  write(201, "POST", "/orders", order("P-1"), { headers: { "Idempotency-Key": "p-1" } }),
  write(201, "POST", "/orders", order("P-1"), { headers: { "Idempotency-Key": "p-1" } }),
  write(200, "PATCH", product, { attributes: { colour: "red" }, stock: "12" }),
  write(200, "PUT", "/categories/slug=one", { name: "First", position: 2 }),
  write(204, "DELETE", "/categories/slug=one"),
  write(200, "POST", "/orders/number=S-7/transitions/cancel"),
  write(204, "PATCH", product, { active: false }, { headers: { Prefer: "return=minimal" } }),
  // Writes of several.
  write(201, "POST", "/categories/bulk", [category("two"), category("three")]),
  write(200, "PATCH", "/categories?filter[slug][in]=two,three", { position: 4 }, { headers: bulk }),
  write(200, "DELETE", "/categories?filter[slug][in]=two,three", undefined, { headers: bulk }),
  write(200, "POST", "/batch", {
    requests: [
      { method: "POST", path: "/categories", body: category("four") },
      { method: "GET", path: "/categories/slug=four" },
    ],
  }),
  // Refusals.
  read("/orders/number=none", { status: 404 }),
  read("/products?sort=colour", { status: 400 }),
  write(409, "POST", "/categories", category("things")),
  write(412, "PATCH", product, { name: "New" }, { headers: { "If-Match": '"0.none"' } }),
  write(409, "POST", "/orders/number=S-7/transitions/pay", { reference: "r-1" }),
  read("/products?limit=1", { status: 406, headers: { Accept: "image/png" } }),
]

/** The violations that the proxy reports of an exchange, and an answer of another status than expected. */
async function exchange(proxy: string, asked: Exchange): Promise<readonly string[]> {
  const { status, method = "GET", path, body, headers, anonymous } = asked
  const answer = await fetch(`${proxy}${path}`, {
    method,
    headers: {
      ...(!anonymous && { authorization }),
      ...(body && { "content-type": "application/json" }),
      ...headers,
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  const reported: readonly { readonly message: string }[] = JSON.parse(
    answer.headers.get("sl-violations") ?? "[]",
  )
  const violations = reported.map(({ message }) => message)
  return answer.status === status ? violations : [...violations, `${answer.status} ${text}`]
}

/** Resolves with the address of the proxy, and the seconds of processors that it took to be ready. */
async function startProxy(hooks: Hooks, url: string) {
  const port = await freePort()
  const environment = { ...recipeEnvironment("prism", { url }), port: String(port) }
  const folder = await temporaryFolder(hooks)
  const child = startRecipe(hooks, join(import.meta.dirname, "recipe.sh"), folder, environment)
  let said = ""
  await new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding("utf8").on("data", (text: string) => {
        said += text
        if (said.includes("Prism is listening")) resolve()
      })
    child.on("close", (code) => reject(new Error(`ended with ${code}: ${said}`)))
  })
  return { proxy: `http://127.0.0.1:${port}`, seconds: await processorSeconds(child.pid) }
}

/** A service whose pages are spelled wrong. */
async function startBroken(t: TestContext, url: string): Promise<string> {
  const server = createServer(async ({ url: path }, response) => {
    const answer = await fetch(`${url}${path}`, { headers: { authorization } })
    const text = await answer.text()
    response.writeHead(answer.status, { "content-type": "application/json" })
    response.end(text.replace('"page":', '"pages":'))
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  t.after(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

// The document is the same on both databases; test/rest/schemas.test.ts asks both.
withShop(
  "Prism",
  (shop) => {
    test("33 exchanges are as the document says: reads, writes, bulk, refusals, with and without credentials", async (t) => {
      const hooks: Hooks = { after: (work) => t.after(work) }
      const { proxy, seconds = 0 } = await startProxy(hooks, shop().url)
      t.diagnostic(`ready after ${seconds} seconds of a processor`)
      assert.ok(seconds < 20)
      assert.equal(exchanges.length, 33)
      const found: string[] = []
      for (const asked of exchanges)
        for (const fault of await exchange(proxy, asked))
          found.push(`${asked.method ?? "GET"} ${asked.path}: ${fault}`)
      assert.deepEqual(found, [])
      // The service refuses them too, and Prism says why by the document.
      const anonymous = await exchange(proxy, { ...read("/orders", { anonymous: true }), status: 401 })
      assert.deepEqual(anonymous, ["Invalid security scheme used"])
      const wrong = { ...category("five"), position: "1" }
      const faults = await exchange(proxy, write(400, "POST", "/categories", wrong))
      assert.match(faults.join("\n"), /position must be integer/)
      assert.doesNotMatch(faults.join("\n"), /urn:problem/)
    })

    test("an answer that is not as described is reported", async (t) => {
      const hooks: Hooks = { after: (work) => t.after(work) }
      const { proxy } = await startProxy(hooks, await startBroken(t, shop().url))
      const faults = await exchange(proxy, read("/products?limit=1"))
      assert.match(faults.join("\n"), /required property 'page'/)
    })
  },
  ["sqlite"],
)
