// Mutations through the front door, on both databases: what is done, what is answered, and that nothing is done when
// anything is wrong.
import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { dialects } from "../support/open-service.ts"
import { type Market, mistakes, openMarket } from "./market.ts"

const createCustomer = `mutation ($input: CustomerCreateInput!) {
  createCustomer(input: $input) { customer { id etag email name note newsletter } }
}`

const ada = { email: "ada@example.org", name: "Ada" }

async function newCustomer({ data }: Market, input: object = ada): Promise<Record<string, string>> {
  const created = await data(createCustomer, { input })
  return (created["createCustomer"] as { customer: Record<string, string> }).customer
}

async function newOrder({ data }: Market, input: object): Promise<Record<string, string>> {
  const created = await data(
    "mutation ($input: OrderCreateInput!) { createOrder(input: $input) { order { id etag customerId } } }",
    { input },
  )
  return (created["createOrder"] as { order: Record<string, string> }).order
}

const line = (position: number, quantity = 1) => ({ position, quantity, product: `tea ${position}` })

for (const database of dialects)
  describe(`on ${database}`, () => {
    test("a record is created, changed and deleted, and answered as it then is", async (t) => {
      const market = await openMarket(t, database)
      const { id = "", etag, ...created } = await newCustomer(market)
      assert.match(id, /^cus_/)
      assert.deepEqual([etag, created], ["1", { ...ada, note: null, newsletter: false }])
      const updated = await market.data(
        'mutation ($id: ID!) { updateCustomer(id: $id, input: { name: "Ada L.", note: "tea" }) { customer { id etag name email note } } }',
        { id },
      )
      const changed = { id, etag: "2", name: "Ada L.", email: ada.email, note: "tea" }
      assert.deepEqual(updated, { updateCustomer: { customer: changed } })
      const cleared = await market.data(
        "mutation ($id: ID!) { updateCustomer(id: $id, input: { note: null }) { customer { note } } }",
        { id },
      )
      assert.deepEqual(cleared, { updateCustomer: { customer: { note: null } } })
      const deleted = await market.data(
        "mutation ($id: ID!) { deleteCustomer(id: $id) { deletedId was: customer { name } __typename } }",
        { id },
      )
      assert.deepEqual(deleted, {
        deleteCustomer: { deletedId: id, was: { name: "Ada L." }, __typename: "CustomerDeletePayload" },
      })
      assert.deepEqual(await market.data("query ($id: ID!) { customer(id: $id) { id } }", { id }), {
        customer: null,
      })
    })

    test("the fields of a mutation run in their order, each seeing the ones before", async (t) => {
      const market = await openMarket(t, database)
      const { id } = await newCustomer(market)
      const answered = await market.ask(
        `mutation Steps($id: ID!, $yes: Boolean!) {
          first: updateCustomer(id: $id, input: { name: "One" }) { customer { name etag } }
          ...Second
          createTag(input: { name: "gift" }) @skip(if: $yes) { tag { name } }
          third: updateCustomer(id: $id, input: { name: "Three" }) @include(if: $yes) { customer { ...Name } }
          last: deleteCustomer(id: $id) { customer { ...Name } }
        }
        fragment Second on Mutation { second: updateCustomer(id: $id, input: { note: "two" }) { customer { name etag note } } }
        fragment Name on Customer { name etag }`,
        { id, yes: true },
      )
      assert.deepEqual(answered.body, {
        data: {
          first: { customer: { name: "One", etag: "2" } },
          second: { customer: { name: "One", etag: "3", note: "two" } },
          third: { customer: { name: "Three", etag: "4" } },
          last: { customer: { name: "Three", etag: "4" } },
        },
      })
      assert.deepEqual(Object.keys(answered.body.data ?? {}), ["first", "second", "third", "last"])
      assert.equal(market.answers.count, 2)
    })

    test("one failure undoes the whole document: data is null, and the error names the field", async (t) => {
      const market = await openMarket(t, database)
      const { id } = await newCustomer(market)
      const before = await market.everything()
      const answered = await market.ask(
        `mutation ($id: ID!) {
          createTag(input: { name: "gift" }) { tag { name } }
          updateCustomer(id: $id, input: { name: "Gone" }) { customer { name } }
          again: createCustomer(input: { email: "${ada.email}", name: "Other" }) { customer { id } }
          createOrder(input: { number: "1", total: "1.00", customerId: $id }) { order { id } }
        }`,
        { id },
      )
      assert.equal(answered.status, 200)
      assert.equal(answered.body.data, null)
      assert.deepEqual(mistakes(answered), [["again", "input", "/email", "already_exists"]])
      assert.deepEqual(answered.body.errors?.[0]?.path, ["again"])
      assert.deepEqual(answered.body.errors?.[0]?.locations, [{ line: 4, column: 49 }])
      assert.deepEqual(await market.everything(), before)
    })

    test("under the newer media type a refused mutation is 400 without data", async (t) => {
      const market = await openMarket(t, database)
      const accept = { accept: "application/graphql-response+json" }
      const none = await market.ask('mutation { deleteTag(id: "none") { deletedId } }', {}, accept)
      assert.deepEqual([none.status, "data" in none.body], [400, false])
      assert.deepEqual(mistakes(none), [["deleteTag", "id", "", "not_found"]])
      const some = await market.ask(
        'mutation { createTag(input: { name: "gift" }) { tag { id } } }',
        {},
        accept,
      )
      assert.deepEqual([some.status, some.body], [200, { data: { createTag: { tag: { id: "tag_gift" } } } }])
    })

    test("records are created, linked, changed and removed with the one they belong to", async (t) => {
      const market = await openMarket(t, database)
      await market.data('mutation { createTag(input: { name: "old" }) { tag { id } } }')
      const created = await market.data(
        `mutation ($input: OrderCreateInput!) {
          createOrder(input: $input) {
            order {
              id number customer { name card { digits } }
              lines { nodes { id position quantity } totalCount }
              tags { nodes { id featured } }
            }
          }
        }`,
        {
          input: {
            number: "A",
            total: "3.50",
            customer: { create: { ...ada, card: { create: { digits: "1234" } } } },
            lines: { create: [line(1), line(2, 5)] },
            tags: { create: [{ name: "new", featured: true }], link: ["old"] },
          },
        },
      )
      const { order } = created["createOrder"] as { order: { id: string } }
      const { id } = order
      const bare = id.slice("ord_".length)
      assert.deepEqual(order, {
        id,
        number: "A",
        customer: { name: "Ada", card: { digits: "1234" } },
        lines: {
          nodes: [
            { id: `line_${bare}~1`, position: 1, quantity: 1 },
            { id: `line_${bare}~2`, position: 2, quantity: 5 },
          ],
          totalCount: 2,
        },
        tags: {
          nodes: [
            { id: "tag_new", featured: true },
            { id: "tag_old", featured: false },
          ],
        },
      })
      const updated = await market.data(
        `mutation ($id: ID!, $input: OrderUpdateInput!) {
          updateOrder(id: $id, input: $input) {
            order { etag customer { name card { digits } } lines { nodes { position quantity } } tags { nodes { id } } }
          }
        }`,
        {
          id,
          input: {
            customer: { update: { name: "Ada L.", card: { update: { digits: "4321" } } } },
            lines: {
              create: [line(3, 7)],
              update: [{ id: `line_${bare}~2`, input: { quantity: 6 } }],
              delete: [`${bare}~1`],
            },
            tags: { unlink: ["tag_old"] },
          },
        },
      )
      assert.deepEqual(updated, {
        updateOrder: {
          order: {
            etag: "2",
            customer: { name: "Ada L.", card: { digits: "4321" } },
            lines: {
              nodes: [
                { position: 2, quantity: 6 },
                { position: 3, quantity: 7 },
              ],
            },
            tags: { nodes: [{ id: "tag_new" }] },
          },
        },
      })
      await market.data("mutation ($id: ID!) { deleteOrder(id: $id) { deletedId } }", { id })
      assert.deepEqual(
        await market.data("{ lines { totalCount } tags { totalCount } orders { totalCount } }"),
        {
          lines: { totalCount: 0 },
          tags: { totalCount: 2 },
          orders: { totalCount: 0 },
        },
      )
    })

    test("a document writes as many records as a request may, however they are found", async (t) => {
      const market = await openMarket(t, database)
      const tags = (prefix: string) => Array.from({ length: 500 }, (_, n) => ({ name: `${prefix}-${n}` }))
      const created = await market.data(
        `mutation ($a: [TagCreateInput!]!, $b: [TagCreateInput!]!) {
          one: createTags(input: $a) { affected }
          two: createTags(input: $b) { affected }
        }`,
        { a: tags("a"), b: tags("b") },
      )
      assert.deepEqual(created, { one: { affected: 500 }, two: { affected: 500 } })
      const each = tags("a").map(({ name }, n) => `d${n}: deleteTag(id: "${name}") { __typename }`)
      const deleted = await market.data(`mutation { ${each.join(" ")} }`)
      assert.equal(Object.keys(deleted).length, 500)
    })

    test("many records are created, changed and deleted at once, and counted", async (t) => {
      const market = await openMarket(t, database)
      const created = await market.data(
        `mutation ($input: [TagCreateInput!]!) {
          createTags(input: $input) { affected tags { name featured } kind: __typename }
        }`,
        { input: ["b", "a", "c"].map((name) => ({ name })) },
      )
      const plain = (name: string) => ({ name, featured: false })
      assert.deepEqual(created, {
        createTags: { affected: 3, tags: [plain("a"), plain("b"), plain("c")], kind: "TagBulkPayload" },
      })
      const updated = await market.data(
        'mutation { updateTags(where: { name: { in: ["a", "c", "none"] } }, input: { featured: true }, maxAffected: 9) { affected tags { name featured etag } } }',
      )
      assert.deepEqual(updated, {
        updateTags: { affected: 2, tags: ["a", "c"].map((name) => ({ name, featured: true, etag: "2" })) },
      })
      const before = await market.everything()
      const refused = await market.ask(
        "mutation { deleteTags(where: { featured: { eq: true } }, maxAffected: 1) { affected } }",
      )
      assert.deepEqual(mistakes(refused), [["deleteTags", "maxAffected", "", "too_many_affected"]])
      assert.equal(refused.body.data, null)
      const all = await market.ask("mutation { deleteTags(where: {}, maxAffected: 9) { affected } }")
      assert.deepEqual(mistakes(all), [["deleteTags", "where", "", "invalid_value"]])
      assert.deepEqual(await market.everything(), before)
      const deleted = await market.data(
        "mutation { deleteTags(where: { featured: { eq: true } }, maxAffected: 9) { affected tags { name } } }",
      )
      assert.deepEqual(deleted, { deleteTags: { affected: 2, tags: [{ name: "a" }, { name: "c" }] } })
      assert.deepEqual(await market.data("{ tags { nodes { name } } }"), { tags: { nodes: [{ name: "b" }] } })
      const none = await market.data(
        'mutation { deleteTags(where: { name: { eq: "x" } }, maxAffected: 9) { affected tags { name } } }',
      )
      assert.deepEqual(none, { deleteTags: { affected: 0, tags: [] } })
    })

    test("how many may be changed at once has to be said, and no more are", async (t) => {
      const market = await openMarket(t, database)
      const input = Array.from({ length: 51 }, (_, index) => ({ name: `t${index}` }))
      await market.data("mutation ($input: [TagCreateInput!]!) { createTags(input: $input) { affected } }", {
        input,
      })
      const every = (more: string) =>
        `mutation { updateTags(where: { id: { notIn: [] } }, input: { featured: true }${more}) { affected } }`
      const unsaid = await market.ask(every(""))
      assert.equal(unsaid.body.errors?.[0]?.extensions.code, "invalid_document")
      const refused = await market.ask(every(", maxAffected: 50"))
      assert.deepEqual(mistakes(refused), [["updateTags", "maxAffected", "", "too_many_affected"]])
      assert.deepEqual(await market.data(every(", maxAffected: 51")), { updateTags: { affected: 51 } })
      const beyond = await market.ask(every(", maxAffected: 1001"))
      assert.deepEqual(mistakes(beyond), [["updateTags", "maxAffected", "", "invalid_value"]])
    })

    test("an upsert creates the record, and changes it from then on", async (t) => {
      const market = await openMarket(t, database)
      const upsert = (input: object) =>
        market.data(
          `mutation ($input: CustomerUpsertByEmailInput!) {
            upsertCustomerByEmail(email: "${ada.email}", input: $input) { customer { id etag name note } }
          }`,
          { input },
        )
      const first = (await upsert({ name: "Ada", note: "n" })) as {
        upsertCustomerByEmail: { customer: { id: string } }
      }
      const { id } = first.upsertCustomerByEmail.customer
      assert.deepEqual(first.upsertCustomerByEmail.customer, { id, etag: "1", name: "Ada", note: "n" })
      assert.deepEqual(await upsert({ name: "Ada L." }), {
        upsertCustomerByEmail: { customer: { id, etag: "2", name: "Ada L.", note: "n" } },
      })
      const byCustomer = await market.data(
        'mutation ($id: ID!) { upsertCardByCustomerId(customerId: $id, input: { digits: "1111" }) { card { digits customerId } } }',
        { id },
      )
      assert.deepEqual(byCustomer, { upsertCardByCustomerId: { card: { digits: "1111", customerId: id } } })
      const refused = await market.ask(
        'mutation { upsertCardByCustomerId(customerId: "nobody", input: { digits: "1" }) { card { id } } }',
      )
      assert.deepEqual(mistakes(refused), [["upsertCardByCustomerId", "input", "/digits", "invalid_value"]])
      const missing = await market.ask(
        'mutation { upsertCardByCustomerId(customerId: "nobody", input: { digits: "1234" }) { card { id } } }',
      )
      assert.deepEqual(mistakes(missing), [["upsertCardByCustomerId", "customerId", "", "missing_reference"]])
      const odd = await market.data(
        `mutation ($input_: OrderUpsertByInputInput!) { upsertOrderByInput(input: 7, input_: $input_) { order { input number } } }`,
        { input_: { number: "7", total: "7.00", customerId: id } },
      )
      assert.deepEqual(odd, { upsertOrderByInput: { order: { input: 7, number: "7" } } })
    })

    test("who says which state of a record is meant changes no other", async (t) => {
      const market = await openMarket(t, database)
      const { id, etag } = await newCustomer(market)
      const rename = (name: string, ifMatch: string | null | undefined) =>
        market.ask(
          "mutation ($id: ID!, $name: String!, $ifMatch: String) { updateCustomer(id: $id, input: { name: $name }, ifMatch: $ifMatch) { customer { etag } } }",
          { id, name, ifMatch },
        )
      const fresh = await rename("One", etag)
      assert.deepEqual(fresh.body.data, { updateCustomer: { customer: { etag: "2" } } })
      const before = await market.everything()
      const stale = await rename("Two", etag)
      assert.equal(stale.body.data, null)
      assert.deepEqual(mistakes(stale), [["updateCustomer", "ifMatch", "", "stale_version"]])
      const gone = await market.ask(
        'mutation ($id: ID!) { createTag(input: { name: "x" }) { tag { id } } deleteCustomer(id: $id, ifMatch: "1") { deletedId } }',
        { id },
      )
      assert.deepEqual(mistakes(gone), [["deleteCustomer", "ifMatch", "", "stale_version"]])
      assert.deepEqual(await market.everything(), before)
      assert.deepEqual((await rename("Three", null)).body.data, {
        updateCustomer: { customer: { etag: "3" } },
      })
      const deleted = await market.data(
        'mutation ($id: ID!) { deleteCustomer(id: $id, ifMatch: "3") { deletedId } }',
        { id },
      )
      assert.deepEqual(deleted, { deleteCustomer: { deletedId: id } })
    })

    test("a request that is sent again with its key is done once", async (t) => {
      const market = await openMarket(t, database)
      const once = (key: string, input: object) =>
        market.ask(createCustomer, { input }, { "idempotency-key": key })
      const first = await once("k1", ada)
      const again = await once('"k1"', ada)
      assert.equal(again.text, first.text)
      assert.deepEqual(
        [first.headers["idempotency-replayed"], again.headers["idempotency-replayed"]],
        [undefined, "true"],
      )
      const other = await once("k1", { ...ada, name: "Other" })
      assert.equal(other.status, 200)
      assert.equal(other.body.data, null)
      assert.equal(other.body.errors?.[0]?.extensions.code, "idempotency_mismatch")
      assert.equal((await once("k2", ada)).body.errors?.[0]?.extensions.code, "already_exists")
      assert.deepEqual(await market.data("{ customers { totalCount } }"), { customers: { totalCount: 1 } })
    })

    test("a record may be made of nothing but what is related to it in many ways at once", async (t) => {
      const market = await openMarket(t, database)
      const { id } = await newCustomer(market)
      const order = await newOrder(market, { number: "1", total: "1.00", customer: { link: id } })
      assert.equal(order["customerId"], id)
      const partner = await market.data(
        `mutation ($id: ID!, $partner: OrderUpdatePartnerInput!) {
          set: updateOrder(id: $id, input: { partner: $partner }) { order { partner { email } etag } }
          unset: updateOrder(id: $id, input: { partner: { unlink: true } }) { order { partner { email } etag } }
        }`,
        { id: order["id"], partner: { create: { email: "bob@example.org", name: "Bob" } } },
      )
      assert.deepEqual(partner, {
        set: { order: { partner: { email: "bob@example.org" }, etag: "2" } },
        unset: { order: { partner: null, etag: "3" } },
      })
    })
  })
