// `bifold can`: yes or no, which rule, and why, of resources and of the records of a database.
import assert from "node:assert/strict"
import { join } from "node:path"
import { after, describe, test } from "node:test"
import { fileURLToPath } from "node:url"
import storefront from "../../examples/storefront/service.ts"
import { load } from "../../src/model/load.ts"
import { withSystem } from "../../src/model/system/with-system.ts"
import { sqlite } from "../../src/sql/dialects/sqlite.ts"
import { createSchema } from "../../src/sql/schema/schema.ts"
import { insertRecords, type Row } from "../../src/sql/write/insert.ts"
import { setUp } from "../../src/storage/migration/set-up.ts"
import { cleanUp, temporaryFolder } from "../support/database.ts"
import { bifold } from "./run.ts"

const file = fileURLToPath(new URL("../../examples/storefront/service.ts", import.meta.url))
const folder = await temporaryFolder(cleanUp(after))
const database = join(folder, "shop.db")

const customer = (id: string): Row => ({
  id,
  email: `${id}@example.org`,
  name: id,
  phone: null,
  bornOn: null,
  note: null,
  newsletter: false,
  createdAt: "2026-01-01T00:00:00Z",
})
const order = (id: string, customerId: string, status: string): Row => ({
  id,
  number: id,
  status,
  total: "1.00",
  note: null,
  createdAt: "2026-01-01T00:00:00Z",
  placedAt: null,
  customerId,
  billingAddressId: "a",
  shippingAddressId: null,
})
const address: Row = {
  id: "a",
  recipient: "A",
  street: "S",
  extra: null,
  postcode: null,
  city: "C",
  country: "CH",
  customerId: "ann",
}
const model = load(withSystem(storefront))
await setUp(database, [
  ...createSchema(model, sqlite).map((text) => ({ text, parameters: [] })),
  ...insertRecords(model, sqlite, {
    records: new Map([
      ["customer", [customer("ann"), customer("bob")]],
      ["address", [address]],
      ["order", [order("cart", "ann", "cart"), order("paid", "ann", "paid"), order("other", "bob", "cart")]],
    ]),
    links: [],
  }),
])

const can = (...given: readonly string[]) => {
  const [actor = "", action = "", what = "", ...rest] = given
  return bifold(["can", actor, action, what, file, ...rest])
}

/** Each rule's last step and what it does, of the last need. */
interface Json {
  readonly allowed: boolean
  readonly needs: readonly {
    readonly what: string
    readonly met: boolean
    readonly records: string | null
    readonly rules: readonly { readonly place: string; readonly rule: string; readonly holds: string }[]
  }[]
}
const askJson = async (...given: readonly string[]): Promise<Json & { readonly code: number | null }> => {
  const { code, stdout, stderr } = await can(...given, "--json")
  assert.equal(stderr, "")
  return { code, ...(JSON.parse(stdout) as Json) }
}

describe("bifold can", () => {
  const cases: readonly [
    string,
    readonly string[],
    boolean,
    readonly (readonly [string, string | null, boolean])[],
  ][] = [
    ["nobody signed in", ["anyone", "read", "order"], false, [["read", null, false]]],
    [
      "all records",
      ["role:staff", "delete", "order"],
      true,
      [
        ["read", "all", true],
        ["delete", "all", true],
      ],
    ],
    [
      "some records",
      ["customer:cus_ann", "update", "order"],
      true,
      [
        ["read", "customer.id = viewer.id", true],
        ["update", "status = cart and customer.id = viewer.id", true],
      ],
    ],
    [
      "one's own cart",
      ["customer:cus_ann", "update", "order:ord_cart", "--database", database],
      true,
      [
        ["read", "customer.id = viewer.id", true],
        ["update", "status = cart and customer.id = viewer.id", true],
      ],
    ],
    [
      "one's own order that is paid",
      ["customer:cus_ann", "update", "order:ord_paid", "--database", database],
      false,
      [
        ["read", "customer.id = viewer.id", true],
        ["update", "status = cart and customer.id = viewer.id", false],
      ],
    ],
    [
      "somebody else's cart",
      ["customer:cus_ann", "update", "order:other", "--database", database],
      false,
      [
        ["read", "customer.id = viewer.id", false],
        ["update", "status = cart and customer.id = viewer.id", false],
      ],
    ],
    [
      "what is to be packed, which is readable but not to be changed",
      ["role:warehouse", "update", "order:ord_paid", "--database", database],
      false,
      [
        ["read", "status in paid, shipped", true],
        ["update", null, false],
      ],
    ],
    [
      "a field by credentials that together give it",
      [
        "customer:cus_ann+role:warehouse",
        "read",
        "customer:cus_ann",
        "--field",
        "email",
        "--database",
        database,
      ],
      true,
      [
        ["read", "all", true],
        ["field", "id = viewer.id", true],
      ],
    ],
    [
      "the same field of somebody else",
      [
        "customer:cus_ann+role:warehouse",
        "read",
        "customer:cus_bob",
        "--field",
        "email",
        "--database",
        database,
      ],
      false,
      [
        ["read", "all", true],
        ["field", "id = viewer.id", false],
      ],
    ],
    [
      "a field of own code, of which nobody sees more than of what it needs",
      ["customer:cus_ann", "read", "order", "--field", "expectedOn"],
      true,
      [
        ["read", "customer.id = viewer.id", true],
        ["field", "all", true],
        ["field", "all", true],
      ],
    ],
    [
      "a field of own code, which nobody sets",
      ["role:staff", "update", "order", "--field", "expectedOn"],
      false,
      [
        ["read", "all", true],
        ["update", "all", true],
        ["field", null, false],
      ],
    ],
    [
      "an action on one's own cart",
      ["customer:cus_ann", "applyCoupon", "order:ord_cart", "--database", database],
      true,
      [
        ["read", "customer.id = viewer.id", true],
        ["action", "status = cart and customer.id = viewer.id", true],
      ],
    ],
    [
      "an action on one's own order that is paid",
      ["customer:cus_ann", "applyCoupon", "order:ord_paid", "--database", database],
      false,
      [
        ["read", "customer.id = viewer.id", true],
        ["action", "status = cart and customer.id = viewer.id", false],
      ],
    ],
    [
      "a field that never changes",
      ["role:staff", "update", "order", "--field", "number"],
      false,
      [
        ["read", "all", true],
        ["update", "all", true],
        ["field", null, false],
      ],
    ],
  ]
  for (const [title, given, allowed, needs] of cases)
    test(`${allowed ? "yes" : "no"}: ${title}`, async () => {
      const told = await askJson(...given)
      assert.deepEqual(
        told.needs.map(({ what, records, met }) => [what, records, met]),
        needs,
      )
      assert.equal(told.allowed, allowed)
      assert.equal(told.code, allowed ? 0 : 1)
    })

  test("each rule is named by its place and its words, and judged by itself", async () => {
    const { needs } = await askJson(
      "customer:cus_ann+role:warehouse",
      "read",
      "order:ord_paid",
      "--database",
      database,
    )
    assert.deepEqual(needs[0]?.rules, [
      { place: "resources.order.allow.read[0]", rule: "role:staff", holds: "never" },
      {
        place: "resources.order.allow.read[1]",
        rule: "role:warehouse and status in paid, shipped",
        holds: "yes",
      },
      { place: "resources.order.allow.read[2]", rule: "customer.id = viewer.id", holds: "yes" },
    ])
    const other = await askJson(
      "customer:cus_ann+role:warehouse",
      "read",
      "order:ord_cart",
      "--database",
      database,
    )
    assert.deepEqual(
      other.needs[0]?.rules.map(({ holds }) => holds),
      ["never", "no", "yes"],
    )
  })

  test("the answer is a sentence with its reason", async () => {
    const first = async (...given: readonly string[]): Promise<string> =>
      (await can(...given)).stdout.split("\n")[0] ?? ""
    assert.equal(
      await first("anyone", "read", "order"),
      "✗ anyone may not read order: no rule for it can hold for them.",
    )
    assert.equal(await first("anyone", "read", "tag"), "✓ anyone may read tag.")
    assert.equal(
      await first("role:staff", "read", "apiKey", "--field", "digest"),
      "✗ role:staff may not read digest of apiKey: there is no rule of the field.",
    )
    assert.equal(
      await first("role:warehouse", "read", "customer", "--field", "email"),
      "✗ role:warehouse may not read email of customer: the record's rules keep it from them.",
    )
    assert.equal(
      await first("customer:cus_ann", "update", "customer", "--field", "note"),
      "✗ customer:cus_ann may not set note of customer: no rule of the field can hold for them.",
    )
    assert.equal(
      await first("role:staff", "update", "order", "--field", "expectedOn"),
      "✗ role:staff may not set expectedOn of order: it is computed.",
    )
    assert.equal(
      await first("customer:cus_ann", "update", "order:ord_other", "--database", database),
      "✗ customer:cus_ann may not update order ord_other: they cannot read it, and what is written has to be readable.",
    )
    assert.equal(
      await first("customer:cus_ann", "update", "order:ord_paid", "--database", database),
      "✗ customer:cus_ann may not update order ord_paid: no rule for it holds for this record.",
    )
  })

  test("what cannot be meant is said", async () => {
    const refusals: readonly [readonly string[], RegExp, number][] = [
      [["role:stuff", "read", "order"], /no role "stuff".*\n.*"staff"/, 2],
      [["role:staff", "read", "ordr"], /no resource "ordr".*\n.*"order"/, 2],
      [["role:staff", "read", "order", "--field", "totl"], /no field "totl".*\n.*"total"/, 2],
      [["role:staff", "delete", "order", "--field", "total"], /with all of its fields/, 2],
      [["role:staff", "read", "order:ord_cart"], /where the order is/, 2],
      [["role:staff", "create", "order:ord_cart", "--database", database], /has no id yet/, 2],
      [["role:staff", "read", "order:ord_none", "--database", database], /There is no order "ord_none"/, 1],
      [
        ["customer:cus_none", "read", "order:ord_cart", "--database", database],
        /There is no customer "cus_none"/,
        1,
      ],
      [["role:staff", "see", "order"], /"order" has no action or transition "see"/, 2],
    ]
    for (const [given, said, expected] of refusals) {
      const { code, stderr, stdout } = await can(...given)
      assert.match(stderr, said)
      assert.deepEqual([code, stdout], [expected, ""])
    }
  })
})
