import { existsSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"

const packages = ["axios", "openapi-fetch", "qs"]
const absent = packages.filter((name) => !existsSync(join(import.meta.dirname, "node_modules", name)))

if (absent.length === 0) await import("./serialisers.ts")
else
  test("serialisers of axios, openapi-fetch and qs", {
    skip: `test/clients/spellings is not installed: ${absent.join(", ")}`,
  })
