// Sums and averages beyond the numbers that a database holds: a matter of the question, and never a fault of the service.
import assert from "node:assert/strict"
import { test } from "node:test"
import { anyone, f, resource, service } from "../../src/index.ts"
import { openCode } from "../code/open.ts"
import { dialects } from "../support/open-service.ts"

const stock = service({
  name: "stock",
  resources: {
    thing: resource({
      id: "thi",
      fields: { size: f.float(), many: f.int64() },
      allow: { read: anyone, create: anyone },
    }),
  },
})

for (const database of dialects)
  test(`figures beyond what the database holds are refused or null, on ${database}`, async (context) => {
    const opened = await openCode(context, stock, database)
    const size = 1.7e308
    await opened.add({ thing: Array.from({ length: 3 }, () => ({ size, many: "9223372036854775807" })) })
    const asked = opened.as("anyone")
    for (const figure of ["sum.size", "avg.size", "sum.many", "avg.many"]) {
      const { status, body } = await asked.rest<{ code?: string; aggregate?: object; errors?: unknown }>(
        "GET",
        `/things?limit=0&aggregate=${figure}`,
      )
      if (status === 422) assert.equal(body.code, "result_out_of_range", figure)
      else {
        assert.equal(status, 200, figure)
        const [value] = Object.values(Object.values(body.aggregate ?? {})[0] as object)
        assert.ok(value !== null || body.errors !== undefined, `${figure}: ${JSON.stringify(body)}`)
      }
      const [name = "", field = ""] = figure.split(".")
      const { data, errors } = await asked.graphql(
        `{ things(first: 0) { aggregate { ${name} { ${field} } } } }`,
      )
      assert.ok(
        errors.length > 0 || JSON.stringify(data).includes(field),
        `${figure}: ${JSON.stringify(data)}`,
      )
    }
    assert.deepEqual(opened.faults, [])
  })
