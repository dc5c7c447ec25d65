// Conversations with each version of the storefront, and of a service that went through every kind of change, as they were
// recorded: every answer is what it was, but for ids, times and cursors. BIFOLD_RECORD=1 records them anew.
import assert from "node:assert/strict"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { after, test } from "node:test"
import storefront from "../../examples/storefront/service.ts"
import { actorFromText } from "../../src/access/identity/actor-text.ts"
import { withVersions } from "../../src/access/identity/identify.ts"
import { load } from "../../src/model/load.ts"
import type { Model } from "../../src/model/model.ts"
import { withSystem } from "../../src/model/system/with-system.ts"
import { strangerTo } from "../../src/plan/access/actor.ts"
import { openDatabase, openServer } from "../feed/open.ts"
import { cleanUp } from "../support/database.ts"
import { type Asked, journeyConversations, storefrontConversations } from "./golden/conversations.ts"
import { journey } from "./golden/journey.ts"

const hooks = cleanUp(after)
const now = () => Date.parse("2026-11-25T00:00:00Z")

interface Exchange extends Asked {
  readonly status: number
  readonly answer: unknown
}

const folder = join(import.meta.dirname, "golden")

for (const { name, model, actor, conversations } of [
  {
    name: "storefront",
    model: load(withSystem(storefront)),
    actor: "role:staff",
    conversations: storefrontConversations,
  },
  {
    name: "journey",
    model: load(withSystem(journey)),
    actor: undefined,
    conversations: journeyConversations,
  },
])
  for (const [version, asked] of Object.entries(conversations)) {
    const file = join(folder, `${name}-${version}.ndjson`)
    for (const database of ["sqlite", "postgres"] as const)
      test(`${name} ${version} answers on ${database} as it did`, async () => {
        const exchanges = await converse(model, { database, version, actor, asked })
        if (process.env["BIFOLD_RECORD"] !== undefined && database === "sqlite")
          writeFileSync(
            file,
            exchanges
              .map(
                (exchange) => `${JSON.stringify(exchange)}
`,
              )
              .join(""),
          )
        assert.ok(existsSync(file), "nothing is recorded")
        const recorded = readFileSync(file, "utf8").trimEnd().split("\n")
        assert.equal(exchanges.length, recorded.length)
        for (const [index, exchange] of exchanges.entries())
          assert.equal(JSON.stringify(exchange), recorded[index], `${exchange.method} ${exchange.path}`)
      })
  }

async function converse(
  model: Model,
  {
    database,
    version,
    actor,
    asked,
  }: {
    readonly database: "sqlite" | "postgres"
    readonly version: string
    readonly actor: string | undefined
    readonly asked: readonly Asked[]
  },
): Promise<readonly Exchange[]> {
  const url = await openDatabase(hooks, database, model)
  const identify = withVersions(
    () => (actor === undefined ? strangerTo(model) : actorFromText(model, actor)),
    model,
    now,
  )
  const server = await openServer(hooks, url, model, {}, { identify })
  const answers: unknown[] = []
  const mask = masking()
  const exchanges: Exchange[] = []
  const filled = (text: string): string =>
    text.replace(/\$(\d+)\.(\w+)/g, (_, index: string, member: string) =>
      String((answers[Number(index) - 1] as Readonly<Record<string, unknown>>)[member]),
    )
  for (const one of asked) {
    const answered = await fetch(`${server.url}${filled(one.path)}`, {
      method: one.method,
      headers: { "api-version": version, "content-type": "application/json" },
      ...(one.body !== undefined && { body: filled(JSON.stringify(one.body)) }),
    })
    const text = await answered.text()
    answers.push(text === "" ? null : JSON.parse(text))
    assert.equal(answered.headers.get("api-version"), version)
    exchanges.push({ ...one, status: answered.status, answer: JSON.parse(mask(text === "" ? "null" : text)) })
  }
  await server.end()
  return exchanges
}

/** Ids by the order in which they are met first, in place of themselves. */
function masking(): (text: string) => string {
  const ids = new Map<string, string>()
  return (text) =>
    text
      .replace(/\b(?:evt_[A-Za-z0-9_-]{22}|[a-z]{3,4}_[0-9a-z]{26}(?![0-9a-z]))/g, (id) => {
        const known = ids.get(id) ?? `<${id.slice(0, id.indexOf("_"))} ${ids.size + 1}>`
        ids.set(id, known)
        return known
      })
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<time>")
      .replace(/"(requestId|version|next|previous|endCursor|startCursor)":"[^"]*"/g, '"$1":"<…>"')
}
