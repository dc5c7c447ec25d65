// What is told to whoever asks of what `db` refuses to code that is lent roles: nothing that they may not see.
import assert from "node:assert/strict"
import { after, describe, test } from "node:test"
import {
  f,
  hook,
  only,
  operation,
  problem,
  resource,
  role,
  service,
  signedIn,
  withCode,
} from "../../src/index.ts"
import { cleanUp } from "../support/database.ts"
import { dialects } from "../support/open-service.ts"
import { openCode } from "./open.ts"

const hooks = cleanUp(after)
const staff = role("staff")
const seen: string[] = []

const shop = withCode(
  service({
    name: "shop",
    roles: ["staff"],
    resources: {
      order: resource({
        id: "ord",
        fields: { name: f.text({ unique: true }) },
        states: {
          initial: "open",
          final: "paid",
          transitions: { pay: { from: "open", to: "paid", allow: signedIn } },
        },
        allow: { read: [staff, only(["name"], signedIn)], create: staff },
      }),
      payment: resource({
        id: "pay",
        fields: { of: f.text() },
        allow: { read: signedIn, create: signedIn },
      }),
      refund: resource({
        id: "ref",
        fields: { of: f.text() },
        allow: { read: signedIn, create: signedIn },
      }),
    },
  }),
  {
    before: {
      payment: {
        create: hook({
          as: { roles: ["staff"] },
          run: async ({ db, new: payment, actor }) => {
            seen.push(actor.roles.join())
            await db.order.fire(payment.of, "pay")
          },
        }),
      },
      refund: {
        create: async ({ db, new: refund }) => void (await db.order.fire(refund.of, "pay")),
      },
    },
    operations: {
      pay: operation({
        allow: signedIn,
        as: { roles: ["staff"] },
        input: { which: f.text() },
        async run({ db, input }) {
          await db.order.fire(input.which, "pay")
        },
      }),
      payOwn: operation({
        allow: signedIn,
        input: { which: f.text() },
        async run({ db, input }) {
          await db.order.fire(input.which, "pay")
        },
      }),
      payInWords: operation({
        allow: signedIn,
        as: { roles: ["staff"] },
        input: { which: f.text() },
        async run({ db, input }) {
          await db.order.fire(input.which, "pay").catch((error: Error) => {
            seen.push(error.message)
            throw problem("conflict", "It is too late.")
          })
        },
      }),
    },
  },
)

interface Told {
  readonly code: string
  readonly detail: string
}

for (const database of dialects)
  describe(`code that is lent roles on ${database}`, () => {
    test("tells whoever asks what kind of thing was refused, and of no state that they do not see", async () => {
      const opened = await openCode(hooks, shop, database)
      const { order: [id] = [] } = await opened.add({ order: [{ name: "a" }] })
      const asked = opened.as("signedIn")
      assert.equal((await asked.rest("POST", "/actions/pay", { which: id })).status, 204)
      const call = async (name: string, who = asked) =>
        (await who.rest<Told>("POST", `/actions/${name}`, { which: id })).body
      const refused = await call("pay")
      assert.deepEqual(
        [refused.code, refused.detail],
        ["illegal_transition", "Transition not possible in this state."],
      )
      assert.ok(!JSON.stringify(refused).includes("paid"), JSON.stringify(refused))
      const { withheld } = await asked.rest("POST", "/actions/pay", { which: id })
      assert.equal(withheld?.message, "The code of pay was refused.")
      assert.match(withheld?.problems[0]?.message ?? "", /here it is paid/)
      const { withheld: byGraphql } = await asked.graphql(
        "mutation ($which: String!) { pay(input: { which: $which }) { __typename } }",
        { which: id },
      )
      assert.deepEqual(byGraphql?.problems, withheld?.problems)
      assert.equal("withheld" in (await asked.rest("POST", "/actions/pay-own", { which: id })), false)
      const own = await call("pay-own")
      assert.equal(own.detail, "`pay` is not possible with this order as it is.")
      assert.match((await call("pay-own", opened.as("role:staff"))).detail, /here it is paid/)
      const said = await call("pay-in-words")
      assert.deepEqual([said.code, said.detail], ["conflict", "It is too late."])
      assert.match(seen.at(-1) ?? "", /here it is paid/)
    })

    test("is a hook as well, which knows its caller", async () => {
      const opened = await openCode(hooks, shop, database)
      const { order: [id] = [] } = await opened.add({ order: [{ name: "a" }] })
      const asked = opened.as("signedIn")
      const make = (path: string) => asked.rest<Told>("POST", path, { of: id })
      assert.equal((await make("/payments")).status, 201)
      assert.equal(seen.at(-1), "")
      const { body, withheld } = await make("/payments")
      assert.deepEqual(
        [body.code, body.detail],
        ["illegal_transition", "Transition not possible in this state."],
      )
      assert.match(withheld?.problems[0]?.message ?? "", /here it is paid/)
      const own = await make("/refunds")
      assert.equal(own.body.detail, "`pay` is not possible with this order as it is.")
    })
  })
