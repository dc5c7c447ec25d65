// `bifold changelog`: as Markdown and as JSON, since a version, and what it cannot print.
import assert from "node:assert/strict"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { type Hooks, temporaryFolder } from "../support/database.ts"
import { bifold } from "./run.ts"

const storefront = join(import.meta.dirname, "..", "..", "examples", "storefront", "service.ts")

test("the changelog of the storefront is Markdown, newest first", async () => {
  const { code, stdout, stderr } = await bifold(["changelog", storefront])
  assert.equal(code, 0, stderr)
  assert.match(stdout, /^# Changes of Storefront API\n/)
  assert.match(stdout, /## 2026-11-01[\s\S]*## 2026-06-01[\s\S]*## 2026-01-01\n\nNo changes\./)
  assert.match(stdout, /- `fullName` of `customer` is now called `name`\./)
  assert.match(stdout, /GET \/customers\?limit=1&fields=fullName/)
})

test("an example that is the same before and after is shown once, beside what has changed", async (t) => {
  const file = join(await temporaryFolder(t as Hooks), "service.ts")
  writeFileSync(
    file,
    `import { anyone, f, resource, service } from "bifold"
const was = f.decimal({ precision: 10, scale: 2 })
export default service({
  name: "shop",
  versions: {
    "2026-06-01": [
      { changed: "item.price", was, reads: "price", writes: "price" },
      { changed: ["item.first", "item.last"], was: { name: f.text() }, reads: { name: "first" } },
    ],
    "2026-01-01": [],
  },
  resources: {
    item: resource({
      fields: { price: f.decimal({ precision: 12, scale: 4 }), first: f.text({ default: "" }), last: f.text({ default: "" }) },
      allow: { read: anyone },
    }),
  },
})
`,
  )
  const { stdout } = await bifold(["changelog", file])
  const said = "- `price` of `item` has 12 digits, 4 after the point; 10 digits, 2 after the point before."
  assert.ok(stdout.includes(said), stdout)
  assert.equal(stdout.match(/GET \/items\?limit=1&fields=price/g)?.length, 1)
  assert.match(stdout, /# before and after\n/)
  // A field that was split, with all in its place.
  assert.match(stdout, /# before\n +GET \/items\?limit=1&fields=name\n/)
  assert.match(stdout, /# after\n +GET \/items\?limit=1&fields=first,last\n.*nodes \{ first last \}/)
})

test("it is JSON for machines, and begins where one says", async () => {
  const { stdout } = await bifold(["changelog", storefront, "--since", "2026-06-01", "--json"])
  const { versions } = JSON.parse(stdout) as { versions: { version: string; changes: { kind: string }[] }[] }
  assert.deepEqual(
    versions.map(({ version, changes }) => [version, changes.map(({ kind }) => kind)]),
    [["2026-11-01", ["renamed", "added"]]],
  )
})

test("an unknown version is refused with those that there are", async () => {
  const { code, stderr } = await bifold(["changelog", storefront, "--since", "2020-01-01"])
  assert.notEqual(code, 0)
  assert.match(stderr, /There is no version "2020-01-01"[\s\S]*2026-11-01, 2026-06-01, 2026-01-01/)
})
