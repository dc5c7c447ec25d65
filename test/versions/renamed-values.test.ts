// The log keeps up with values of enumerations that are renamed: readers of an entry have the value of today, or that of their version.
import assert from "node:assert/strict"
import { after, describe, test } from "node:test"
import { actorFromText } from "../../src/access/identity/actor-text.ts"
import { withVersions } from "../../src/access/identity/identify.ts"
import { createEventIds } from "../../src/events/log/event-ids.ts"
import { createMessages } from "../../src/events/sinks/message.ts"
import { anyone, f, handler, resource, service, withCode } from "../../src/index.ts"
import type { ServiceDeclaration } from "../../src/model/declaration/declaration.ts"
import { load } from "../../src/model/load.ts"
import { withSystem } from "../../src/model/system/with-system.ts"
import { openServer } from "../feed/open.ts"
import { emptyDatabase, openVersion } from "../log/versions.ts"
import { cleanUp } from "../support/database.ts"
import { dialects } from "../support/open-service.ts"

const hooks = cleanUp(after)
const [first, second] = ["2026-01-01", "2026-06-01"] as const

/** Before the values were renamed, and since. */
const desk = (isNew: boolean): ServiceDeclaration =>
  service({
    name: "desk",
    enums: {
      priority: isNew
        ? { values: ["normal", "urgent"], formerly: { urgent: ["high", "highest"] } }
        : { values: ["normal", "high", "highest"] },
      reason: isNew
        ? { values: ["spam", "answered"], formerly: { answered: "done" } }
        : { values: ["spam", "done"] },
    },
    versions: isNew
      ? {
          [second]: [
            { renamed: "ticket.priority.high", to: "urgent" },
            { renamed: "ticket.kind.bug", to: "fault" },
          ],
          [first]: [],
        }
      : { [first]: [] },
    resources: {
      ticket: resource({
        id: "tkt",
        history: true,
        fields: {
          priority: f.oneOf("priority", { default: "normal" }),
          ...(isNew
            ? {
                kind: f.oneOf(["question", "fault"], { was: "about", formerly: { fault: "bug" } }),
              }
            : { about: f.oneOf(["question", "bug"]) }),
        },
        states: {
          status: {
            initial: "open",
            transitions: { close: { from: "open", to: "closed", input: { reason: f.oneOf("reason") } } },
          },
        },
        allow: { read: anyone, create: anyone, update: anyone },
      } as never),
    },
  } as never) as ServiceDeclaration

interface Called {
  readonly event: { readonly type: string; readonly input: object | null; readonly changes: object }
}

const change = (field: string, from: string | null, to: string | null) => ({ field, from, to })

for (const database of dialects)
  describe(`values that are renamed on ${database}`, () => {
    test("are today's, or the version's, in histories, events, conditions, handlers and sinks", async () => {
      const url = await emptyDatabase(hooks, database)
      const heard: Called["event"][] = []
      const followed = (isNew: boolean) =>
        withCode(desk(isNew), {
          on: {
            "ticket.*": handler({
              name: "tell",
              run: (({ event }: Called) => {
                if (!isNew) throw new Error("not yet")
                heard.push(event)
              }) as never,
            }),
          },
        } as never)
      const before = await openVersion(url, followed(false))
      const waiting = await before.start()
      const made = { priority: "high", about: "bug" }
      const { body } = await before.client.rest<{ id: string }>("POST", "/tickets", made)
      const path = `/tickets/${body.id}`
      for (const priority of ["normal", "highest"])
        assert.equal((await before.client.rest("PATCH", path, { priority })).status, 200)
      await before.client.rest("POST", `${path}/transitions/close`, { reason: "done" })
      assert.ok((await waiting.settled()).length > 0)
      await before.close()

      const since = await openVersion(url, followed(true))
      const running = await since.start(() => Date.now() + 3_600_000)
      assert.deepEqual(await running.settled(), [])
      assert.deepEqual(
        heard.map(({ changes, input }) => [changes, input]),
        [
          [
            {
              priority: { from: null, to: "urgent" },
              kind: { from: null, to: "fault" },
              status: { from: null, to: "open" },
            },
            null,
          ],
          [{ priority: { from: "urgent", to: "normal" } }, null],
          [{ priority: { from: "normal", to: "urgent" } }, null],
          [{ status: { from: "open", to: "closed" } }, { reason: "answered" }],
        ],
      )
      const { log } = since.storage
      assert.ok(log)
      const messages = createMessages(load(desk(true)), createEventIds("of the tests", "desk"))
      const sent = (await log.read(0n, 10)).map(
        (row) =>
          JSON.parse(messages.of(row)?.body ?? "null") as {
            readonly input: object | null
            readonly changes: readonly { readonly field: string }[]
          },
      )
      assert.deepEqual(
        sent.map(({ changes }) => changes.filter(({ field }) => field !== "status")),
        [
          [change("priority", null, "urgent"), change("kind", null, "fault")],
          [change("priority", "urgent", "normal")],
          [change("priority", "normal", "urgent")],
          [],
        ],
      )
      assert.deepEqual(sent.at(-1)?.input, { reason: "answered" })
      await since.close()

      const model = load(withSystem(desk(true)))
      const server = await openServer(
        hooks,
        url,
        model,
        {},
        {
          identify: withVersions(() => actorFromText(model, "anyone"), model),
        },
      )
      const kind = "kind"
      for (const [version, urgent, fault] of [
        [second, "urgent", "fault"],
        [first, "high", "bug"],
      ] as const) {
        const ask = async (path: string, body?: object) => {
          const answer = await fetch(`${server.url}${path}`, {
            ...(body && { method: "POST", body: JSON.stringify(body) }),
            headers: { "api-version": version, "content-type": "application/json" },
          })
          const text = await answer.text()
          assert.equal(answer.status, 200, text)
          return JSON.parse(text)
        }
        const changes = [
          [change("priority", null, urgent), change(kind, null, fault)],
          [change("priority", urgent, "normal")],
          [change("priority", "normal", urgent)],
          [],
        ].map((all) => all.toSorted((a, b) => a.field.localeCompare(b.field)))
        const shown = (entries: readonly { readonly changes: readonly { readonly field: string }[] }[]) =>
          entries.map((entry) =>
            entry.changes
              .filter(({ field }) => field !== "status")
              .toSorted((a, b) => a.field.localeCompare(b.field)),
          )
        const { data } = await ask("/events")
        assert.deepEqual(shown(data), changes)
        assert.deepEqual(data.at(-1).input, { reason: "answered" })
        const query = "{ tickets { nodes { history { nodes { changes input } } } } }"
        const [{ history }] = (await ask("/graphql", { query })).data.tickets.nodes
        assert.deepEqual(shown(history.nodes), changes)
        const filtered = await ask(
          `/events?resource=ticket&filter[priority]=${urgent}&filter[${kind}]=${fault}`,
        )
        assert.deepEqual(
          filtered.data.map(({ kind: met }: { readonly kind: string }) => met),
          ["CREATED", "LEFT", "ENTERED", "UPDATED"],
        )
      }
      await server.end()
    })
  })
