import { execFile } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { test } from "node:test"
import { promisify } from "node:util"
import {
  failsWhenRefused,
  mergesConflict,
  type OpenClient,
  readsPages,
  repeatsSafely,
  type Thing,
} from "../../support/shop-requests.ts"
import { withShop } from "../../support/shop-server.ts"

const run = promisify(execFile)

/** The functions of recipe.sh, in a folder of their own. */
const openShop: OpenClient = (url, authorization) => {
  const call = async (script: string, ...args: readonly string[]): Promise<string> => {
    const folder = await mkdtemp(join(tmpdir(), "bifold-test-"))
    const options = { cwd: folder, env: { ...process.env, url, authorization } }
    const text = `. "${join(import.meta.dirname, "recipe.sh")}"\n${script}`
    try {
      return (await run("bash", ["-euo", "pipefail", "-c", text, "recipe", ...args], options)).stdout
    } finally {
      await rm(folder, { recursive: true })
    }
  }
  const linesOf = (text: string): readonly string[] => text.trim().split("\n")
  return {
    list: async (path) =>
      linesOf(await call('pages "$1"', path)).flatMap(
        (page) => (JSON.parse(page) as { readonly data: readonly unknown[] }).data,
      ),
    async change(path, decide) {
      const { decider, close } = await listen(decide)
      try {
        const script = 'decide() { curl -sS --data-binary @- "$2"; }\nchange "$1" decide'
        return JSON.parse(await call(script.replace("$2", decider), path))
      } finally {
        close()
      }
    },
    create: async (path, record) =>
      JSON.parse(await call('create "$1" "$2" "$3"', path, JSON.stringify(record), crypto.randomUUID())),
  }
}

/** A command needs an address to ask what the test decides. */
async function listen(decide: (record: Thing) => object | Promise<object>) {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    response.end(JSON.stringify(await decide(JSON.parse(Buffer.concat(chunks).toString()))))
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  return {
    decider: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => void server.close(),
  }
}

withShop("curl", (shop) => {
  test("pages by `Link`", () => readsPages(shop(), openShop))
  test("a conflict found by `ETag` and merged", () => mergesConflict(shop(), openShop))
  test("a lost answer got by the same `Idempotency-Key`", () => repeatsSafely(shop(), openShop, "H-1"))
  test("refusals are errors", () => failsWhenRefused(shop(), openShop))
})
