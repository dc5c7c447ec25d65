import assert from "node:assert/strict"
import { existsSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { request as ask, createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { extname, join } from "node:path"
import { type TestContext, test } from "node:test"
import { chromium, type Page } from "playwright-core"
import { type Hooks, temporaryFolder } from "../../support/database.ts"
import { fetchDocument, operationsOf } from "../../support/openapi-tools.ts"
import { authorization, type ShopServer, withShop } from "../../support/shop-server.ts"

const executablePath = "/usr/bin/chromium"
const skip = !existsSync(executablePath) && "no chromium"
/** Nothing but pages of the tests is asked for. */
const quiet = ["gpu", "quic", "background-networking", "component-update", "sync"].map(
  (name) => `--disable-${name}`,
)
const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
}

interface Opened {
  readonly page: Page
  /** Addresses elsewhere that the page has asked for, in vain, and its errors. */
  readonly faults: readonly string[]
  /** When it was asked for, in milliseconds. */
  readonly began: number
}

/** A page of this folder in a browser of its own. */
async function open(t: TestContext, shop: ShopServer, name: string): Promise<Opened> {
  const hooks: Hooks = { after: (work) => t.after(work) }
  const origin = await servePages(hooks, shop)
  const context = await chromium.launchPersistentContext(await temporaryFolder(hooks), {
    executablePath,
    headless: true,
    args: ["--no-sandbox", "--no-first-run", ...quiet],
  })
  t.after(() => context.close())
  context.setDefaultTimeout(120_000)
  const page = await context.newPage()
  const faults: string[] = []
  await page.route(/.*/, (route) => {
    const url = route.request().url()
    if (/^(data|blob):/.test(url) || url.startsWith(`${origin}/`)) return route.continue()
    faults.push(url)
    return route.abort()
  })
  page.on("pageerror", ({ message }) => faults.push(message))
  const began = performance.now()
  await page.goto(`${origin}/-/${name}?authorization=${encodeURIComponent(authorization)}`)
  return { page, faults, began }
}

/** The pages and what they load below `/-/`, and the shop below everything else: one origin. */
async function servePages(hooks: Hooks, shop: ShopServer): Promise<string> {
  const server = createServer(async (request, response) => {
    const { url = "", method, headers } = request
    if (url === "/favicon.ico") return void response.writeHead(204).end()
    const own = /^\/-\/([^?]*)/.exec(url)?.[1]
    if (own !== undefined) {
      const file = join(import.meta.dirname, own.includes("/") ? "node_modules" : "", own)
      response.writeHead(200, { "content-type": types[extname(file)] ?? "application/octet-stream" })
      return void response.end(await readFile(file))
    }
    const to = new URL(url, shop.url)
    const onward = ask(to, { method, headers: { ...headers, host: to.host } }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(response)
    })
    request.pipe(onward)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  hooks.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Seconds of processors that the page's process has used. */
async function processorSeconds(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send("Performance.enable", { timeDomain: "timeTicks" })
  const { metrics } = await session.send("Performance.getMetrics")
  return metrics.find(({ name }) => name === "ProcessTime")?.value ?? Number.NaN
}

/** Waits until there are as many of the elements, and says how long that took. */
async function waitForAll(t: TestContext, { page, began }: Opened, selector: string, count: number) {
  const script = ({ selector, count }: { selector: string; count: number }) =>
    document.querySelectorAll(selector).length >= count
  await page.waitForFunction(script, { selector, count }).catch(() => {})
  assert.equal(await page.locator(selector).count(), count, selector)
  const passed = Math.round(performance.now() - began)
  t.diagnostic(`${count} operations after ${passed} ms, ${await processorSeconds(page)} s of a processor`)
}

withShop(
  "pages of the document",
  (shop) => {
    test("Redoc shows every operation", { skip }, async (t) => {
      const operations = operationsOf(await fetchDocument(shop()))
      const opened = await open(t, shop(), "redoc.html")
      await waitForAll(t, opened, '[id^="tag/"][id*="/operation/"]', operations.length)
      // A picture of its makers.
      assert.deepEqual(opened.faults, ["https://cdn.redoc.ly/redoc/logo-mini.svg"])
    })

    test("Swagger UI shows every operation, and its example of a list is answered", { skip }, async (t) => {
      const operations = operationsOf(await fetchDocument(shop()))
      const opened = await open(t, shop(), "swagger-ui.html")
      // The page only renders visible rows.
      await opened.page.setViewportSize({ width: 1_280, height: 16_000 })
      await waitForAll(t, opened, ".opblock", operations.length)
      const list = opened.page.locator("#operations-Order-listOrders")
      await list.locator(".opblock-summary-control").click()
      await list.locator(".try-out__btn").click()
      await list.locator(".execute").click()
      const answer = list.locator(".live-responses-table .response-col_status")
      await answer.filter({ hasText: /\d/ }).first().waitFor()
      assert.equal((await answer.filter({ hasText: /\d/ }).first().textContent())?.trim(), "200")
      assert.match((await list.locator(".live-responses-table").textContent()) ?? "", /"data": \[/)
      assert.deepEqual(opened.faults, [])
    })

    test("Scalar shows every operation", { skip }, async (t) => {
      const operations = operationsOf(await fetchDocument(shop()))
      const opened = await open(t, shop(), "scalar.html")
      const methods = ["GET", "POST", "PATCH", "PUT", "DELETE"]
      const entries = methods.map((method) => `li[data-sidebar-id*="/${method}/"]`).join()
      await waitForAll(t, opened, entries, operations.length)
      await opened.page.locator("section[id$='/GET/customers']").waitFor()
      assert.deepEqual(opened.faults, [])
    })
  },
  ["sqlite"],
)
