// Hooks of several records run one after the other, each told what those before it have left; and hooks of an upsert that
// turns out to be another change than it seemed.
import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { anyone, f, many, one, operation, problem, resource, service, withCode } from "../../src/index.ts"
import type { Client } from "../../src/tools/testing/client.ts"
import { dialects } from "../support/open-service.ts"
import { openCode } from "./open.ts"

const all = { read: anyone, create: anyone, update: anyone, delete: anyone }

const told: (string | number | null)[][] = []

const office = withCode(
  service({
    name: "office",
    resources: {
      task: resource({
        id: "tsk",
        fields: { name: f.text({ unique: true }), left: f.integer(), touched: f.integer({ default: 0 }) },
        allow: all,
      }),
      account: resource({
        id: "acc",
        fields: {
          email: f.text({ unique: true, optional: true }),
          name: f.text({ optional: true }),
          locked: f.boolean({ default: false }),
        },
        allow: all,
      }),
      folder: resource({
        id: "fol",
        fields: {
          name: f.text(),
          size: f.integer({ computed: { count: "pages" } }),
          tagged: f.integer({ computed: { count: "tags" } }),
        },
        relations: {
          pages: many("page", { by: "folder", owned: true }),
          tags: many("tag", { through: "folder_tag" }),
        },
        allow: all,
      }),
      page: resource({
        id: "pag",
        fields: { number: f.integer(), size: f.integer({ computed: { count: "words" } }) },
        relations: { folder: one("folder"), words: many("word", { by: "page", owned: true }) },
        allow: all,
      }),
      word: resource({
        id: "wrd",
        fields: { text: f.text() },
        relations: { page: one("page") },
        allow: all,
      }),
      tag: resource({ id: "tag", fields: { name: f.text() }, allow: all }),
    },
  }),
  {
    operations: {
      /** A thousand hooks may take longer than one, on a machine that has other things to do. */
      removeFolder: operation({
        input: { folder: f.text() },
        allow: anyone,
        deadline: 60_000,
        run: ({ input, db }) => db.folder.delete(input.folder),
      }),
    },
    before: {
      task: {
        async update({ old, input, db }) {
          told.push([old.name, old.touched])
          const { data } = await db.task.list({ where: { name: { eq: "b" } } })
          const [b] = data
          if (old.name === "a" && b && input.left === 5) await db.task.update(b.id, { left: 4 })
          if (old.name === "a" && b && input.left === 0) await db.task.delete(b.id)
          return { touched: old.touched + 1 }
        },
        async delete({ old, db }) {
          told.push([old.name, old.left])
          const { data } = await db.task.list({ where: { name: { eq: "b" } } })
          const [b] = data
          if (old.name === "a" && b) await db.task.update(b.id, { left: 7 })
        },
      },
      account: {
        async create({ new: account, db }) {
          told.push(["create", account.email])
          if (account.email === "nobody") return { email: null }
          if (account.email === "twice") {
            await db.account.create({ email: "Twice", name: "first" })
            return undefined
          }
          return { email: account.email?.toLowerCase() ?? null }
        },
        update({ old }) {
          told.push(["update", old.email])
          if (old.locked) throw problem("conflict", "It is locked.")
        },
      },
      folder: {
        async delete({ old, db }) {
          if (old.name === "plain") return
          const { data } = await db.page.list({ where: { folder: { name: { eq: old.name } } } })
          told.push([old.name, old.size, old.tagged, data.length])
        },
      },
      page: {
        delete({ old }) {
          told.push([old.number, old.size])
        },
      },
      word: {
        delete({ old }) {
          told.push([old.text])
        },
      },
    },
  },
)

interface Answer {
  readonly data: readonly Readonly<Record<string, unknown>>[]
  readonly code?: string
}

const listed = async (as: Client, path: string, ...members: readonly string[]) =>
  (await as.rest<Answer>("GET", path)).body.data.map((record) => members.map((name) => record[name]))

// One after the other: what hooks are told is kept in one list.
describe("hooks in turn", { concurrency: 1 }, () => {
  for (const database of dialects) {
    const it = (name: string, run: (somebody: Client) => Promise<void>) =>
      test(`${name} (${database})`, async (t) => {
        const opened = await openCode(t, office, database)
        told.length = 0
        await run(opened.as("signedIn"))
        assert.deepEqual(opened.faults, [])
      })
    const tasks = async (somebody: Client) => {
      for (const name of ["a", "b", "c"]) await somebody.rest("POST", "/tasks", { name, left: 9 })
    }
    const several = { prefer: "max-affected=5" }
    const every = '/tasks?filter={"id":{"notIn":[]}}'

    it("a hook is told what hooks before it have changed", async (somebody) => {
      await tasks(somebody)
      assert.equal((await somebody.rest("PATCH", every, { left: 5 }, several)).status, 200)
      assert.deepEqual(told, [
        ["a", 0],
        ["b", 0],
        ["b", 1],
        ["c", 0],
      ])
      assert.deepEqual(await listed(somebody, "/tasks?sort=name", "left", "touched"), [
        [5, 1],
        [5, 2],
        [5, 1],
      ])
    })

    it("a record that a hook before its own has deleted is not changed", async (somebody) => {
      await tasks(somebody)
      assert.equal((await somebody.rest("PATCH", every, { left: 0 }, several)).status, 200)
      assert.deepEqual(await listed(somebody, "/tasks?sort=name", "name", "left"), [
        ["a", 0],
        ["c", 0],
      ])
    })

    it("a hook of deletion is told what hooks before it have changed", async (somebody) => {
      await tasks(somebody)
      assert.equal((await somebody.rest("DELETE", every, undefined, several)).status, 200)
      assert.deepEqual(told, [
        ["a", 9],
        ["b", 0],
        ["b", 7],
        ["c", 9],
      ])
    })

    it("an upsert that a hook gives the key of another record is a change of that", async (somebody) => {
      await somebody.rest("POST", "/accounts", { email: "ann@x", name: "Ann", locked: true })
      await somebody.rest("POST", "/accounts", { email: "bob@x", name: "Bob" })
      told.length = 0
      const refused = await somebody.rest<Answer>("PUT", "/accounts/email=ANN@x", { name: "Eve" })
      assert.deepEqual([refused.status, refused.body.code], [409, "conflict"])
      assert.equal((await somebody.rest("PUT", "/accounts/email=BOB@x", { name: "Robert" })).status, 200)
      assert.equal((await somebody.rest("PUT", "/accounts/email=CY@x", { name: "Cy" })).status, 201)
      assert.deepEqual(told, [
        ["create", "ANN@x"],
        ["update", "ann@x"],
        ["create", "BOB@x"],
        ["update", "bob@x"],
        ["create", "CY@x"],
      ])
      assert.deepEqual(await listed(somebody, "/accounts?sort=email", "email", "name"), [
        ["ann@x", "Ann"],
        ["bob@x", "Robert"],
        ["cy@x", "Cy"],
      ])
    })

    it("an upsert may lose its key, or be made by its own hook", async (somebody) => {
      for (const name of ["A", "B"])
        assert.equal((await somebody.rest("PUT", "/accounts/email=nobody", { name })).status, 201)
      assert.equal((await somebody.rest("PUT", "/accounts/email=twice", { name: "second" })).status, 200)
      assert.deepEqual(told.slice(2), [
        ["create", "twice"],
        ["create", "Twice"],
        ["update", "twice"],
      ])
      assert.deepEqual(await listed(somebody, "/accounts?sort=name", "email", "name"), [
        [null, "A"],
        [null, "B"],
        ["twice", "second"],
      ])
    })

    const folderOf = async (somebody: Client, pages: number): Promise<string> => {
      const { body } = await somebody.rest<{ readonly id: string }>("POST", "/folders", { name: "plain" })
      for (let from = 0; from < pages; from += 900) {
        const length = Math.min(900, pages - from)
        const some = Array.from({ length }, (_, index) => ({ number: from + index, folderId: body.id }))
        assert.equal((await somebody.rest("POST", "/pages", some)).status, 201)
      }
      return body.id
    }

    it("everything that goes along has its hook run", async (somebody) => {
      const folder = await folderOf(somebody, 1_001)
      assert.equal((await somebody.rest("POST", "/actions/remove-folder", { folder })).status, 204)
      assert.equal((await listed(somebody, "/pages", "id")).length, 0)
      assert.equal(new Set(told.map(([number]) => number)).size, 1_001)
    })

    it("a hook of deletion finds all that goes along with its record", async (somebody) => {
      const { body: tag } = await somebody.rest<{ readonly id: string }>("POST", "/tags", { name: "old" })
      const words = { create: [{ text: "once" }, { text: "upon" }] }
      const pages = { create: [{ number: 1, words }, { number: 2 }] }
      const tags = { link: [tag.id] }
      for (const name of ["A", "B"])
        assert.equal((await somebody.rest("POST", "/folders", { name, pages, tags })).status, 201)
      const where = '/folders?filter={"name":{"in":["A","B"]}}'
      assert.equal((await somebody.rest("DELETE", where, undefined, several)).status, 200)
      assert.deepEqual(
        told.map(([first, ...counts]) => [String(first), ...counts]),
        [
          ["A", 2, 1, 2],
          ["B", 2, 1, 2],
          ["1", 2],
          ["2", 0],
          ["1", 2],
          ["2", 0],
          ...["once", "upon", "once", "upon"].map((text) => [text]),
        ],
      )
      assert.deepEqual(await listed(somebody, "/words", "text"), [])
    })

    it("nothing goes where more would go along than hooks are run for", async (somebody) => {
      const folder = await folderOf(somebody, 10_001)
      const refused = await somebody.rest<Answer>("DELETE", `/folders/${folder}`)
      assert.deepEqual([refused.status, refused.body.code], [409, "too_many_affected"])
      assert.deepEqual(told, [])
      assert.equal((await listed(somebody, "/folders", "id")).length, 1)
    })
  }
})
