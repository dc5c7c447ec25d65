// What answers say of who asked: to caches, and to whoever has to say who they are.
import assert from "node:assert/strict"
import { after, test } from "node:test"
import { openLibrary } from "../server/open.ts"
import { cleanUp } from "../support/database.ts"
import { openShop } from "./shop.ts"

const hooks = cleanUp(after)
const shop = await openShop(hooks, { identity: { keys: true } })
const { secret } = await shop.makeKey({ ownerId: "cus_1" })
const bearer = { authorization: `Bearer ${secret}` }

const headersOf = async (path: string, headers: Record<string, string> = {}, body?: object) => {
  const posted = body && { method: "POST", body: JSON.stringify(body) }
  const answer = await fetch(`${shop.url}${path}`, {
    headers: { ...headers, ...(body && { "content-type": "application/json" }) },
    ...posted,
  })
  await answer.text()
  const { status } = answer
  const [cache, vary, authenticate] = ["cache-control", "vary", "www-authenticate"].map((name) =>
    answer.headers.get(name),
  )
  return { status, cache, vary: vary?.split(", ").includes("Authorization"), authenticate }
}

test("what somebody was told is kept by nobody, and what anyone was told is not given to somebody", async () => {
  for (const path of [
    "/pages",
    "/pages/1",
    "/graphql?query={pages{totalCount}}",
    "/",
    "/openapi.json",
    "/nowhere",
  ]) {
    const own = await headersOf(path, bearer)
    assert.match(String(own.cache), /^(private, )?no-store$/, path)
    assert.deepEqual([own.vary, own.authenticate], [true, null], path)
    assert.equal((await headersOf(path)).vary, true, path)
  }
  assert.equal((await headersOf("/pages")).cache, "no-cache")
  assert.equal((await headersOf("/pages", bearer)).cache, "private, no-store")
})

test("whoever shows what is not accepted is told how to sign in, also below no address", async () => {
  const wrong = { authorization: "Bearer wrong" }
  for (const path of ["/pages", "/graphql?query={__typename}", "/", "/health", "/nowhere", "/openapi.json"]) {
    const { status, authenticate, cache } = await headersOf(path, wrong)
    assert.deepEqual([status, authenticate, cache], [401, 'Bearer error="invalid_token"', "no-store"], path)
  }
})

test("whoever shows nothing and has to sign in is told so, by REST", async () => {
  const { status, authenticate, cache, vary } = await headersOf("/customers")
  assert.deepEqual([status, authenticate, cache, vary], [401, "Bearer", "no-store", true])
})

test("so is whoever has to sign in for one step of a batch", async () => {
  const requests = ["/pages", "/customers"].map((path) => ({ method: "GET", path }))
  const { status, authenticate, cache, vary } = await headersOf("/batch", {}, { requests })
  assert.deepEqual([status, authenticate, cache, vary], [401, "Bearer", "no-store", true])
  const own = await headersOf("/batch", bearer, { requests })
  assert.deepEqual([own.status, own.authenticate], [200, null])
})

test("a service that is open to everybody says nothing about who asks, and hears nothing", async () => {
  const library = await openLibrary(hooks)
  const answer = await fetch(`${library.url}/books`, { headers: { authorization: "Basic a2V5" } })
  assert.deepEqual(
    [answer.status, answer.headers.get("cache-control"), answer.headers.get("www-authenticate")],
    [200, "no-cache", null],
  )
  assert.ok(!answer.headers.get("vary")?.includes("Authorization"))
})
