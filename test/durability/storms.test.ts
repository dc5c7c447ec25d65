// Many transactions that want the same records in opposite orders: as much is done as when all want them in one order, or
// nearly so.
import assert from "node:assert/strict"
import { test } from "node:test"
import { f, resource, service, signedIn } from "../../src/index.ts"
import { openCode } from "../code/open.ts"
import type { Hooks } from "../support/database.ts"

const full = process.env["BIFOLD_PROOF"] === "full"
const clients = 100
const batches = full ? 6 : 1
const rounds = full ? 3 : 1

const names = Array.from({ length: 10 }, (_, index) => `item-${index}`)
const shop = service({
  name: "shop",
  resources: {
    item: resource({
      fields: { name: f.text({ unique: true }), by: f.text({ optional: true }) },
      allow: { read: signedIn, create: signedIn, update: signedIn },
    }),
  },
})

/** Milliseconds that all batches take when those of every other client begin at the other end, or at the same. */
async function openStorm(hooks: Hooks): Promise<(isOpposite: boolean) => Promise<number>> {
  const opened = await openCode(hooks, shop, "postgres", { deadline: 60_000 })
  await opened.add({ item: names.map((name) => ({ name })) })
  const session = opened.as("signedIn")
  const batch = async (client: number, isOpposite: boolean): Promise<void> => {
    const ordered = isOpposite && client % 2 === 1 ? names.toReversed() : names
    const requests = ordered.map((name) => ({
      method: "PATCH",
      path: `/items/name=${name}`,
      body: { by: String(client) },
    }))
    const { status, body } = await session.rest("POST", "/batch", { requests })
    assert.equal(status, 200, JSON.stringify(body))
  }
  return async (isOpposite) => {
    const began = performance.now()
    await Promise.all(
      Array.from({ length: clients }, async (_, client) => {
        for (let count = 0; count < batches; count += 1) await batch(client, isOpposite)
      }),
    )
    return performance.now() - began
  }
}

test(`batches of ${clients} clients in opposite orders are all done`, async (context) => {
  const storm = await openStorm(context)
  const took = { ordered: 0, opposite: 0 }
  for (let round = 0; round < rounds; round += 1) {
    took.ordered += await storm(false)
    took.opposite += await storm(true)
  }
  const ratio = took.ordered / took.opposite
  context.diagnostic(
    `${rounds * clients * batches} batches of each kind: ${Math.round(took.ordered)} ms in one order, ${Math.round(took.opposite)} ms in opposite orders, ${ratio.toFixed(2)} of the goodput`,
  )
  // A few batches say nothing of goodput.
  if (full) assert.ok(ratio > 0.5, `${ratio} of the goodput`)
})
