// How many calls a warm delivery of a webhook takes beside an idle process: Bifold's own questions are prepared once. The bound
// only shrinks.
import assert from "node:assert/strict"
import { once } from "node:events"
import { writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { test } from "node:test"
import { setTimeout as sleep } from "node:timers/promises"
import { startWatched } from "../../scripts/walk/walk.mjs"
import { temporaryFolder } from "../support/database.ts"

const service = `import { anyone, f, resource, role, service } from "bifold"
export default service({
  name: "notes", roles: ["staff"], webhooks: { manage: role("staff"), networks: ["127.0.0.0/8"] },
  resources: { note: resource({ fields: { text: f.text() }, history: true, allow: { read: anyone, create: anyone } }) },
})
`

test("a warm delivery of a webhook takes few calls", async (context) => {
  let received = 0
  const hook = createServer((message, response) => {
    message.resume().on("end", () => {
      received++
      response.end()
    })
  }).listen(0, "127.0.0.1")
  await once(hook, "listening")
  context.after(() => void hook.close().closeAllConnections())
  const { port } = hook.address() as AddressInfo
  const path = join(await temporaryFolder(context), "service.ts")
  writeFileSync(path, service)
  const { ask, recorded, end } = await startWatched({ service: [path, "--dev"] })
  context.after(end)
  const deliver = async (): Promise<void> => {
    const before = received
    const made = await ask({ method: "POST", path: "/notes", body: JSON.stringify({ text: `${before}` }) })
    assert.equal(made.status, 201)
    while (received === before) await sleep(20)
    // The delivery is written down.
    await sleep(500)
  }
  const endpoint = { url: `http://127.0.0.1:${port}/`, types: ["note.*"] }
  const { status } = await ask({ method: "POST", path: "/webhook-endpoints", body: JSON.stringify(endpoint) })
  assert.equal(status, 201)
  for (let count = 0; count < 10; count++) await deliver()
  const own: number[] = []
  for (let count = 0; own.length < 5 && count < 20; count++) {
    const begun = performance.now()
    const { entered } = await recorded(deliver)
    const idle = await recorded(() => sleep(performance.now() - begun))
    // A busy machine takes longer than the pause.
    const isWhole = ["addDelivery", "judge"].every((name) => entered.some((one) => one.name === name))
    if (isWhole) own.push(entered.length - idle.entered.length)
  }
  assert.equal(own.length, 5)
  // A busy machine, and an idle process that did more in a while as long, change single counts: the second least is looked at.
  const [, least = Number.POSITIVE_INFINITY] = own.toSorted((one, other) => one - other)
  context.diagnostic(`${own.join(", ")} calls`)
  assert.ok(least <= 2_000, `${least} calls`)
})
