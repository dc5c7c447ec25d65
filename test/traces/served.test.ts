// `bifold serve` with the SDK of examples/traces, which sends spans to a collector: a write in one process, its handler in another.
import assert from "node:assert/strict"
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { json } from "node:stream/consumers"
import { after, test } from "node:test"
import { fileURLToPath } from "node:url"
import { serving } from "../cli/run.ts"
import { until } from "../feed/open.ts"
import { cleanUp, temporaryFolder, temporaryPostgres } from "../support/database.ts"
import { dialects } from "../support/open-service.ts"

interface SentSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[]
}

interface SentSpans {
  readonly resourceSpans: readonly {
    readonly scopeSpans: readonly { readonly spans: readonly SentSpan[] }[]
  }[]
}

const hooks = cleanUp(after)
const spans: SentSpan[] = []
const collector = createServer(async (request, response) => {
  const { resourceSpans } = (await json(request)) as SentSpans
  spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans: some }) => some)))
  response.writeHead(200, { "content-type": "application/json" }).end("{}")
})
// Its client ends connections: a busy process would cut one as the next spans come by it.
collector.keepAliveTimeout = 0
collector.listen(0, "127.0.0.1")
await once(collector, "listening")
hooks.after(() => void collector.close())

const folder = fileURLToPath(new URL("served", import.meta.url))
const sdk = new URL("../../examples/traces/otel.ts", import.meta.url).href
const environment = {
  NODE_OPTIONS: `--import=${sdk}`,
  OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
}
const found = (name: string): SentSpan => {
  const span = spans.find((one) => one.name === name)
  assert.ok(span, `${name} is among: ${spans.map((one) => one.name).join(", ")}`)
  return span
}

for (const database of dialects)
  test(`a handler's span links to the write of an earlier process, on ${database}`, async () => {
    spans.length = 0
    const address =
      database === "sqlite" ? join(await temporaryFolder(hooks), "shop.db") : await temporaryPostgres(hooks)
    const options = ["--database", address, "--dev", "--as", "role:staff", "--accept-data-loss"]
    const first = await serving(["shop.ts", ...options], { cwd: folder, environment })
    const made = await fetch(`${first.url}/orders`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ number: "1" }),
    })
    assert.equal(made.status, 201)
    assert.equal((await first.end()).code, 0)
    const write = found("POST /orders")
    const second = await serving(["handled.ts", ...options], { cwd: folder, environment })
    await until(async () => spans.some(({ name }) => name === "own"))
    assert.equal((await second.end()).code, 0)
    const handled = found("process order.created")
    const { traceId, spanId } = write
    assert.deepEqual(
      handled.links?.map((link) => ({ traceId: link.traceId, spanId: link.spanId })),
      [{ traceId, spanId }],
    )
    assert.notEqual(handled.traceId, write.traceId)
    // The handler's code runs in a thread, with an SDK of its own.
    const own = found("own")
    assert.deepEqual([own.traceId, own.parentSpanId], [handled.traceId, handled.spanId])
  })
