// Secrets that follow each other: a message is signed with the newest one as soon as its maker has it, and with each other one
// for a day after its successor was made.
import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { mostSigning, signingSeeds } from "../../src/events/webhooks/payload.ts"
import { load } from "../../src/model/load.ts"
import { withSystem } from "../../src/model/system/with-system.ts"
import { notes } from "../feed/notes.ts"
import { openDatabase, openServer, until } from "../feed/open.ts"
import { dialects } from "../support/open-service.ts"
import { type Received, startReceiver, verify } from "./receiver.ts"

const staff = "role:staff"
const model = load(
  withSystem({ ...notes, webhooks: { manage: { role: "staff" }, networks: ["127.0.0.0/8"] } }),
)
const hour = 3_600_000

function isSigned(secret: string, received: Received): boolean {
  try {
    return Boolean(verify(secret, received))
  } catch {
    return false
  }
}

describe("secrets that follow each other", () => {
  for (const database of dialects)
    test(`all sign what is sent after the answer that made the last one: ${database}`, async (context) => {
      const server = await openServer(context, await openDatabase(context, database, model), model)
      const receiver = await startReceiver(context)
      const made = await server.send("POST", "/webhook-endpoints", staff, { url: receiver.url })
      const secrets = [String(made.body["secret"])]
      for (let count = 1; count <= 6; count += 1) {
        const further = await server.send("POST", "/webhook-secrets", staff, { endpointId: made.body.id })
        secrets.push(String(further.body["secret"]))
        await server.send("POST", `/webhook-endpoints/${made.body.id}/transitions/test`, staff)
        await until(() => receiver.received.length === count)
        const last = receiver.received.at(-1)
        assert.deepEqual(
          secrets.map((secret) => last && isSigned(secret, last)),
          secrets.map(() => true),
        )
      }
    })

  test("one ends a day after its successor was made, and not before", () => {
    const seeds = ["a", "b", "c", "d"].map((seed, index) => ({ seed, since: index * 10 * hour }))
    const at = (hours: number): string => signingSeeds(seeds, hours * hour).join("")
    assert.deepEqual([30, 33, 34, 43, 44, 53, 54, 1_000].map(at), [
      "dcba",
      "dcba",
      "dcb",
      "dcb",
      "dc",
      "dc",
      "d",
      "d",
    ])
    const many = Array.from({ length: 100 }, (_, index) => ({ seed: `${index}`, since: index }))
    assert.deepEqual(
      signingSeeds(many, 200),
      many
        .slice(-mostSigning)
        .map(({ seed }) => seed)
        .reverse(),
    )
  })
})
