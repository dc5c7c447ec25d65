// Transitions of records that are named by what people choose, or must be named in a version, and input that is optional.
import assert from "node:assert/strict"
import { after, before, describe, test } from "node:test"
import { actorFromText } from "../../src/access/identity/actor-text.ts"
import type { Row } from "../../src/sql/write/insert.ts"
import { cleanUp } from "../support/database.ts"
import { connectFaces, dialects, type OpenService, openService } from "../support/open-service.ts"
import { readMessage } from "../support/spelling.ts"
import { id } from "./asking.ts"
import { odd } from "./odd.ts"

const bill = (number: number): Row => ({ id: id(number), number: `B-${number}`, paidBy: null, state: "open" })
const records = new Map<string, readonly Row[]>([
  ["bill", [1, 2, 3, 4, 5].map(bill)],
  ["deed", [{ name: "house", state: "draft" }]],
  ["parcel", ["transitions", "box"].map((label) => ({ label, state: "here" }))],
])

for (const database of dialects)
  describe(`odd transitions on ${database}`, () => {
    const hooks = cleanUp(after)
    let service: OpenService
    let guest: OpenService
    before(async () => {
      const options = { writes: "unsafe" } as const
      const { storage } = await openService(hooks, {
        model: odd,
        records: { records, links: [] },
        database,
        options,
      })
      const as = (words: string): OpenService => {
        const actor = actorFromText(odd, words)
        return connectFaces(actor.model, storage, { actor })
      }
      service = as("role:clerk")
      guest = as("role:guest")
    })
    const rest = (message: string) => service.rest(readMessage(message))
    const graphql = async (query: string, variables = {}) =>
      JSON.parse((await service.graphql({ body: { query, variables } })).body)

    test("a record is named by its unique key", async () => {
      const told = await rest("GET /bills/number=B-1/transitions")
      assert.deepEqual(JSON.parse(told.body).data, [
        {
          name: "markPaid",
          to: "paid",
          machine: "state",
          allowed: true,
          reasons: [],
          description: "The money is there.",
          input: {
            type: "object",
            properties: {
              reference: { type: ["string", "null"], description: "Of the bank." },
              by: { type: "string", enum: ["cash", "card"], default: "card" },
              via: { anyOf: [{ type: "string", enum: ["web", "desk"] }, { type: "null" }] },
            },
            additionalProperties: false,
          },
        },
      ])
      const done = await rest('POST /bills/number=B-1/transitions/mark-paid\n\n{"by":"cash"}')
      assert.equal(done.status, 200, done.body)
      assert.partialDeepStrictEqual(JSON.parse(done.body), { number: "B-1", state: "paid", paidBy: "cash" })
      assert.equal((await rest("POST /bills/number=B-9/transitions/mark-paid")).status, 404)
      assert.equal((await rest("GET /bills/number=B-9/transitions")).status, 404)
    })

    test("what is optional is not given, or null, or takes its default", async () => {
      const bare = await rest("POST /bills/number=B-2/transitions/mark-paid")
      assert.partialDeepStrictEqual(JSON.parse(bare.body), { state: "paid", paidBy: "card" })
      const query = (number: number, input: string) =>
        graphql(`mutation { it: markPaidBill(id: "${id(number)}"${input}) { bill { state paidBy } } }`)
      const paid = { data: { it: { bill: { state: "paid", paidBy: "card" } } } }
      assert.deepEqual(await query(3, ""), paid)
      assert.deepEqual(await query(4, ", input: null"), paid)
      assert.deepEqual(await query(5, ", input: { reference: null }"), paid)
      const { errors } = await graphql(
        "mutation($input: MarkPaidBillInput) { markPaidBill(id: 1, input: $input) { bill { state } } }",
        { input: { by: "cheque" } },
      )
      assert.deepEqual(
        errors[0].extensions.errors.map(({ pointer }: { pointer: string }) => pointer),
        ["/by"],
      )
    })

    test("a version that must be named is", async () => {
      const bare = await rest("POST /deeds/house/transitions/sign")
      assert.equal(bare.status, 428)
      assert.equal(JSON.parse(bare.body).code, "version_required")
      const { headers } = await rest("GET /deeds/house")
      const late = await rest('POST /deeds/house/transitions/sign\nif-match: "x"')
      assert.equal(late.status, 412)
      const signed = await rest(`POST /deeds/house/transitions/sign\nif-match: ${headers["etag"]}`)
      assert.equal(JSON.parse(signed.body).state, "signed")
    })

    test("whoever only sees a record is told that nothing is possible", async () => {
      const told = await guest.rest(readMessage(`GET /bills/${id(5)}/transitions`))
      assert.deepEqual([told.status, told.body], [200, '{"data":[]}'])
      const query = `{ bill(id: "${id(5)}") { transitions { name reasons { code } } } }`
      const { body } = await guest.graphql({ body: { query } })
      assert.deepEqual(JSON.parse(body), { data: { bill: { transitions: [] } } })
      const refused = await guest.rest(readMessage(`POST /bills/${id(5)}/transitions/mark-paid`))
      assert.equal(refused.status, 403)
    })

    test("several are meant where an address could name one, which its whole id does", async () => {
      const state = async (label: string) => JSON.parse((await rest(`GET /parcels/${label}`)).body).state
      const several = await rest("POST /parcels/transitions/send?ids=box")
      assert.deepEqual(
        JSON.parse(several.body).data.map(({ label }: { label: string }) => label),
        ["box"],
      )
      assert.equal(await state("transitions"), "here")
      await rest("POST /parcels/parcel_transitions/transitions/send")
      assert.equal(await state("transitions"), "gone")
    })
  })
