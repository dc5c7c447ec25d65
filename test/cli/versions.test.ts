// `bifold versions`: the list, and a new version cut from what has changed since a revision.
import assert from "node:assert/strict"
import { execFileSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { after, test } from "node:test"
import { cleanUp, temporaryFolder } from "../support/database.ts"
import { bifold } from "./run.ts"

const hooks = cleanUp(after)

const source = (
  versions: string,
  fields: string,
  more = "",
) => `import { anyone, f, one, resource, service } from "bifold"
${versions.startsWith("const") ? versions : ""}
export default service({
  name: "shop",
  versions: ${versions.startsWith("const") ? "versions" : versions},
  resources: {
    item: resource({ id: "itm", fields: { ${fields} }, allow: { read: anyone, create: anyone, update: anyone } }),${more}
  },
})
`
const before = `number: f.text(), note: f.text({ optional: true }), price: f.integer(), name: f.text()`
const since = `number: f.text(), price: f.decimal({ precision: 9, scale: 2 }), title: f.text({ was: "name" }), size: f.text({ default: "M" })`
const group = `
    group: resource({ id: "grp", fields: { name: f.text() } }),`

async function repository(versions: string) {
  const cwd = await temporaryFolder(hooks)
  const git = (...given: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=test", "-c", "user.email=test@example.com", ...given], { cwd })
  git("init", "-q")
  writeFileSync(join(cwd, "service.ts"), source(versions, before))
  git("add", "-A")
  git("commit", "-q", "-m", "first")
  writeFileSync(join(cwd, "service.ts"), source(versions, since, group))
  return { cwd, text: () => readFileSync(join(cwd, "service.ts"), "utf8") }
}

const versions = `{
    // Kept as it is.
    "2026-01-01": [],
  }`

test("a version is cut from names and types, and what follows from neither is told", async () => {
  const { cwd, text } = await repository(versions)
  const cut = await bifold(["versions", "cut", "--name", "2026-06-01"], { cwd })
  assert.equal(cut.code, 0, cut.stderr)
  assert.equal(
    text(),
    source(
      `{
    // Kept as it is.
    "2026-06-01": [
      { renamed: "item.name", to: "title" },
      { added: "item.size" },
      { removed: "item.note", was: f.text({ optional: true }), reads: { value: null }, writes: "ignored" },
      { changed: "item.price", was: f.integer(), reads: "price", writes: "price" },
      { added: "group" },
    ],
    "2026-01-01": [],
  }`,
      since,
      group,
    ),
  )
  assert.match(cut.stderr, /`item\.note` is gone: say in `reads`/)
  assert.match(cut.stderr, /`item\.price` is decimal, integer before: say in `reads` and `writes`/)
  assert.equal((cut.stderr.match(/^! /gm) ?? []).length, 2)
  const again = await bifold(["versions", "cut", "--name", "2026-06-01"], { cwd })
  assert.match(again.stderr, /Version 2026-06-01 is not newer than 2026-06-01/)
})

test("versions that the file does not spell out are left to their author", async () => {
  const { cwd, text } = await repository('const name = "2026-01-01"\nconst versions = { [name]: [] }')
  const kept = text()
  const cut = await bifold(["versions", "cut", "--name", "2026-06-01"], { cwd })
  assert.equal(cut.code, 0, cut.stderr)
  assert.equal(text(), kept)
  assert.match(cut.stderr, /does not spell its versions out/)
  assert.match(cut.stdout, /^"2026-06-01": \[/)
})

test("a constant of the file is where they are spelt out, too", async () => {
  const { cwd, text } = await repository('const versions = { "2026-01-01": [] }')
  const printed = await bifold(["versions", "cut", "--name", "2026-06-01", "--print"], { cwd })
  assert.doesNotMatch(text(), /2026-06-01/)
  const cut = await bifold(["versions", "cut", "--name", "2026-06-01", "--json"], { cwd })
  const { changes, written } = JSON.parse(cut.stdout)
  assert.deepEqual([changes.length, written], [5, true])
  const entry = printed.stdout.trim().replaceAll("\n", "\n  ")
  assert.ok(text().includes(`const versions = {\n  ${entry},\n  "2026-01-01": [],\n}`), text())
})

test("versions on one line get a line each, as the file is indented", async () => {
  for (const line of ['{ "2026-01-01": [] }', '{"2026-01-01": [],}']) {
    const { cwd, text } = await repository(line)
    const printed = await bifold(["versions", "cut", "--name", "2026-06-01", "--print"], { cwd })
    const cut = await bifold(["versions", "cut", "--name", "2026-06-01"], { cwd })
    assert.equal(cut.code, 0, cut.stderr)
    const entry = printed.stdout.trim().replaceAll("\n", "\n    ")
    assert.equal(text(), source(`{\n    ${entry},\n    "2026-01-01": [],\n  }`, since, group))
  }
})

test("versions are listed with their ends", async () => {
  const cwd = await temporaryFolder(hooks)
  writeFileSync(
    join(cwd, "service.ts"),
    source(
      '{ "2026-06-01": [{ added: "item.note" }], "2026-01-01": { changes: [], ends: "2027-01-01" } }',
      before,
    ),
  )
  const { stdout } = await bifold(["versions"], { cwd })
  assert.match(stdout, /2026-06-01 +1\n2026-01-01 +0 +2027-01-01/)
  const json = JSON.parse((await bifold(["versions", "list", "--json"], { cwd })).stdout)
  assert.deepEqual(json.versions[1], { version: "2026-01-01", ends: "2027-01-01", changes: 0 })
})

test("a resource that says what it was is renamed, and its members by its name since", async () => {
  const cwd = await temporaryFolder(hooks)
  const git = (...given: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=test", "-c", "user.email=test@example.com", ...given], { cwd })
  git("init", "-q")
  const write = (name: string, fields: string, more = "") =>
    writeFileSync(
      join(cwd, "service.ts"),
      source(`{ "2026-01-01": [] }`, fields).replace("item: resource({", `${name}: resource({ ${more}`),
    )
  write("item", "name: f.text()")
  git("add", "-A")
  git("commit", "-q", "-m", "first")
  write("article", 'title: f.text({ was: "name" })', 'was: "item",')
  const cut = await bifold(["versions", "cut", "--name", "2026-06-01", "--json"], { cwd })
  assert.deepEqual(JSON.parse(cut.stdout), {
    version: "2026-06-01",
    changes: [
      { renamed: "item", to: "article" },
      { renamed: "article.name", to: "title" },
    ],
    byHand: [],
    written: true,
  })
  const checked = await bifold(["diff", "HEAD:service.ts", "service.ts"], { cwd })
  assert.equal(checked.code, 0, checked.stdout)
  write("other", "name: f.text()")
  const gone = await bifold(["versions", "cut", "--name", "2026-06-01", "--print"], { cwd })
  assert.match(gone.stderr, /If `item` has another name, say was: "item" there/)
})

test("a to-many relation in place of a to-one relation is taken for what became of it", async () => {
  const cwd = await temporaryFolder(hooks)
  const write = (name: string, relations: string) =>
    writeFileSync(
      join(cwd, name),
      source(`{ "2026-01-01": [] }`, "name: f.text()", `group: resource({ fields: { name: f.text() } }),`)
        .replace("f, one, resource", "f, many, one, resource")
        // A resource of Bifold's own, which was there before.
        .replace('name: "shop",', 'name: "shop", identity: { keys: true },')
        .replace("fields: { name: f.text() }", `fields: { name: f.text() }, relations: { ${relations} }`),
    )
  write("before.ts", 'group: one("group")')
  write("service.ts", 'groups: many("group", { through: "item_group" })')
  const cut = await bifold(["versions", "cut", "--since", "before.ts", "--name", "2026-06-01", "--json"], {
    cwd,
  })
  assert.equal(cut.code, 0, cut.stderr)
  const { changes, byHand } = JSON.parse(cut.stdout)
  assert.deepEqual(changes, [{ widened: "item.group", to: "groups", first: "id", required: true }])
  assert.deepEqual(byHand, [
    "`item.group` became a to-many relation: say in `first` which of `groups` older versions have.",
    '`item.group` takes no nested `update` any more, and no update of many records. No change undoes that: { breaking: "item.group" } says so.',
  ])
})
