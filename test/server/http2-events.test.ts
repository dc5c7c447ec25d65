// A stream of events by HTTP/2: each event arrives when it happens, beside other requests of the same connection.
import assert from "node:assert/strict"
import { once } from "node:events"
import { writeFileSync } from "node:fs"
import { connect } from "node:http2"
import { join } from "node:path"
import { test } from "node:test"
import { serving } from "../cli/run.ts"
import { temporaryFolder } from "../support/database.ts"

const service = `import { anyone, f, resource, service } from "bifold"
export default service({
  name: "shop",
  resources: {
    product: resource({ fields: { name: f.text() }, history: true, allow: { read: anyone, create: anyone } }),
  },
})
`

test("events arrive as they happen, and the stream ends with the server", async (t) => {
  const folder = await temporaryFolder(t)
  const file = join(folder, "service.ts")
  writeFileSync(file, service)
  const server = await serving([file, "--database", join(folder, "shop.db"), "--dev", "--h2c"])
  t.after(() => server.end())
  const session = connect(server.url)
  session.on("error", () => {})
  t.after(() => session.destroy())
  const stream = session.request({ ":path": "/events/stream", accept: "text/event-stream" })
  let text = ""
  stream.setEncoding("utf8").on("data", (piece: string) => {
    text += piece
  })
  const [head] = (await once(stream, "response")) as [Record<string, unknown>]
  assert.equal(head[":status"], 200)
  while (!text.includes("id: ")) await once(stream, "data")
  for (const name of ["first", "second"]) {
    const post = session.request({
      ":method": "POST",
      ":path": "/products",
      "content-type": "application/json",
    })
    post.end(JSON.stringify({ name }))
    const [answered] = (await once(post, "response")) as [Record<string, unknown>]
    assert.equal(answered[":status"], 201)
    post.resume()
    while (!text.includes(`"to":"${name}"`)) await once(stream, "data")
  }
  assert.equal(text.match(/"kind":"CREATED"/g)?.length, 2)
  const ended = once(stream, "close")
  assert.equal((await server.end()).code, 0)
  await ended
})
