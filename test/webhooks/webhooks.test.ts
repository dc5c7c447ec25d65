// Webhooks as their owners have them: what is sent, in which order, by whose rules, and what becomes of what is not taken.
import assert from "node:assert/strict"
import { createPublicKey, verify as verifySignature } from "node:crypto"
import { after, describe, test } from "node:test"
import { setTimeout as sleep } from "node:timers/promises"
import { Ajv2020 } from "ajv/dist/2020.js"
import formats from "ajv-formats"
import { load } from "../../src/model/load.ts"
import { withSystem } from "../../src/model/system/with-system.ts"
import { notes } from "../feed/notes.ts"
import { type FeedServer, openDatabase, openServer, until } from "../feed/open.ts"
import { cleanUp } from "../support/database.ts"
import { dialects } from "../support/open-service.ts"
import { type Received, startReceiver, status, verify } from "./receiver.ts"

const staff = "role:staff"
const model = load(
  withSystem({ ...notes, webhooks: { manage: { role: "staff" }, networks: ["127.0.0.0/8", "10.0.0.0/8"] } }),
)

interface MadeEndpoint {
  readonly id: string
  readonly secret: string
  readonly publicKey: string
}

async function endpointAt(
  server: FeedServer,
  url: string,
  actor = staff,
  more: object = {},
): Promise<MadeEndpoint> {
  const { status: code, body } = await server.send("POST", "/webhook-endpoints", actor, {
    url,
    ...(actor === staff && { roles: ["staff"] }),
    ...more,
  })
  assert.equal(code, 201, JSON.stringify(body))
  return body as unknown as MadeEndpoint
}

interface Listed {
  readonly data: readonly {
    readonly status: string
    readonly type: string
    readonly event: string
    readonly attempts: number
    readonly log: readonly { readonly status?: number; readonly error?: string }[]
  }[]
}

async function deliveries(server: FeedServer, actor = staff): Promise<Listed["data"]> {
  const { status: code, body } = await server.send("GET", "/webhook-deliveries?sort=createdAt", actor)
  assert.equal(code, 200, JSON.stringify(body))
  return (body as unknown as Listed).data
}

/** What a service says of itself. */
function described(document: object): { readonly ajv: Ajv2020; readonly errors: () => string } {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  formats.default(ajv)
  ajv.addSchema({ $id: "service", ...document })
  return { ajv, errors: () => JSON.stringify(ajv.errors) }
}

/** The schema of the JSON that is sent or answered. */
const pointer = (...steps: readonly string[]): string =>
  `service#${[...steps, "content", "application/json", "schema"]
    .map((step) => `/${encodeURIComponent(step.replaceAll("/", "~1"))}`)
    .join("")}`

for (const database of dialects) {
  describe(`webhooks on ${database}`, () => {
    const hooks = cleanUp(after)
    let person = ""
    const opened = (async () => {
      const url = await openDatabase(hooks, database, model)
      // Narrower than what endpoints may name.
      const server = await openServer(hooks, url, model, { dialer: { networks: ["127.0.0.0/8"] } })
      person = (await server.send("POST", "/people", staff, { name: "Ada" })).body.id
      return server
    })()
    const noteOf = async (server: FeedServer, text: string, more: object = {}): Promise<string> => {
      const { status: code, body } = await server.send("POST", "/notes", staff, {
        text,
        ownerId: person,
        ...more,
      })
      assert.equal(code, 201, JSON.stringify(body))
      return body.id
    }

    test("events are sent in order, signed by both signatures, and written down", async (t) => {
      const server = await opened
      const receiver = await startReceiver(t)
      const { id, secret, publicKey } = await endpointAt(server, receiver.url, staff, { types: ["note.*"] })
      assert.match(secret, /^whsec_/)
      const note = await noteOf(server, "one")
      await server.send("PATCH", `/notes/${note}`, staff, { text: "two" })
      await server.send("POST", `/notes/${note}/transitions/publish`, staff, { why: "done" })
      await until(() => receiver.received.length === 3)
      await server.send("DELETE", `/notes/${note}`, staff)
      await until(() => receiver.received.length === 4)
      const { received } = receiver
      assert.deepEqual(
        received.map(({ body }) => body.type),
        ["note.created", "note.updated", "note.published", "note.deleted"],
      )
      for (const one of received) {
        assert.ok(verify(secret, one))
        assert.equal(one.body.data["id"], one.id)
        const [, raw = ""] = /v1a,(\S+)/.exec(String(one.headers["webhook-signature"])) ?? []
        const x = Buffer.from(publicKey.slice(5), "base64").toString("base64url")
        const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" })
        const signed = `${one.id}.${one.headers["webhook-timestamp"]}.${one.text}`
        assert.ok(verifySignature(null, Buffer.from(signed), key, Buffer.from(raw, "base64")))
      }
      assert.throws(() => verify("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", received[0] as never))
      const record = received[1]?.body.data["record"] as { readonly text: string }
      assert.equal(record === null ? null : typeof record.text, record === null ? null : "string")
      await until(
        async () => (await deliveries(server)).filter(({ status }) => status === "delivered").length === 4,
      )
      assert.deepEqual(
        (await deliveries(server)).map(({ event, attempts }) => [event, attempts]),
        received.map((one) => [one.id, 1]),
      )
      const { body: document } = await server.send("GET", "/openapi.json", staff)
      const { ajv, errors } = described(document)
      for (const { body } of received)
        assert.ok(
          ajv.validate({ $ref: pointer("webhooks", body.type, "post", "requestBody") }, body),
          errors(),
        )
      const { body: page } = await server.send("GET", "/events?resource=note", staff)
      assert.ok(
        ajv.validate({ $ref: pointer("paths", "/events", "get", "responses", "200") }, page),
        errors(),
      )
      const wrong = { ...received[0]?.body, type: "note.sold" }
      assert.ok(!ajv.validate({ $ref: pointer("webhooks", "note.created", "post", "requestBody") }, wrong))
      await server.send("DELETE", `/webhook-endpoints/${id}`, staff)
    })

    test("an owner is sent what its rules let it see, and what leaves its sight once", async (t) => {
      const server = await opened
      const receiver = await startReceiver(t)
      const other = (await server.send("POST", "/people", staff, { name: "Bob" })).body.id
      const own = `person:${other}`
      const denied = await server.send("POST", "/webhook-endpoints", own, {
        url: receiver.url,
        ownerId: person,
      })
      assert.equal(denied.status, 403, JSON.stringify(denied.body))
      const raised = await server.send("POST", "/webhook-endpoints", own, {
        url: receiver.url,
        ownerId: other,
        roles: ["staff"],
      })
      assert.deepEqual([raised.status, raised.body["code"]], [400, "readonly_field"])
      const { id } = await endpointAt(server, receiver.url, own, { ownerId: other })
      const hidden = await noteOf(server, "hidden", { secret: "s" })
      const seen = await noteOf(server, "seen", { ownerId: other, secret: "s" })
      await until(() => receiver.received.length === 1)
      await server.send("PATCH", `/notes/${hidden}`, staff, { shared: true })
      await until(() => receiver.received.length === 2)
      await server.send("PATCH", `/notes/${hidden}`, staff, { shared: false })
      await until(() => receiver.received.length >= 3)
      assert.deepEqual(
        receiver.received.map(({ body: { type, data } }) => [type, data["kind"], data["recordId"]]),
        [
          ["note.created", "CREATED", seen],
          ["note.updated", "ENTERED", hidden],
          ["note.left", "LEFT", hidden],
        ],
      )
      assert.ok(!receiver.received.some(({ text }) => text.includes("secret")))
      // A delivery is written down after its receiver has answered.
      await until(async () => (await deliveries(server, own)).length >= 3)
      assert.deepEqual((await deliveries(server, own)).length, 3)
      assert.deepEqual((await deliveries(server, `person:${person}`)).length, 0)
      await server.send("DELETE", `/webhook-endpoints/${id}`, own)
      assert.deepEqual((await deliveries(server, own)).length, 0)
    })

    test("conditions and types choose, thin payloads have an id, CloudEvents their envelope", async (t) => {
      const server = await opened
      const receiver = await startReceiver(t)
      const { id } = await endpointAt(server, receiver.url, staff, {
        types: ["note.created"],
        filter: { note: { price: { gt: "5" } } },
        payload: "thin",
        format: "cloudevents",
      })
      await noteOf(server, "cheap")
      const dear = await noteOf(server, "dear", { price: "9.00" })
      await server.send("PATCH", `/notes/${dear}`, staff, { text: "changed" })
      const last = await noteOf(server, "last", { price: "9.00" })
      await until(() => receiver.received.length >= 2)
      // What is not wanted would be sent by now.
      await sleep(300)
      const timeOf = ({ body }: Received): number => Date.parse(String(body["time"]))
      const byTime = receiver.received.toSorted((one, other) => timeOf(one) - timeOf(other))
      assert.deepEqual(
        byTime.map(({ body }) => body),
        [dear, last].map((recordId, index) => ({
          specversion: "1.0",
          id: byTime[index]?.id,
          source: "/notes",
          type: "note.created",
          subject: recordId,
          time: byTime[index]?.body["time"],
          datacontenttype: "application/json",
          data: { id: byTime[index]?.id, resource: "note", recordId },
        })),
      )
      assert.equal(receiver.received[0]?.headers["content-type"], "application/cloudevents+json")
      for (const [wrong, at] of [
        [{ filter: { note: { colour: { eq: 1 } } } }, "colour"],
        [{ filter: { nothing: {} } }, "nothing"],
        [{ filter: "all" }, "object"],
        [{ types: ["note.sold"] }, "note.sold"],
        [{ url: "ftp://example.com" }, "url"],
      ] as const) {
        const refused = await server.send("POST", "/webhook-endpoints", staff, {
          url: receiver.url,
          ...wrong,
        })
        assert.ok(refused.status === 400 || refused.status === 422, JSON.stringify(refused.body))
        assert.match(JSON.stringify(refused.body), new RegExp(at))
      }
      const bySecret = { url: receiver.url, ownerId: person, filter: { note: { secret: { eq: "s" } } } }
      const refused = await server.send("POST", "/webhook-endpoints", `person:${person}`, bySecret)
      assert.ok(refused.status >= 400 && refused.status < 500, "a field that it may not read")
      const made = await server.send("POST", "/webhook-endpoints", staff, bySecret)
      assert.equal(made.status, 201, "staff may read it, the endpoint may not")
      const path = `/webhook-endpoints/${made.body.id}`
      // No event has to come before.
      await until(async () => (await server.send("GET", path, staff)).body["state"] === "disabled")
      const { body: disabled } = await server.send("GET", path, staff)
      assert.match(String(disabled["problem"]), /^Its filter cannot be asked: .*secret/)
      await server.send("DELETE", `/webhook-endpoints/${id}`, staff)
    })

    test("what fails is tried again and holds up its record alone; 410 disables", async (t) => {
      const server = await opened
      const receiver = await startReceiver(t)
      const { id } = await endpointAt(server, receiver.url, staff, { types: ["note.*"] })
      const bad = await noteOf(server, "bad")
      await until(() => receiver.received.length >= 1)
      receiver.answer((response, { body }) =>
        status(body.data["recordId"] === bad ? 503 : 200)(response, {} as never),
      )
      await server.send("PATCH", `/notes/${bad}`, staff, { text: "bad 2" })
      await server.send("PATCH", `/notes/${bad}`, staff, { text: "bad 3" })
      await until(() => receiver.received.length >= 2)
      const good = await noteOf(server, "good")
      await until(() => receiver.received.some(({ body }) => body.data["recordId"] === good))
      receiver.answer(status(204))
      // Five seconds after the first failure, more or less.
      await until(() => receiver.received.filter(({ body }) => body.data["recordId"] === bad).length >= 4)
      const ofBad = receiver.received.filter(({ body }) => body.data["recordId"] === bad)
      assert.equal(ofBad[1]?.id, ofBad[2]?.id, "tried again with its id")
      assert.notEqual(ofBad[2]?.id, ofBad[3]?.id)
      assert.equal(receiver.most(), 1)
      await until(async () => (await deliveries(server)).every(({ status }) => status === "delivered"))
      const tried = (await deliveries(server)).find(({ event }) => event === ofBad[1]?.id)
      assert.deepEqual(
        tried?.log.map((one) => one.status),
        [503, 204],
      )
      const forbidden = await endpointAt(server, "http://10.1.2.3/hook", staff, { types: ["note.created"] })
      await noteOf(server, "to nobody")
      await until(async () => {
        const { body } = await server.send("GET", `/webhook-endpoints/${forbidden.id}`, staff)
        return body["state"] === "disabled" && String(body["problem"]).includes("private or reserved")
      })
      await server.send("DELETE", `/webhook-endpoints/${forbidden.id}`, staff)
      receiver.answer(status(410))
      await noteOf(server, "gone")
      await until(async () => {
        const { body } = await server.send("GET", `/webhook-endpoints/${id}`, staff)
        return body["state"] === "disabled" && String(body["problem"]).includes("410")
      })
      receiver.answer(status(204))
      const before = receiver.received.length
      await server.send("POST", `/webhook-endpoints/${id}/transitions/resume`, staff)
      await until(() => receiver.received.length > before)
      await server.send("DELETE", `/webhook-endpoints/${id}`, staff)
    })

    test("tests, redeliveries, replays and pauses are asked for, and done", async (t) => {
      const server = await opened
      const receiver = await startReceiver(t)
      const { id, secret } = await endpointAt(server, receiver.url, staff, { types: ["note.created"] })
      const fire = (transition: string, input: object = {}) =>
        server.send("POST", `/webhook-endpoints/${id}/transitions/${transition}`, staff, input)
      assert.equal((await fire("test")).status, 200)
      await until(() => receiver.received.length === 1)
      assert.equal(receiver.received[0]?.body.type, "webhook.test")
      const notes = [await noteOf(server, "first"), await noteOf(server, "second")]
      await until(() => receiver.received.length === 3)
      // Records do not wait for each other.
      const [first, second] = notes.map((note) =>
        receiver.received.find(({ body }) => body.data["recordId"] === note),
      )
      await fire("redeliver", { event: first?.id })
      await until(() => receiver.received.length === 4)
      assert.equal(receiver.received[3]?.id, first?.id)
      await fire("pause")
      await noteOf(server, "third")
      await fire("resume")
      await until(() => receiver.received.length === 5)
      const third = receiver.received[4]
      await fire("replay", { after: first?.id, until: third?.id })
      await until(() => receiver.received.length === 7)
      assert.deepEqual(
        receiver.received
          .slice(5)
          .map((one) => one.id)
          .toSorted(),
        [second?.id, third?.id].toSorted(),
      )
      await until(async () => {
        const { body } = await server.send("GET", `/webhook-endpoints/${id}`, staff)
        return Array.isArray(body["replays"]) && body["replays"].length === 0
      })
      receiver.answer(async (response) => {
        await sleep(1_500)
        response.writeHead(204).end()
      })
      await Promise.all([
        fire("replay", { after: first?.id, until: second?.id }),
        fire("redeliver", { event: second?.id }),
      ])
      await until(() => receiver.received.length === 9)
      await until(async () => {
        const { body } = await server.send("GET", `/webhook-endpoints/${id}`, staff)
        return Array.isArray(body["replays"]) && body["replays"].length === 0
      })
      assert.equal(receiver.most(), 1, "never two at a time of a record")
      receiver.answer(status(204))
      assert.equal((await fire("redeliver", { event: "evt_1" })).status, 400)
      await fire("redeliver", { event: "evt_AAAAAAAAAAAAAAAAAAAAAA" })
      await until(async () =>
        String((await server.send("GET", `/webhook-endpoints/${id}`, staff)).body["problem"]).includes(
          "not in the log",
        ),
      )
      const further = await server.send("POST", "/webhook-secrets", staff, { endpointId: id })
      assert.equal(further.status, 201, JSON.stringify(further.body))
      await fire("test")
      await until(() => receiver.received.length === 10)
      const both = receiver.received[9]
      assert.ok(both && verify(secret, both) && verify(String(further.body["secret"]), both))
      await server.send("DELETE", `/webhook-endpoints/${id}`, staff)
    })
  })
}
