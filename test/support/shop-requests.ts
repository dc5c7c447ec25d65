// The work that each HTTP client does in the tests: pages, a change after a conflict, a retry after a lost answer.
import assert from "node:assert/strict"
import { setTimeout } from "node:timers/promises"
import { authorization, buyer, type ShopServer } from "./shop-server.ts"

export type Thing = Readonly<Record<string, unknown>>

/** A client as its recipe makes it. */
interface ShopClient {
  /** The records of all pages from this path on. */
  list(path: string): Promise<readonly unknown[]>
  /** Changes a record, and reads it again and decides again where it has changed meanwhile. */
  change(path: string, decide: (record: Thing) => object | Promise<object>): Promise<Thing>
  /** Creates a record, and sends the request again where no answer comes. */
  create(path: string, record: object): Promise<Thing>
}

export type OpenClient = (url: string, authorization: string) => ShopClient

/** 25 products in pages of 10, asked with a filter, in their order and each of them once. */
export async function readsPages(shop: ShopServer, open: OpenClient): Promise<void> {
  const client = open(shop.url, authorization)
  const products = await client.list("/products?filter[price][gte]=2&sort=slug&fields=slug&limit=10")
  const slugs = products.map((product) => (product as Thing)["slug"])
  const expected = Array.from({ length: 24 }, (_, index) => `product-${String(index + 2).padStart(2, "0")}`)
  assert.deepEqual(slugs, expected)
}

/** Somebody else changes the order between the client's read and its write, once. */
export async function mergesConflict(shop: ShopServer, open: OpenClient): Promise<void> {
  const client = open(shop.url, authorization)
  const path = "/orders/number=S-1"
  const read: unknown[] = []
  const changed = await client.change(path, async ({ note }) => {
    read.push(note)
    if (read.length === 1) await write(shop, path, { note: "From somebody else." })
    return { note: `${note ?? ""} From the client.` }
  })
  assert.deepEqual(read, [null, "From somebody else."])
  assert.equal(changed["note"], "From somebody else. From the client.")
  assert.equal((await readOne(shop, path))["note"], changed["note"])
}

/** The answers to the first two attempts are lost, though the order was created by the first. */
export async function repeatsSafely(shop: ShopServer, open: OpenClient, number: string): Promise<void> {
  const { url, lost } = await shop.proxied(2)
  const client = open(url, authorization)
  const created = await client.create("/orders", { ...buyer, number, total: "12.50" })
  assert.equal(lost(), 2)
  assert.deepEqual([created["number"], created["total"]], [number, "12.50"])
  const stored = await readOne(shop, `/orders/number=${number}`)
  assert.deepEqual(stored, created)
}

/** Neither a list that is not served, nor a read or write that is refused, looks like a success. */
export async function failsWhenRefused(shop: ShopServer, open: OpenClient): Promise<void> {
  const client = open(shop.url, authorization)
  await assert.rejects(client.list("/produce"))
  await assert.rejects(client.change("/orders/number=none", () => ({ note: "Nowhere." })))
  await assert.rejects(client.change("/orders/number=S-1", () => ({ note: 1 })))
  await assert.rejects(client.create("/orders", { ...buyer, number: "R-1", total: "much" }))
  const answer = await fetch(`${shop.url}/orders/number=R-1`, { headers: { authorization } })
  assert.equal(answer.status, 404)
}

async function readOne({ url }: ShopServer, path: string): Promise<Thing> {
  const answer = await fetch(`${url}${path}`, { headers: { authorization } })
  assert.equal(answer.status, 200)
  return (await answer.json()) as Thing
}

/** A change by somebody else. */
async function write({ url }: ShopServer, path: string, change: object): Promise<void> {
  const headers = { authorization, "content-type": "application/json" }
  const { status } = await fetch(`${url}${path}`, { method: "PATCH", headers, body: JSON.stringify(change) })
  assert.equal(status, 200)
}

/** A change of a product by somebody else. */
export const renameByOthers = (shop: ShopServer, id: string, name: string): Promise<void> =>
  write(shop, `/products/${id}`, { name })

/**
 * Changes the note of an order, for a client that follows orders; resolves when it has seen each change. The first is
 * repeated, since a subscription takes a moment to begin.
 * @param seen the notes that the client has seen
 */
export async function followsNotes(
  shop: ShopServer,
  number: string,
  seen: readonly unknown[],
): Promise<void> {
  const deadline = Date.now() + 20_000
  const until = async (isSeen: () => boolean, repeat: () => Promise<void>): Promise<void> => {
    while (!isSeen()) {
      assert.ok(Date.now() < deadline, `the client saw ${JSON.stringify(seen)}`)
      await repeat()
      await setTimeout(50)
    }
  }
  const change = (note: string): Promise<void> => write(shop, `/orders/number=${number}`, { note })
  await until(
    () => seen.length > 0,
    () => change("First."),
  )
  for (const note of ["Second.", "Third."]) {
    await change(note)
    await until(
      () => seen.at(-1) === note,
      async () => {},
    )
  }
}
