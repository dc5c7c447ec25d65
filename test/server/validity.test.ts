// The validity of a server's certificate: what is reported of it, and when.
import assert from "node:assert/strict"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { it } from "node:test"
import { setTimeout as sleep } from "node:timers/promises"
import type { Observation } from "../../src/server/observation.ts"
import { validityState, watchValidity } from "../../src/server/transports/certificate.ts"
import { serving } from "../cli/run.ts"
import { makeDated } from "../support/certificates.ts"
import { temporaryFolder } from "../support/database.ts"
import { freePort } from "../support/free-port.ts"

const day = 86_400_000

it("is good until the last fortnight, or the last sixth of its time", () => {
  const state = (length: number, left: number) =>
    validityState({ from: new Date(0), until: new Date(length * day) }, (length - left) * day)
  assert.deepEqual(state(90, 91), { kind: "outdated" }, "not yet")
  assert.deepEqual(state(90, 90), { kind: "valid" })
  assert.deepEqual(state(90, 14.1), { kind: "valid" })
  assert.deepEqual(state(90, 14), { kind: "expiring", days: 14 })
  assert.deepEqual(state(90, 0.1), { kind: "expiring", days: 1 })
  assert.deepEqual(state(90, 0), { kind: "outdated" })
  assert.deepEqual(state(6, 1.1), { kind: "valid" })
  assert.deepEqual(state(6, 1), { kind: "expiring", days: 1 })
})

it("is reported each day, and once when it ends", async (context) => {
  const observed: Observation[] = []
  let now = 86 * day
  const until = new Date(90 * day)
  let valid = { from: new Date(0), until }
  const watch = watchValidity(
    () => valid,
    (one) => void observed.push(one),
    { every: 1, now: () => now },
  )
  context.after(watch.end)
  await sleep(20)
  for (; now <= 92 * day; now += day / 4) await sleep(20)
  assert.deepEqual(
    observed.map((one) => (one.kind === "expiring" ? one.days : one.kind)),
    [4, 3, 2, 1, "outdated"],
  )
  valid = { from: new Date(0), until: new Date(300 * day) }
  watch.look()
  assert.equal(observed.length, 5)
})

it("is in the log and in the metrics of a process", async (context) => {
  const cwd = await temporaryFolder(context)
  const database = new DatabaseSync(join(cwd, "shop.db"))
  database.exec("CREATE TABLE book (id INTEGER PRIMARY KEY)")
  database.close()
  const until = new Date(Math.floor(Date.now() / 1_000) * 1_000 + 5 * day - 60_000)
  const { cert, key } = await makeDated(cwd, new Date(until.getTime() - 90 * day), until)
  const port = await freePort()
  const tls = ["--tls-cert", cert, "--tls-key", key]
  for (const workers of ["1", "2"]) {
    const server = await serving(
      ["shop.db", "--open", "read", ...tls, "--metrics", String(port), "--workers", workers],
      { cwd },
    )
    context.after(async () => void (await server.end("SIGKILL")))
    const figures = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
    assert.match(
      figures,
      new RegExp(`^bifold_certificate_expiry_timestamp_seconds ${until.getTime() / 1_000}$`, "m"),
    )
    const { stderr } = await server.end()
    assert.ok(stderr.includes(`The certificate expires within 5 days, at ${until.toISOString()}`), stderr)
  }
})
