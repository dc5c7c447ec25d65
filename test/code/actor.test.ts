// What own code is told of whoever asks is its own: nothing that it does to it is seen by anybody else.
import assert from "node:assert/strict"
import { test } from "node:test"
import { f, operation, resource, service, signedIn, withCode } from "../../src/index.ts"
import { openCode } from "./open.ts"

const staffed = withCode(
  service({
    name: "staffed",
    roles: ["staff"],
    scopes: ["admin"],
    resources: { note: resource({ id: "not", fields: { text: f.text() }, allow: { read: signedIn } }) },
  }),
  {
    operations: {
      grab: operation({
        allow: signedIn,
        output: { had: f.json() },
        run({ actor }) {
          const had = [...actor.roles, ...actor.scopes]
          ;(actor.roles as string[]).push("staff")
          ;(actor.scopes as string[]).push("admin")
          return { had }
        },
      }),
    },
  },
)

test("roles that own code adds to its actor are nobody's", async (t) => {
  const opened = await openCode(t, staffed, "sqlite")
  for (const had of [[], []]) {
    const { body } = await opened.as("signedIn").rest<{ had: string[] }>("POST", "/actions/grab", {})
    assert.deepEqual(body, { had })
  }
})
