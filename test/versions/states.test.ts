// A field of states that was renamed: older versions fire, read and are refused by its former name.
import assert from "node:assert/strict"
import { after, describe, test } from "node:test"
import { createIdentify } from "../../src/access/identity/identify.ts"
import { anyone, f, resource, service } from "../../src/index.ts"
import { load } from "../../src/model/load.ts"
import { withSystem } from "../../src/model/system/with-system.ts"
import { openDatabase, openServer } from "../feed/open.ts"
import { cleanUp } from "../support/database.ts"

const declared = service({
  name: "shop",
  versions: { "2026-06-01": [{ renamed: "order.phase", to: "status" }], "2026-01-01": [] },
  resources: {
    order: resource({
      id: "ord",
      history: true,
      fields: { number: f.text() },
      states: {
        status: { initial: "placed", transitions: { pay: { from: "placed", to: "paid", allow: anyone } } },
      },
      allow: { read: anyone, create: anyone, update: anyone },
    }),
  },
})

for (const database of ["sqlite", "postgres"] as const)
  describe(`a renamed field of states on ${database}`, () => {
    const hooks = cleanUp(after)

    test("has its former name in an older version", async () => {
      const model = load(withSystem(declared))
      const url = await openDatabase(hooks, database, model)
      const answer = () => Promise.reject(new Error("nobody has a key"))
      const identify = createIdentify({ model, answer, writes: false })
      const server = await openServer(hooks, url, model, {}, { identify })
      const send = async (version: string, method: string, path: string, body?: object) => {
        const answered = await fetch(`${server.url}${path}`, {
          method,
          headers: { "content-type": "application/json", "api-version": version },
          ...(body && { body: JSON.stringify(body) }),
        })
        return { status: answered.status, body: (await answered.json()) as Readonly<Record<string, unknown>> }
      }
      const [old, now] = ["2026-01-01", "2026-06-01"]
      const made = await send(old, "POST", "/orders", { number: "A-1" })
      assert.deepEqual(server.observed, [])
      assert.deepEqual([made.status, made.body["phase"], made.body["status"]], [201, "placed", undefined])
      const path = `/orders/${String(made.body["id"])}`
      const possible = await send(old, "GET", `${path}?fields=phase,transitions`)
      assert.deepEqual(
        (possible.body["transitions"] as { name: string; allowed: boolean }[]).map((one) => [
          one.name,
          one.allowed,
        ]),
        [["pay", true]],
      )
      const paid = await send(old, "POST", `${path}/transitions/pay`)
      assert.deepEqual([paid.status, paid.body["phase"]], [200, "paid"])
      const again = await send(old, "POST", `${path}/transitions/pay`)
      assert.deepEqual(
        [again.status, again.body["detail"]],
        [409, "`pay` is possible only where `phase` is placed; here it is paid."],
      )
      assert.equal((await send(now, "GET", path)).body["status"], "paid")
      const { body } = await send(old, "GET", `${path}?include=history&fields=phase`)
      const { data } = body["history"] as { data: { to: string; changes: { field: string }[] }[] }
      assert.deepEqual(
        data.map(({ to, changes }) => [to, changes.map(({ field }) => field)]),
        [
          [null, ["number", "phase"]],
          ["paid", ["phase"]],
        ],
      )
      assert.deepEqual(server.observed, [])
    })
  })
