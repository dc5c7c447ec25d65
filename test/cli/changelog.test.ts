// `bifold changelog`: as Markdown and as JSON, since a version, and what it cannot print.
import assert from "node:assert/strict"
import { join } from "node:path"
import { test } from "node:test"
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
