// A service file whose loading never ends is said, and the next edit of it is served.
import assert from "node:assert/strict"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { after, test } from "node:test"
import { Refusal } from "../../src/base/problem.ts"
import { importFile } from "../../src/cli/service-file.ts"
import { WatchedFiles } from "../../src/cli/watched-files.ts"
import { cleanUp, temporaryFolder } from "../support/database.ts"
import { until } from "./processes.ts"

const hooks = cleanUp(after)

const isUnended = (error: unknown): boolean =>
  error instanceof Refusal &&
  /service\.ts has not ended loading after 0\.2 seconds\.$/.test(error.message) &&
  /top-level await/.test(error.problems[0].hint ?? "")

test("a top-level await that never settles is refused by name", async () => {
  const file = join(await temporaryFolder(hooks), "service.ts")
  writeFileSync(file, "await new Promise(() => {})\nexport default 1\n")
  await assert.rejects(importFile(file, "invalid_declaration", undefined, 200), isUnended)
})

test("files of an edit that never ends loading are watched, and loaded when they are mended", async () => {
  const folder = await temporaryFolder(hooks)
  const file = join(folder, "service.ts")
  let changes = 0
  const watched = new WatchedFiles(() => void changes++)
  hooks.after(async () => watched.close())
  writeFileSync(file, "await new Promise(() => {})\nexport default 1\n")
  await assert.rejects(importFile(file, "invalid_declaration", watched, 200), isUnended)
  writeFileSync(file, "export default 2\n")
  await until(() => changes > 0, "the edit is noticed")
  assert.equal((await importFile(file, "invalid_declaration", watched))["default"], 2)
})
