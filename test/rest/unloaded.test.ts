// Modules that are loaded when they are first asked for, and cannot be just then: as when no file can be opened any more.
import assert from "node:assert/strict"
import { registerHooks } from "node:module"
import { after, test } from "node:test"
import { cleanUp } from "../support/database.ts"
import { openDesk } from "./desk.ts"

const hooks = cleanUp(after)
const lacking = new Set<string>()
registerHooks({
  resolve(specifier, context, next) {
    if (lacking.delete(specifier)) throw Object.assign(new Error("too many open files"), { code: "EMFILE" })
    return next(specifier, context)
  },
})

const cases = [
  ["./write/write.ts", "POST /customers", { email: "ada@example.org", name: "Ada" }, 201],
  ["./openapi/openapi.ts", "GET /openapi.json", undefined, 200],
  ["./openapi/asyncapi.ts", "GET /asyncapi.json", undefined, 200],
] as const

for (const [module, request, body, status] of cases)
  test(`${request} is answered as soon as its modules can be loaded`, async () => {
    const { send } = await openDesk(hooks, "sqlite")
    lacking.add(module)
    const first = await send(request, body)
    assert.deepEqual([first.status, first.json.code], [500, "internal"])
    assert.equal(lacking.size, 0)
    assert.equal((await send(request, body)).status, status)
  })
