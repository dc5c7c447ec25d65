// Lists of `db` in order; a wrong form of the order is a fault of the code, which the client does not see.
import assert from "node:assert/strict"
import { test } from "node:test"
import { inspect } from "node:util"
import { f, operation, resource, service, signedIn, withCode } from "../../src/index.ts"
import { dialects } from "../support/open-service.ts"
import { openCode } from "./open.ts"

const wrong = [{ field: "number", direction: "DESC" }] as never
const shop = withCode(
  service({
    name: "shop",
    resources: { order: resource({ id: "ord", fields: { number: f.text() }, allow: { read: signedIn } }) },
  }),
  {
    operations: {
      newest: operation({
        allow: signedIn,
        input: { wrongly: f.boolean({ optional: true }) },
        output: { numbers: f.list(f.text()) },
        async run({ db, input }) {
          assert.equal(await db.order.get("ord_none"), null)
          const { data } = await db.order.list({ orderBy: input.wrongly ? wrong : ["-number"] })
          return { numbers: data.map(({ number }) => number) }
        },
      }),
    },
  },
)

for (const database of dialects)
  test(`the order of a list is said by names (${database})`, async (context) => {
    const { add, as, faults } = await openCode(context, shop, database)
    await add({ order: [{ number: "1" }, { number: "2" }] })
    const ask = (input: object) => as("signedIn").rest<object>("POST", "/actions/newest", input)
    assert.deepEqual((await ask({})).body, { numbers: ["2", "1"] })
    const { status, body } = await ask({ wrongly: true })
    assert.equal(status, 500)
    assert.doesNotMatch(JSON.stringify(body), /orderBy|object Object/)
    assert.match(inspect(faults), /`orderBy` of `db.order.list` takes names/)
  })
