import assert from "node:assert/strict"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { type TestContext, test } from "node:test"
import { temporaryFolder } from "../../support/database.ts"
import { fetchDocument, operationsOf, recipeEnvironment, runRecipe } from "../../support/openapi-tools.ts"
import { authorization, type ShopServer, withShop } from "../../support/shop-server.ts"

/** An item of the collection's format 2.1. */
interface Request {
  readonly method: string
  readonly url: {
    readonly path: readonly string[]
    readonly query?: readonly Parameter[]
    readonly variable?: readonly Parameter[]
  }
  readonly auth?: { readonly type: string } | null
}

interface Parameter {
  readonly key: string
  readonly value: string
  readonly disabled?: boolean
}

interface Item {
  readonly name: string
  readonly item?: readonly Item[]
  readonly request?: Request
}

interface Collection extends Item {
  readonly auth: { readonly type: string }
}

const requestsOf = ({ item = [], request }: Item): readonly Request[] =>
  request ? [request] : item.flatMap(requestsOf)

async function convert(t: TestContext, shop: ShopServer): Promise<{ collection: Collection; size: number }> {
  const folder = await temporaryFolder({ after: (work) => t.after(work) })
  await runRecipe(join(import.meta.dirname, "recipe.sh"), folder, recipeEnvironment("postman", shop))
  const text = await readFile(join(folder, "collection.json"), "utf8")
  return { collection: JSON.parse(text), size: text.length }
}

type Choice = (parameter: Parameter) => boolean

/** As it is imported: optional parameters can be chosen. */
const untouched: Choice = ({ disabled }) => !disabled
/** All at the same time; an example of a cursor leads nowhere. */
const everything: Choice = ({ key }) => !["after", "before"].includes(key)

/** As Postman sends it, with the credentials of the collection. */
async function send({ url }: ShopServer, request: Request, choice: Choice) {
  const { method, auth } = request
  const { path, query = [] } = request.url
  const parameters = query.filter(choice)
  const search = parameters.map(({ key, value }) => `${key}=${encodeURIComponent(value)}`).join("&")
  const headers = auth?.type === "noauth" ? {} : { authorization }
  const answer = await fetch(`${url}/${path.join("/")}?${search}`, { method, headers })
  return { status: answer.status, asked: `${method} /${path.join("/")}?${search}`, text: await answer.text() }
}

const isOfOneRecord = ({ url }: Request): boolean => url.path.some((part) => /^:|[{=]/.test(part))
/** An answer without an end. */
const isEndless = ({ url }: Request): boolean => url.path.join("/") === "events/stream"

withShop("Postman", (shop) => {
  test("every operation is a request, and the examples of lists are answered", async (t) => {
    const { collection, size } = await convert(t, shop())
    const requests = requestsOf(collection)
    assert.equal(requests.length, operationsOf(await fetchDocument(shop())).length)
    t.diagnostic(`${size} characters`)
    assert.ok(size < 5_000_000)
    assert.equal(collection.auth.type, "bearer")
    const lists = requests.filter(
      (request) => request.method === "GET" && !isOfOneRecord(request) && !isEndless(request),
    )
    assert.ok(lists.length > 12, `${lists.length}`)
    const refused: string[] = []
    for (const request of lists)
      for (const choice of [untouched, everything]) {
        const { status, asked, text } = await send(shop(), request, choice)
        if (status !== 200) refused.push(`${asked}: ${status} ${text}`)
      }
    assert.deepEqual(refused, [])
  })
})
