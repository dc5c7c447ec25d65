// `bifold explain --as`: the plan with the rules that it carries for an actor, and the statement with them in it.
import assert from "node:assert/strict"
import { join } from "node:path"
import { describe, test } from "node:test"
import { bifold } from "./run.ts"

const storefront = join(import.meta.dirname, "../../examples/storefront/service.ts")
const question =
  '{ customers(where: { email: { startsWith: "a" } }) { nodes { email name orders(first: 1) { nodes { total } } } } }'

const planOf = async (request: string, ...given: readonly string[]): Promise<string> => {
  const { code, stdout, stderr } = await bifold([
    "explain",
    request,
    storefront,
    "--dialect",
    "sqlite",
    ...given,
  ])
  assert.deepEqual([code, stderr], [0, ""])
  return stdout.split("\n\nCost")[0] ?? ""
}

describe("bifold explain --as", () => {
  test("says of each resource and field for which records there is anything", async () => {
    assert.equal(
      await planOf(
        `{ customers(where: { orders: { some: { total: { gt: "5" } } } }) { nodes { id name email orders { nodes { id total } } } } }`,
        "--as",
        "customer:cus_1+role:warehouse",
      ),
      `Plan for customer:cus_1+role:warehouse
list of customer
  where some orders [status in paid, shipped or customer.id = viewer.id] (total gt "5.00")
  order by id
  first 20
  each
    id
    email [id = viewer.id]
    name
    orders: list of order [status in paid, shipped or customer.id = viewer.id]
      order by id
      first 20
      each
        id
        total`,
    )
  })

  test("says nothing where all records are meant, and without --as", async () => {
    assert.doesNotMatch(await planOf(question, "--as", "role:staff"), /\[/)
    const plan = await planOf(question)
    assert.match(plan, /^Plan\nlist of customer\n/)
    assert.doesNotMatch(plan, /\[/)
  })

  test("shows the statement with the actor's key bound, and JSON names the actor", async () => {
    const { stdout } = await bifold([
      "explain",
      "GET /orders?fields=total",
      storefront,
      "--as",
      "customer:cus_1",
      "--json",
    ])
    const { as, plan, statements } = JSON.parse(stdout)
    assert.equal(as, "customer:cus_1")
    assert.match(plan, /^list of order \[customer\.id = viewer\.id\]\n/)
    for (const { sql, values } of [statements.sqlite, statements.postgres]) {
      assert.match(sql, /"customer_id"/)
      assert.ok(values.includes("1"), JSON.stringify(values))
    }
  })

  test("what the actor cannot name is refused as it is to them", async () => {
    const { code, stderr } = await bifold(["explain", "GET /orders", storefront, "--as", "anyone"])
    assert.equal(code, 1)
    assert.match(stderr, /orders/)
  })

  test("an actor that means nobody is refused", async () => {
    const { code, stderr } = await bifold(["explain", "GET /orders", storefront, "--as", "role:stuff"])
    assert.equal(code, 2)
    assert.match(stderr, /no role "stuff"[\s\S]*"staff"/)
  })
})
