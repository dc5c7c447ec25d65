// The script of docs/guide/sign-in.md signs tokens that a service with the printed key accepts.
import assert from "node:assert/strict"
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { after, test } from "node:test"
import { fileURLToPath } from "node:url"
import { cleanUp } from "../support/database.ts"
import { blocksOf } from "../support/documents.ts"
import { customersOf, openShop } from "./shop.ts"

const root = fileURLToPath(new URL("../../", import.meta.url))
const page = readFileSync(new URL("../../docs/guide/sign-in.md", import.meta.url), "utf8")
const hooks = cleanUp(after)

test("docs/guide/sign-in.md signs a token, and its public key lets the service accept it", async () => {
  const script =
    blocksOf(page).find(({ info }) => info === "js")?.text ?? assert.fail("the page has a script")
  const run = (): readonly string[] =>
    execFileSync(process.execPath, ["--input-type=module"], {
      cwd: root,
      input: script.replace("cus_…", "cus_1"),
      encoding: "utf8",
    }).split("\n")
  const [key = "", token = ""] = run()
  const issuer = "https://login.example.com/"
  const audience = "https://api.example.com"
  const jwt = { issuer, audience, algorithms: ["ES256"], viewer: "customer_id" } as const
  const shop = await openShop(hooks, { identity: { jwt: { ...jwt, jwks: { keys: [JSON.parse(key)] } } } })
  assert.deepEqual(await customersOf(shop, token), ["Ada"])
  assert.equal(await customersOf(shop, run()[1] ?? ""), 401, "a token of another key")
})
