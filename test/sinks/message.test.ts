// What a sink gives to its broker: one event, whole, with nothing in it that is shown to nobody.
import assert from "node:assert/strict"
import { test } from "node:test"
import { present } from "../../src/base/invariant.ts"
import { sinkName, webhookPrefix } from "../../src/events/handlers/followed.ts"
import { createEventIds } from "../../src/events/log/event-ids.ts"
import { brokerOf, credentialsIn } from "../../src/events/sinks/brokers.ts"
import { createMessages, subjectToken } from "../../src/events/sinks/message.ts"
import { readNatsAddress } from "../../src/events/sinks/nats-broker.ts"
import { noSink } from "../../src/events/sinks/sink.ts"
import { f, resource, role, service } from "../../src/index.ts"
import { load } from "../../src/model/load.ts"
import type { LogRow } from "../../src/storage/log-types.ts"

const staff = role("staff")
const model = load(
  service({
    name: "shop",
    roles: ["staff"],
    resources: {
      person: resource({
        key: ["email"],
        fields: {
          email: f.text(),
          pay: f.integer({ default: 0, read: staff }),
          digest: f.text({ optional: true, read: [] }),
        },
        states: {
          initial: "new",
          transitions: {
            admit: {
              from: "new",
              to: "admitted",
              input: { digest: f.text(), pay: f.integer() },
              set: { digest: { given: "digest" }, pay: { given: "pay" } },
              allow: staff,
            },
          },
        },
        allow: { read: staff, create: staff },
      }),
    },
  }),
)

const row: LogRow = {
  epoch: "0123456789",
  position: 7n,
  seq: 9n,
  resource: "person",
  record: "ada lovelace@example.org",
  version: "2",
  type: "person.admitted",
  actor: "role:staff",
  at: "2026-11-24T12:22:46.087Z",
  transition: "admit",
  from: "new",
  to: "admitted",
  input: { digest: "hidden", pay: 3 },
  old: { state: "new", digest: null, pay: 0 },
  new: { state: "admitted", digest: "hidden", pay: 3 },
  trace: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
}

test("a message is the event as clients have it, but for members that are shown to nobody", () => {
  const ids = createEventIds("a secret of the tests", "shop")
  const { of, resources } = createMessages(model, ids)
  const message = of(row)
  const id = ids.idOf(row)
  assert.deepEqual(resources, ["person"])
  assert.equal(message.subject, "person.admitted.ada%20lovelace%40example%2Eorg")
  assert.deepEqual(JSON.parse(message.body), {
    id,
    kind: "UPDATED",
    type: "person.admitted",
    resource: "person",
    recordId: "ada lovelace@example.org",
    version: "2",
    at: "2026-11-24T12:22:46.087Z",
    actor: "role:staff",
    transition: "admit",
    from: "new",
    to: "admitted",
    input: { pay: 3 },
    changes: [
      { field: "state", from: "new", to: "admitted" },
      { field: "pay", from: 0, to: 3 },
    ],
  })
  assert.deepEqual(Object.fromEntries(message.headers), {
    "ce-specversion": "1.0",
    "ce-id": id,
    "ce-source": "/shop",
    "ce-type": "person.admitted",
    "ce-subject": "ada%20lovelace@example.org",
    "ce-time": "2026-11-24T12:22:46.087Z",
    "ce-datacontenttype": "application/json",
    traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
  })
  assert.deepEqual(JSON.parse(message.cut), {
    id,
    kind: "UPDATED",
    type: "person.admitted",
    resource: "person",
    recordId: "ada lovelace@example.org",
    version: "2",
    at: "2026-11-24T12:22:46.087Z",
    isCut: true,
  })
  assert.deepEqual(of(row), message)
  const kinds = [of({ ...row, old: null }), of({ ...row, new: null })].map(
    ({ body }) => JSON.parse(body).kind,
  )
  assert.deepEqual(kinds, ["CREATED", "DELETED"])
})

test("no text of an id means anything in a subject, and each has a subject of its own", () => {
  const ids = [
    "a.b",
    "a*",
    ">",
    "a b",
    "a\r\nPUB x 1",
    "%2E",
    "ä",
    "~x",
    "x".repeat(300),
    "x".repeat(301),
    "-_",
  ]
  const tokens = ids.map(subjectToken)
  for (const token of tokens) assert.match(token, /^~?[\w%-]{1,256}$/)
  assert.equal(new Set(tokens).size, ids.length)
})

test("an address is printed without what opens it", () => {
  const { shown, servers, credentials, tls } = readNatsAddress("nats://ada:se%40cret@one:4222, tls://two")
  assert.equal(shown, "nats://one:4222,tls://two")
  assert.deepEqual(
    [servers, credentials, tls],
    [["one:4222", "two"], { user: "ada", password: "se@cret" }, {}],
  )
  assert.deepEqual(readNatsAddress("nats://token@[::1]:4222").credentials, { token: "token" })
  assert.deepEqual(readNatsAddress("nats://one", { user: "bob", caFile: "ca.pem" }), {
    servers: ["one"],
    shown: "nats://one",
    credentials: { user: "bob" },
    tls: { caFile: "ca.pem" },
  })
  for (const wrong of [
    "",
    "one:4222",
    "http://one",
    "nats://",
    "nats://ada:secret@one/path",
    "nats://one,",
    "nats://%zz@one",
  ])
    assert.throws(
      () => readNatsAddress(wrong),
      (error: Error) =>
        /no address of a NATS server/.test(error.message) && !error.message.includes("secret"),
    )
})

test("a service that has no sink any more gives up those of its brokers, and no webhook", async () => {
  const names = [sinkName("nats", "shop"), `${webhookPrefix}one`, "mail"]
  assert.deepEqual(await noSink.gone(names), ["subscriber:nats:shop"])
})

test("settings name one broker, or one that has ended", () => {
  assert.equal(brokerOf({ natsStream: "shop" }).broker, undefined)
  const at = ({ broker, hasEnded }: ReturnType<typeof brokerOf>) => [broker?.title, hasEnded]
  assert.deepEqual(at(brokerOf({ nats: "nats://one" })), ["NATS", false])
  assert.deepEqual(at(brokerOf({ nats: "none" })), ["NATS", true])
  const [nats] = [present(brokerOf({ nats: "none" }).broker, "a broker")]
  const both = [nats, { ...nats, name: "next", title: "Next" }]
  const next = { next: "next://one" }
  assert.deepEqual(at(brokerOf({ nats: "none", ...next }, both)), ["Next", false])
  assert.deepEqual(at(brokerOf({ nats: "none" }, both)), ["NATS", true])
  assert.throws(() => brokerOf({ nats: "nats://one", ...next }, both), /one broker, and NATS and Next/)
  const environment = { NATS_USER: "ada", NATS_CREDS: "", NATS_URL: "nats://one" }
  assert.deepEqual(credentialsIn(environment), { user: "ada" })
})
