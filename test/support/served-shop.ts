// The storefront with the records of the small shop, behind a real server, with a key of its staff: for tools that only know
// an address.
import { randomBytes } from "node:crypto"
import { join } from "node:path"
import storefront from "../../examples/storefront/service.ts"
import { createIdentify } from "../../src/identity/identify.ts"
import { createKeyPlans, readKey } from "../../src/identity/key-plans.ts"
import type { ServiceDeclaration } from "../../src/model/declaration/declaration.ts"
import { load } from "../../src/model/load.ts"
import { makeKey } from "../../src/plan/values/secret.ts"
import { createServer } from "../../src/server/server.ts"
import { createFaces } from "../../src/server/service.ts"
import { sqlite } from "../../src/sql/dialects/sqlite.ts"
import { createSchema } from "../../src/sql/schema/schema.ts"
import { insertRecords, type Records } from "../../src/sql/write/insert.ts"
import { setUp } from "../../src/storage/migration/set-up.ts"
import { openStorage } from "../../src/storage/open.ts"
import { withSystem } from "../../src/system/with-system.ts"
import { type Hooks, temporaryFolder } from "./database.ts"
import { smallShop } from "./small-shop.ts"

export interface ServedShop {
  /** Without a slash at its end. */
  readonly url: string
  /** An API key of the staff. */
  readonly key: string
  /** The header that shows it. */
  readonly staff: { readonly authorization: string }
  /** The OpenAPI document that the staff gets. @param query such as `purpose=validation` */
  document(query?: string): Promise<OpenapiDocument>
}

export interface OpenapiOperation {
  readonly operationId: string
  readonly tags: readonly string[]
}

export interface OpenapiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenapiOperation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> }
}

export async function serveShop(hooks: Hooks): Promise<ServedShop> {
  return await serveStorefront(hooks, storefront, smallShop)
}

async function serveStorefront(
  hooks: Hooks,
  declaration: ServiceDeclaration,
  records: Records,
): Promise<ServedShop> {
  const model = load(withSystem(declaration))
  const database = join(await temporaryFolder(hooks), "shop.sqlite")
  const tables = createSchema(model, sqlite).map((text) => ({ text, parameters: [] }))
  await setUp(database, [...tables, ...insertRecords(model, sqlite, records)])
  const storage = await openStorage(database, { writes: "unsafe" })
  hooks.after(() => storage.close())
  const faces = createFaces({ model, storage, base: "", secret: "a secret of the tests" })
  const { url, close } = await createServer({
    ...faces,
    identify: createIdentify({ model, answer: faces.answer, writes: true }),
    base: "",
    cors: [],
    bodyLimit: 1_000_000,
    loopbackOnly: true,
    observe: () => {},
    host: "127.0.0.1",
    port: 0,
  })
  hooks.after(() => close())
  const { secret: key, hint, digest } = makeKey(model.name, randomBytes)
  const { create, actor } = createKeyPlans(model)
  const made = await faces.answer(create({ name: "tools", roles: ["staff"], hint, digest }), actor)
  if (!readKey(made)) throw new Error("no key was made")
  const staff = { authorization: `Bearer ${key}` }
  return {
    url,
    key,
    staff,
    document: async (query = "") =>
      (await (await fetch(`${url}/openapi.json?${query}`, { headers: staff })).json()) as OpenapiDocument,
  }
}
