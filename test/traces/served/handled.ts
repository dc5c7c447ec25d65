// The same shop in a later process, which handles what was written before it.
import { trace } from "@opentelemetry/api"
import { handler, withCode } from "../../../src/index.ts"
import shop from "./shop.ts"

export default withCode(shop, {
  on: {
    "order.created": handler({
      name: "thanks",
      from: "start",
      as: { roles: ["staff"] },
      run: ({ record, db }) =>
        trace.getTracer("host").startActiveSpan("own", async (span) => {
          if (record) await db.letter.create({ about: record.id })
          span.end()
        }),
    }),
  },
})
