// A literal that its scalar does not take is refused at its place in the document, for the scalars of GraphQL and for ours.
import assert from "node:assert/strict"
import { test } from "node:test"
import { anyone, f, resource, service } from "../../src/index.ts"
import { type ScalarName, scalars } from "../../src/model/scalars.ts"
import { startService } from "../../src/tools/testing/start-service.ts"

/** A `json` takes every literal; a `oneOf` is an enumeration of its own. */
const fields = {
  text: f.text(),
  email: f.email(),
  url: f.url(),
  slug: f.slug(),
  integer: f.integer(),
  int64: f.int64(),
  float: f.float(),
  decimal: f.decimal({ precision: 9, scale: 2 }),
  boolean: f.boolean(),
  date: f.date(),
  time: f.time(),
  timestamp: f.timestamp(),
  uuid: f.uuid(),
  bytes: f.bytes(),
  oneOf: f.oneOf(["a", "b"]),
} satisfies Partial<Record<ScalarName, unknown>>

test("a wrong literal is located, whatever scalar it is of", async (context) => {
  const note = resource({ id: "not", fields, allow: { read: anyone, create: anyone } })
  const { anyone: client, close } = await startService(service({ name: "desk", resources: { note } }))
  context.after(close)
  const tried = Object.keys(fields)
  assert.deepEqual(new Set([...tried, "json"]), new Set(Object.keys(scalars)))
  for (const name of tried)
    for (const [before, after] of [
      [`mutation { createNote(input: { ${name}: `, " }) { note { id } } }"],
      [`query ($v: NoteCreateInput = { ${name}: `, " }) { __typename }"],
      ...(name === "bytes" ? [] : [[`{ notes(where: { ${name}: { eq: `, " } }) { totalCount } }"] as const]),
    ] as const) {
      const { errors } = await client.graphql(`${before}{ a: 1 }${after}`)
      const located = errors.filter(
        ({ locations }) => locations?.[0]?.line === 1 && locations[0].column === before.length + 1,
      )
      assert.ok(located.length > 0, `${name}: ${JSON.stringify(errors)}`)
    }
})
