// How far a warm request walks: `npm run walk` prints the way. These bounds only shrink. A busy machine adds a few functions.
import assert from "node:assert/strict"
import { join } from "node:path"
import { test } from "node:test"
import { type Ask, walk } from "../../scripts/walk/walk.mjs"

const storefront = join(import.meta.dirname, "../../examples/storefront/service.ts")
const product = {
  ...{ slug: "lamp", name: "Lamp", weight: 1, price: "1.00", colours: [], attributes: {} },
  category: { create: { slug: "light", name: "Light", position: 1 } },
}

async function makeProduct(ask: Ask): Promise<string> {
  const made = await ask({ method: "POST", path: "/products", body: JSON.stringify(product) })
  return `/products/${(JSON.parse(made.text) as { readonly id: string }).id}`
}

const roomsInOrder = ["server", "rest", "engine", "storage"] as const

test("a warm GET of one record enters few files and functions", async () => {
  const { status, entered } = await walk({
    method: "GET",
    service: [storefront, "--dev"],
    before: makeProduct,
  })
  assert.equal(status, 200)
  const files = new Set(entered.map(({ path }) => path))
  const rooms = [...new Set([...files].map((path) => path.split("/")[1] ?? ""))]
  assert.deepEqual(
    rooms.filter((room) => (roomsInOrder as readonly string[]).includes(room)),
    roomsInOrder,
    "the walk leads from the server to the database",
  )
  assert.ok(files.size <= 45, `${files.size} files are entered`)
  assert.ok(entered.length <= 196, `${entered.length} functions are entered`)
})
