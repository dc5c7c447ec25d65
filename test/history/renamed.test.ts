// What was kept of a record under former names is its history still: of members, and of the resource itself.
import assert from "node:assert/strict"
import { after, describe, test } from "node:test"
import { anyone, f, one, resource, role, service } from "../../src/index.ts"
import { databases } from "../log/open.ts"
import { emptyDatabase, openVersion } from "../log/versions.ts"
import { cleanUp } from "../support/database.ts"
import type { ShownEntry } from "../support/naive-history.ts"

const hooks = cleanUp(after)
const allow = { read: anyone, create: anyone, update: anyone, delete: anyone }
const town = resource({ id: "twn", fields: { name: f.text() }, allow })

type Entries = readonly Pick<ShownEntry, "version" | "type" | "changes">[]

interface Read {
  readonly id: string
  readonly history: { readonly data: Entries }
}

const first = service({
  name: "board",
  resources: {
    town,
    note: resource({ fields: { text: f.text() }, relations: { town: one("town") }, history: true, allow }),
  },
})

for (const database of databases)
  describe(`history after a rename on ${database}`, { concurrency: true }, () => {
    /** A note that was made and moved to another town. */
    const begin = async (): Promise<{ url: string; towns: readonly string[] }> => {
      const url = await emptyDatabase(hooks, database)
      const { client, close } = await openVersion(url, first)
      const towns: string[] = []
      for (const name of ["A", "B"])
        towns.push((await client.rest<{ id: string }>("POST", "/towns", { name })).body.id)
      const made = await client.rest<{ id: string }>("POST", "/notes", { text: "hello", townId: towns[0] })
      assert.equal(made.status, 201, JSON.stringify(made.body))
      const moved = await client.rest("PATCH", `/notes/${made.body.id}`, { townId: towns[1] })
      assert.equal(moved.status, 200)
      await close()
      return { url, towns }
    }

    test("shows a reference by the name that its relation has today, however often it was renamed", async () => {
      const { url, towns } = await begin()
      const [from, to] = towns
      const renamed = (name: "place" | "spot", ...was: readonly [string, ...string[]]) =>
        service({
          name: "board",
          resources: {
            town,
            note: resource({
              fields: { body: f.text({ was: "text" }) },
              relations: { [name]: one("town", { was }) },
              history: true,
              allow,
            }),
          },
        })
      for (const [version, name] of [
        [renamed("place", "town"), "placeId"],
        [renamed("spot", "place", "town"), "spotId"],
      ] as const) {
        const { client, close } = await openVersion(url, version)
        const { body } = await client.rest<{ data: readonly Read[] }>("GET", "/notes?include=history")
        assert.deepEqual(
          body.data[0]?.history.data.map(({ changes }) => changes),
          [
            [
              { field: "body", from: null, to: "hello" },
              { field: name, from: null, to: from },
            ],
            [{ field: name, from, to }],
          ],
        )
        await close()
      }
    })

    test("shows what was a reference to nobody who does not see the field that has its name today", async () => {
      const { url } = await begin()
      const { client, close } = await openVersion(
        url,
        service({
          name: "board",
          roles: ["staff"],
          resources: {
            town,
            note: resource({
              fields: {
                text: f.text(),
                townId: f.text({ column: "hidden", optional: true, read: role("staff") }),
              },
              relations: { place: one("town", { was: "town" }) },
              history: true,
              allow,
            }),
          },
        }),
      )
      const { body } = await client.rest<{ data: readonly Read[] }>("GET", "/notes?include=history")
      assert.deepEqual(
        body.data[0]?.history.data.map(({ changes }) => changes.map(({ field }) => field)),
        [["text"], []],
      )
      await close()
    })

    test("is whole after the resource was renamed, and renamed again", async () => {
      const { url } = await begin()
      const renamed = (name: "memo" | "letter", was: string) =>
        service({
          name: "board",
          resources: {
            town,
            [name]: resource({
              was,
              fields: { text: f.text() },
              relations: { town: one("town") },
              history: true,
              allow,
            }),
          },
        })
      for (const [index, [version, name, path]] of (
        [
          [renamed("memo", "note"), "memo", "memos"],
          [renamed("letter", "memo"), "letter", "letters"],
        ] as const
      ).entries()) {
        const { client, steps, close } = await openVersion(url, version)
        assert.ok(steps.includes(`rename:${name}`), steps.join())
        const all = await client.rest<{ data: readonly Read[] }>("GET", `/${path}?include=history`)
        const [record] = all.body.data
        assert.deepEqual(
          record?.history.data.map(({ type, version: of }) => [of, type]),
          [["1", "created"], ...Array.from({ length: index + 1 }, (_, at) => [`${at + 2}`, "updated"])].map(
            ([of, kind]) => [of, `${name}.${kind}`],
          ),
        )
        assert.deepEqual(record?.history.data[0]?.changes[0], { field: "text", from: null, to: "hello" })
        const { data } = await client.graphql<Record<string, { history: { totalCount: number } }>>(
          `query ($id: ID!) { ${name}(id: $id) { history { totalCount } } }`,
          { id: record?.id ?? "" },
        )
        assert.equal(data?.[name]?.history.totalCount, index + 2)
        assert.equal((await client.rest("PATCH", `/${path}/${record?.id}`, { text: name })).status, 200)
        await close()
      }
    })

    test("is whole after the ids of the resource began otherwise, and again", async () => {
      const { url, towns } = await begin()
      const named = (id: string, town = "twn") =>
        service({
          name: "board",
          resources: {
            town: resource({ id: town, fields: { name: f.text() }, history: true, allow }),
            note: resource({
              id,
              fields: { text: f.text() },
              relations: { town: one("town") },
              history: true,
              allow,
            }),
          },
        })
      for (const [index, [version, id]] of (
        [
          [named("nt"), "nt"],
          [named("twn", "note"), "twn"],
        ] as const
      ).entries()) {
        const { client, steps, close } = await openVersion(url, version)
        assert.ok(steps.includes("ids:note"), steps.join())
        const all = await client.rest<{ data: readonly Read[] }>("GET", "/notes?include=history")
        const [record] = all.body.data
        assert.equal(record?.id.split("_")[0], id)
        assert.deepEqual(
          record?.history.data.map(({ version: of }) => of),
          Array.from({ length: index + 2 }, (_, at) => `${at + 1}`),
        )
        assert.equal((await client.rest("PATCH", `/notes/${record?.id}`, { text: id })).status, 200)
        assert.equal(
          (await client.rest("PATCH", `/towns/${towns[0]?.split("_")[1]}`, { name: id })).status,
          200,
        )
        await close()
        const again = await openVersion(url, version)
        assert.deepEqual(again.steps, [])
        const [town] = (await again.client.rest<{ data: readonly Read[] }>("GET", "/towns?include=history"))
          .body.data
        assert.equal(town?.history.data.length, index + 1)
        await again.close()
      }
    })
  })
