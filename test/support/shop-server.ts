// A running storefront for the tests of clients, with few records that are the same each time: 25 products, `product-01` to
// `product-25`, a customer with an address, and 7 orders, `S-1` to `S-7`.
import { request as ask, createServer as createProxy } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { after, before, describe } from "node:test"
import storefront from "../../examples/storefront/service.ts"
import { actorFromText } from "../../src/access/identity/actor-text.ts"
import type { Identify } from "../../src/access/identity/identify.ts"
import { present } from "../../src/base/invariant.ts"
import type { Telemetry } from "../../src/base/telemetry.ts"
import { load } from "../../src/model/load.ts"
import { withSystem } from "../../src/model/system/with-system.ts"
import type { Observation } from "../../src/server/observation.ts"
import { createServer } from "../../src/server/server.ts"
import { createFaces } from "../../src/server/service.ts"
import { postgres } from "../../src/sql/dialects/postgres.ts"
import { sqlite } from "../../src/sql/dialects/sqlite.ts"
import { createSchema } from "../../src/sql/schema/schema.ts"
import { insertRecords, type Records, type Row } from "../../src/sql/write/insert.ts"
import { setUp } from "../../src/storage/migration/set-up.ts"
import { openStorage } from "../../src/storage/open.ts"
import { cleanUp, type Hooks, temporaryFolder, temporaryPostgres } from "./database.ts"
import { type Database, dialects } from "./open-service.ts"

export interface ShopServer {
  readonly url: string
  /** Its faults, of which there should be none. */
  readonly observed: readonly Observation[]
  /**
   * Starts a proxy before the server.
   * @param losing how many answers to `POST` it loses at first: the requests are executed, then the connection is cut
   */
  proxied(losing?: number): Promise<ShopProxy>
}

interface ShopProxy {
  readonly url: string
  /** How many answers were lost. */
  readonly lost: () => number
  /** The bodies of all requests so far. */
  readonly bodies: readonly string[]
}

/** The value of `Authorization` for the staff. */
export const authorization = "Bearer role:staff"
const keyOf = (number: number): string => String(number).padStart(26, "0")
export const productId = (number: number): string => `prd_${keyOf(number)}`
export const categoryId = `cat_${keyOf(1)}`
/** Members that an order needs besides `number` and `total`. */
export const buyer = { customerId: `cus_${keyOf(1)}`, billingAddressId: `adr_${keyOf(1)}` }

const model = load(withSystem(storefront))
const createdAt = "2026-01-01T00:00:00Z"
const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index + 1)

const records: Records = {
  records: new Map<string, readonly Row[]>([
    ["customer", [{ id: keyOf(1), email: "ada@example.org", name: "Ada", newsletter: false, createdAt }]],
    [
      "address",
      [
        {
          id: keyOf(1),
          customerId: keyOf(1),
          recipient: "Ada",
          street: "Main Street 1",
          city: "Leeds",
          country: "GB",
        },
      ],
    ],
    ["category", [{ id: keyOf(1), slug: "things", name: "Things", position: 1, parentId: null }]],
    [
      "product",
      numbers(25).map((number) => ({
        id: keyOf(number),
        slug: `product-${String(number).padStart(2, "0")}`,
        name: `Product ${number}`,
        price: `${number}.50`,
        active: true,
        weight: number / 4,
        stock: 9_007_199_254_740_993n,
        colours: ["red"],
        attributes: JSON.stringify({ material: "felt" }),
        createdAt,
        categoryId: keyOf(1),
      })),
    ],
    [
      "order",
      numbers(7).map((number) => ({
        id: keyOf(number),
        number: `S-${number}`,
        total: "10.00",
        status: "cart",
        createdAt,
        customerId: keyOf(1),
        billingAddressId: keyOf(1),
      })),
    ],
  ]),
  links: [],
}

/** Declares the tests of a client on each of the databases; `shop` gives the server when they run. */
export function withShop(
  title: string,
  declare: (shop: () => ShopServer) => void,
  databases: readonly Database[] = dialects,
): void {
  for (const database of databases)
    describe(`${title}, ${database}`, () => {
      const hooks = cleanUp(after)
      let opened: ShopServer | undefined
      before(async () => {
        opened = await openShop(hooks, database)
      })
      declare(() => present(opened, "the shop is open"))
    })
}

interface Watching {
  readonly telemetry?: Telemetry
  readonly serverTiming?: true
  /** In the place of the shop's own. */
  readonly identify?: Identify
}

/** @param watching for tests of what is told of requests */
export async function openShop(
  hooks: Hooks,
  database: Database,
  { telemetry, serverTiming, identify }: Watching = {},
): Promise<ShopServer> {
  const dialect = database === "sqlite" ? sqlite : postgres
  const address =
    database === "sqlite" ? join(await temporaryFolder(hooks), "shop.sqlite") : await temporaryPostgres(hooks)
  const tables = createSchema(model, dialect).map((text) => ({ text, parameters: [] }))
  await setUp(address, [...tables, ...insertRecords(model, dialect, records)])
  const storage = await openStorage(address, { writes: "unsafe", ...(telemetry && { telemetry }) })
  hooks.after(() => storage.close())
  const faces = createFaces({ model, storage, secret: "a secret of the tests", base: "", look: 50 })
  const observed: Observation[] = []
  const server = await createServer({
    ...faces,
    identify:
      identify ??
      ((headers) =>
        actorFromText(model, (headers["authorization"] ?? "Bearer anyone").replace("Bearer ", ""))),
    base: "",
    cors: [],
    bodyLimit: 1_000_000,
    loopbackOnly: true,
    observe: (observation) => void observed.push(observation),
    host: "127.0.0.1",
    port: 0,
    telemetry,
    serverTiming,
  })
  hooks.after(async () => {
    faces.endStreams()
    await server.close()
  })
  return { url: server.url, observed, proxied: (losing = 0) => startProxy(hooks, server.url, losing) }
}

async function startProxy(hooks: Hooks, url: string, losing: number): Promise<ShopProxy> {
  let lost = 0
  const bodies: string[] = []
  const proxy = createProxy(async (request, response) => {
    const loses = request.method === "POST" && lost < losing
    if (loses) lost += 1
    const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>))
    bodies.push(body.toString())
    const headers = { ...request.headers, host: new URL(url).host }
    const onward = ask(new URL(request.url ?? "", url), { method: request.method, headers }, (answer) => {
      if (loses) answer.resume().on("end", () => request.socket.destroy())
      else {
        response.writeHead(answer.statusCode ?? 500, answer.headers)
        answer.pipe(response)
      }
    })
    onward.on("error", () => request.socket.destroy())
    onward.end(body)
  })
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve))
  hooks.after(() => {
    proxy.closeAllConnections()
    proxy.close()
  })
  const { port } = proxy.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, lost: () => lost, bodies }
}
