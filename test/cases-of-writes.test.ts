// Runs every folder of test/writes on both databases by both faces, each in a shop of its own; test/writes/README.md says
// what is in a folder. What a case changes is the same by either face and on either database.
import assert from "node:assert/strict"
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { after, before, describe, test } from "node:test"
import storefrontDeclaration from "../examples/storefront/service.ts"
import { cleanUp } from "./support/database.ts"
import { loadOpen } from "./support/everybody.ts"
import { dialects, type OpenService } from "./support/open-service.ts"
import { openShop, type Shop } from "./support/small-shop.ts"
import { readMessage } from "./support/spelling.ts"
import type { TextResponse } from "./support/text-face.ts"

const folder = join(import.meta.dirname, "writes")
const names = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name)
const update = process.env["BIFOLD_UPDATE"] === "1"
const model = loadOpen(storefrontDeclaration)

test("there are at least thirty behaviours", () => {
  assert.ok(names.length >= 30, `${names.length}`)
})

function golden(name: string, file: string, text: string): void {
  const path = join(folder, name, file)
  if (update) writeFileSync(path, text)
  assert.equal(text, existsSync(path) ? readFileSync(path, "utf8") : undefined, `${name}/${file}`)
}

const read = (name: string, file: string): string | undefined => {
  const path = join(folder, name, file)
  return existsSync(path) ? readFileSync(path, "utf8") : undefined
}

for (const database of dialects)
  for (const face of ["graphql", "rest"] as const)
    describe(`writes on ${database} by ${face}`, () => {
      const hooks = cleanUp(after)
      let shop: Shop
      before(async () => {
        shop = await openShop(hooks, model, database)
      })
      for (const name of names)
        test(name.replaceAll("-", " "), async () => {
          if (read(name, face === "graphql" ? "request.graphql" : "request.http") === undefined) return
          const service = await shop.refill()
          const state = await dump(service)
          const answers = face === "graphql" ? await askGraphql(service, name) : await askRest(service, name)
          if (answers === undefined) return
          golden(name, `answer.${face}.json`, answers)
          golden(name, "effect.txt", difference(state, await dump(service)))
        })
    })

/** `request.graphql` holds one document, or several that are sent one after the other, each after a line `###`. */
async function askGraphql(service: OpenService, name: string): Promise<string | undefined> {
  const document = read(name, "request.graphql")
  if (document === undefined) return undefined
  const variables: unknown = JSON.parse(read(name, "variables.json") ?? "{}")
  const answers: unknown[] = []
  for (const query of document.split(/^###\n/m)) {
    const response = await service.graphql({ body: { query, variables } })
    answers.push(shown(response))
  }
  return text(answers)
}

async function askRest(service: OpenService, name: string): Promise<string | undefined> {
  const messages = read(name, "request.http")
  if (messages === undefined) return undefined
  const answers: unknown[] = []
  for (const message of messages.split(/^###\n/m)) {
    const response = await service.rest(readMessage(message))
    answers.push({ ...shown(response), ...headersOf(response) })
  }
  return text(answers)
}

const text = (answers: readonly unknown[]): string =>
  `${JSON.stringify(answers.length === 1 ? answers[0] : answers, null, 2)}\n`

function shown({ status, body }: TextResponse): object {
  return { status, ...(body === "" ? {} : { body: withoutIds(JSON.parse(body)) }) }
}

const told = ["location", "etag", "preference-applied", "idempotency-replayed", "allow"] as const

/** Tags but for what they say of the bytes. */
const headersOf = ({ headers }: TextResponse): object => {
  const kept = told.flatMap((name) => {
    const value = headers[name]
    return value === undefined ? [] : [[name, value.replace(/\..*"$/, '.…"')]]
  })
  return kept.length === 0 ? {} : { headers: Object.fromEntries(kept) }
}

/** Requests are told apart by ids that nobody can foretell. */
function withoutIds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutIds)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) =>
      name === "requestId" ? [] : [[name, withoutIds(inner)]],
    ),
  )
}

/** Every record with its version and links, a line each. */
async function dump(service: OpenService): Promise<readonly string[]> {
  const lines: string[] = []
  for (const resource of model.resources.values()) {
    const fields = [
      ...resource.fields.keys(),
      ...[...resource.relations.values()].flatMap((one) =>
        one.kind === "one" && one.reference ? [one.reference] : [],
      ),
      "etag",
    ]
    const links = [...resource.relations.values()].flatMap((one) =>
      one.kind === "many" && one.through ? [`&include=${one.name}&include[${one.name}][fields]=id`] : [],
    )
    const query = `limit=100&fields=${fields.join()}${links.join("")}`
    const response = await service.rest({ method: "GET", path: `/${resource.path}`, query })
    assert.equal(response.status, 200, response.body)
    for (const record of JSON.parse(response.body).data)
      lines.push(`${resource.name} ${JSON.stringify(record)}`)
  }
  return lines
}

function difference(before: readonly string[], now: readonly string[]): string {
  const lines = [
    ...before.filter((line) => !now.includes(line)).map((line) => `- ${line}`),
    ...now.filter((line) => !before.includes(line)).map((line) => `+ ${line}`),
  ]
  return lines.length === 0 ? "nothing\n" : `${lines.join("\n")}\n`
}
