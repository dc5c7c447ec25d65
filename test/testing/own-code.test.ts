// The time of a test's service reaches its own code: actions, hooks, computed fields and handlers.
import assert from "node:assert/strict"
import { test } from "node:test"
import { action, anyone, computed, f, operation, resource, service, withCode } from "../../src/index.ts"
import { startService } from "../../src/tools/testing/start-service.ts"

const seen: string[] = []
const all = { read: anyone, create: anyone, update: anyone }

const diary = withCode(
  service({
    name: "diary",
    resources: {
      page: resource({
        id: "pag",
        fields: { text: f.text(), day: f.text({ optional: true, readonly: true }) },
        history: true,
        allow: all,
      }),
    },
  }),
  {
    actions: {
      page: {
        stamp: action({
          allow: anyone,
          output: { at: f.text() },
          run: ({ now }) => ({ at: now.toISOString() }),
        }),
      },
    },
    operations: { talks: operation({ allow: anyone, run: () => ({ more: 1 }) }) },
    before: { page: { create: ({ now }) => ({ day: now.toISOString().slice(0, 10) }) } },
    computed: {
      page: {
        age: computed({
          type: f.integer(),
          needs: ["text"],
          run: (pages, { now }) => pages.map(() => now.getUTCFullYear()),
        }),
      },
    },
    on: {
      "page.created": ({ now }) => {
        seen.push(now.toISOString())
      },
    },
  },
)

test("own code has the time of the service's clock", async () => {
  await using service = await startService(diary, { now: "2031-05-06T07:08:09Z" })
  const made = await service.anyone.rest<{ id: string; day: string }>("POST", "/pages", {
    text: "One",
  })
  assert.equal(made.body.day, "2031-05-06")
  service.clock.advance({ days: 366 })
  const { body } = await service.anyone.rest<{ age: number }>("GET", `/pages/${made.body.id}?fields=age`)
  assert.equal(body.age, 2032)
  const stamp = await service.anyone.rest("POST", `/pages/${made.body.id}/actions/stamp`)
  assert.deepEqual(stamp.body, { at: "2032-05-06T07:08:09.000Z" })
  await service.settled()
  assert.ok(seen[0]?.startsWith("203"), seen[0])
})

test("an operation without an output that gives something is at fault", async () => {
  await using service = await startService(diary)
  await assert.rejects(service.anyone.rest("POST", "/actions/talks"), /declares no output/)
})
