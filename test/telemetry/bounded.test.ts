// Whatever requests are made of, metrics have no new names: 10,000 requests with names of their own.
import assert from "node:assert/strict"
import { connect } from "node:net"
import { after, before, describe, test } from "node:test"
import { present } from "../../src/base/invariant.ts"
import { Telemetry } from "../../src/base/telemetry.ts"
import { createMetrics, type Metrics, ownRegistry } from "../../src/observe/metrics/metrics.ts"
import { until } from "../cli/processes.ts"
import { cleanUp } from "../support/database.ts"
import { openShop, type ShopServer } from "../support/shop-server.ts"

const own = "zq"
const total = 10_000
/** Requests that are sent at once on a connection. */
const together = 50
// Among those that Node reads, and that no service answers.
const methods = ["GET", "POST", "PATCH", "DELETE", "PUT", "HEAD", "PROPFIND", "LINK", "M-SEARCH"] as const

describe("labels are bounded", () => {
  const hooks = cleanUp(after)
  const telemetry = new Telemetry()
  let ended = 0
  let metrics: Metrics | undefined
  let shop: ShopServer | undefined
  before(async () => {
    metrics = createMetrics(ownRegistry(true))
    telemetry.listen(metrics.listener)
    telemetry.listen({
      requestEnded: () => {
        ended += 1
      },
    })
    shop = await openShop(hooks, "sqlite", { telemetry })
  })

  test("10,000 names of paths, parameters, operations and callers make no label", async () => {
    const { url } = present(shop, "the shop is open")
    const connections = 8
    await Promise.all(
      Array.from({ length: connections }, (_, at) => {
        const numbers = Array.from({ length: total / connections }, (_, index) => index * connections + at)
        return pipelineAll(
          url,
          numbers.map((number) => requestOf(number)),
        )
      }),
    )
    // The last answers are told of after they were sent.
    await until(() => ended >= total, `${total} requests have ended`)
    assert.equal(ended, total)
    const { text } = await present(metrics, "there are metrics").scrape()
    const requests = seriesOf(text, "bifold_requests_total")
    assert.equal(
      requests.reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0),
      total,
    )
    // Each kind of request above once, whatever its names; a busy server refuses some of each.
    const answered = requests.map(labelsOf).filter((labels) => !labels.includes('status="503"'))
    assert.deepEqual(answered.sort(), kinds)
    // Faces, routes of the model and codes of the questions above.
    assert.ok(requests.length < 60, `${requests.length} series`)
    assert.doesNotMatch(text, new RegExp(own, "i"))
    assert.doesNotMatch(text, /PROPFIND|LINK|M-SEARCH/)
    assert.ok(seriesOf(text, "bifold_request_duration_seconds_count").length < 40)
  })
})

const seriesOf = (text: string, name: string): readonly string[] =>
  text.split("\n").filter((line) => line.startsWith(`${name}{`))

/** Without the count. */
const labelsOf = (line: string): string => line.slice(0, line.lastIndexOf(" "))

const kind = ([face, method, route, operation, status, code]: readonly string[]) =>
  `bifold_requests_total{face="${face}",method="${method}",route="${route}",operation="${operation}",status="${status}",code="${code}"}`

/** Kinds of the requests below. */
const kinds: readonly string[] = [
  kind(["graphql", "POST", "", "query", "200", ""]),
  ...["GET", "POST", "PATCH", "DELETE", "PUT", "HEAD", "other"].map((method) =>
    kind(["rest", method, "", "", "404", "not_found"]),
  ),
  kind(["rest", "GET", "/products", "", "400", "unknown_field"]),
  kind(["rest", "GET", "/products/{id}", "", "404", "not_found"]),
].sort()

/** Each with a name that no other request has. */
function requestOf(number: number): string {
  const name = `${own}${number}`
  const method = methods[number % methods.length] ?? "GET"
  switch (number % 5) {
    case 0:
      return withBody("POST", "/graphql", name, `{"query":"query ${name} { ${name}: __typename }"}`)
    case 1:
      return withBody(method, `/${name}/${name}`, name, "{}")
    case 2:
      return withBody("GET", `/products/${name}`, name, "")
    case 3:
      return withBody("GET", `/products?filter[${name}]=${name}`, name, "")
    default:
      return withBody("POST", `/orders/${name}/transitions/${name}`, name, `{"${name}":1}`)
  }
}

const withBody = (method: string, path: string, name: string, body: string): string =>
  `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nx-request-id: ${name}\r\nuser-agent: ${name}\r\n${
    body === "" ? "" : `content-type: application/json\r\ncontent-length: ${body.length}\r\n`
  }\r\n${body}`

/**
 * A few on each connection: a busy server reads no more of it while some wait, and the rest of a request that it has begun to
 * read has to come within a deadline.
 */
async function pipelineAll(url: string, requests: readonly string[]): Promise<void> {
  for (let at = 0; at < requests.length; at += together)
    await pipeline(url, requests.slice(at, at + together))
}

/** Sends them over one connection, and resolves when its last answer has come. */
async function pipeline(url: string, requests: readonly string[]): Promise<void> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1")
  const answered = new Promise<void>((resolve, reject) => {
    socket.on("error", reject)
    socket.on("close", () => resolve())
  })
  const last = requests.at(-1) ?? ""
  const closing = last.replace("\r\n", "\r\nconnection: close\r\n")
  socket.write([...requests.slice(0, -1), closing].join(""))
  socket.resume()
  await answered
}
