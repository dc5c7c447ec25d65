// The columns of CSV stand in the order that an older version had, and the changelog names no member that its reader does not see.
import assert from "node:assert/strict"
import { after, describe, test } from "node:test"
import { withVersions } from "../../src/access/identity/identify.ts"
import { anyone, f, resource, role, service } from "../../src/index.ts"
import { load } from "../../src/model/load.ts"
import { withSystem } from "../../src/model/system/with-system.ts"
import { strangerTo } from "../../src/plan/access/actor.ts"
import { openDatabase, openServer } from "../feed/open.ts"
import { cleanUp } from "../support/database.ts"

const older = "2026-01-01"
const model = load(
  withSystem(
    service({
      name: "things",
      roles: ["staff"],
      versions: {
        "2026-06-01": [
          { removed: "thing.mark", was: f.text(), reads: "note" },
          { removed: "thing.weight", was: f.text(), reads: "word" },
          {
            changed: ["thing.first", "thing.last"],
            was: { name: f.text() },
            reads: { name: { concat: ["first", { value: " " }, "last"] } },
          },
          {
            changed: "thing.size",
            was: { width: f.integer(), height: f.integer() },
            reads: { width: "size", height: "size" },
          },
          { renamed: "thing.word", to: "title" },
          {
            changed: ["thing.secret", "thing.open"],
            was: { both: f.text() },
            reads: { both: { concat: ["secret", "open"] } },
          },
          { added: "thing.fresh" },
        ],
        [older]: [],
      },
      resources: {
        thing: resource({
          id: "thg",
          fields: {
            note: f.text(),
            first: f.text(),
            title: f.text(),
            last: f.text(),
            size: f.integer(),
            fresh: f.text({ default: "" }),
            secret: f.text({ default: "", read: role("staff") }),
            open: f.text({ default: "" }),
          },
          allow: { read: anyone, create: anyone },
        }),
      },
    } as unknown as Parameters<typeof service>[0]),
  ),
)

for (const database of ["sqlite", "postgres"] as const)
  describe(`the form of an older version on ${database}`, async () => {
    const hooks = cleanUp(after)
    const url = await openDatabase(hooks, database, model)
    const identify = withVersions(() => strangerTo(model), model)
    const server = await openServer(hooks, url, model, {}, { identify })

    test("has its columns in their order: those that were removed are the last", async () => {
      const answered = await fetch(`${server.url}/things`, {
        headers: { accept: "text/csv", "api-version": older },
      })
      assert.equal(await answered.text(), "id,note,name,word,width,height,mark,weight\r\n")
    })

    // The secret is set by everybody, and read by few.
    test("is told of by what the reader sees", async () => {
      const answered = await fetch(`${server.url}/changelog`, { headers: { accept: "application/json" } })
      const { versions } = (await answered.json()) as {
        readonly versions: readonly { readonly changes: readonly { readonly text: string }[] }[]
      }
      const texts = versions.flatMap(({ changes }) => changes.map(({ text }) => text))
      assert.ok(texts.includes("`thing` has `secret` and `open`."), texts.join("\n"))
      for (const text of texts) assert.doesNotMatch(text, /in place of \.|`both`/)
    })
  })
