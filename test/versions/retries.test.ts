// Keys of writes and cursors that a client has of a version stay good when a newer one comes into use.
import assert from "node:assert/strict"
import { after, describe, test } from "node:test"
import { withVersions } from "../../src/access/identity/identify.ts"
import { anyone, f, resource, service } from "../../src/index.ts"
import { load } from "../../src/model/load.ts"
import type { Model } from "../../src/model/model.ts"
import { withSystem } from "../../src/model/system/with-system.ts"
import { strangerTo } from "../../src/plan/access/actor.ts"
import { openDatabase, openServer } from "../feed/open.ts"
import { cleanUp } from "../support/database.ts"
import { dialects } from "../support/open-service.ts"

const declare = (versions: object, resourceName: string, name: string): Model =>
  load(
    withSystem(
      service({
        name: "notes",
        versions: versions as never,
        resources: {
          [resourceName]: resource({
            id: "nte",
            table: "note",
            history: true,
            fields: { [name]: f.text({ column: "text" }) },
            allow: { read: anyone, create: anyone, update: anyone },
          }),
        },
      }),
    ),
  )

const before = declare({ "2026-01-01": [] }, "note", "text")
const renamed = [
  { renamed: "note", to: "remark" },
  { renamed: "remark.text", to: "body" },
]
const since = declare({ "2026-07-01": renamed, "2026-01-01": [] }, "remark", "body")

for (const database of dialects)
  describe(`what a client has of a version on ${database}`, () => {
    const hooks = cleanUp(after)
    const serve = async (url: string, model: Model) =>
      await openServer(hooks, url, model, {}, { identify: withVersions(() => strangerTo(model), model) })

    test("has a write answered as before when it is sent again after a newer one has come, by both faces", async () => {
      const url = await openDatabase(hooks, database, before)
      const [old, fresh] = [await serve(url, before), await serve(url, since)]
      const mutation = 'mutation { createNote(input: { text: "a" }) { note { id text } } }'
      for (const [path, body] of [
        ["/notes", { text: "a" }],
        ["/graphql", { query: mutation }],
        ["/batch", { requests: [{ method: "POST", path: "/notes", body: { text: "a" } }] }],
      ] as const) {
        const key = crypto.randomUUID()
        const send = async (base: string, version: string) => {
          const answer = await fetch(`${base}${path}`, {
            method: "POST",
            headers: { "content-type": "application/json", "idempotency-key": key, "api-version": version },
            body: JSON.stringify(body),
          })
          const { status, headers } = answer
          return { status, replayed: headers.get("idempotency-replayed"), text: await answer.text() }
        }
        const first = await send(old.url, "2026-01-01")
        assert.equal(first.replayed, null)
        assert.deepEqual(await send(fresh.url, "2026-01-01"), { ...first, replayed: "true" }, path)
        assert.deepEqual(await send(old.url, "2026-01-01"), { ...first, replayed: "true" }, path)
        const other = await send(fresh.url, "2026-07-01")
        assert.match(
          other.text,
          /idempotency_mismatch|unknown_field|invalid_document|not_found|unauthenticated/,
          path,
        )
      }
    })

    test("goes on with its pages, and not with those of another version", async () => {
      const url = await openDatabase(hooks, database, before)
      const [old, fresh] = [await serve(url, before), await serve(url, since)]
      const call = async (base: string, version: string, path: string, body?: object) => {
        const answer = await fetch(`${base}${path}`, {
          method: body ? "POST" : "GET",
          headers: { "content-type": "application/json", "api-version": version },
          ...(body && { body: JSON.stringify(body) }),
        })
        return (await answer.json()) as {
          readonly data: readonly { readonly id: string }[]
          readonly page: { readonly next: string | null }
        }
      }
      for (const text of ["a", "b", "c"]) await call(old.url, "2026-01-01", "/notes", { text })
      const texts = async (base: string, version: string, path: string): Promise<string> =>
        JSON.stringify(await call(base, version, path)).replaceAll(/"(next|prev)":"[^"]+"/g, "$1")
      const lists = ["/notes?sort=-text&limit=1", "/notes?limit=1"]
      const {
        data: [first],
      } = await call(old.url, "2026-01-01", lists[0] ?? "")
      const id = first?.id
      await fetch(`${old.url}/notes/${id}`, {
        method: "PATCH",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ text: "d" }),
      })
      lists.push(`/notes/${id}/history?limit=1`)
      for (const list of lists) {
        const { next } = (await call(old.url, "2026-01-01", list)).page
        assert.ok(next !== null, list)
        const path = `${list}&after=${encodeURIComponent(next)}`
        const expected = await texts(old.url, "2026-01-01", path)
        assert.match(expected, /"data":\[\{/, list)
        assert.equal(await texts(fresh.url, "2026-01-01", path), expected, list)
        const other = path.replace("notes", "remarks").replace("text", "body")
        assert.match(await texts(fresh.url, "2026-07-01", other), /invalid_cursor/, list)
      }
    })
  })
