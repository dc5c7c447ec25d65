// Events keep up with states that are renamed: each type stands for all names that its state had, in each version by the name
// that the version has.
import assert from "node:assert/strict"
import { after, describe, test } from "node:test"
import { actorFromText } from "../../src/access/identity/actor-text.ts"
import { withVersions } from "../../src/access/identity/identify.ts"
import { lagAt } from "../../src/events/handlers/checkpoints.ts"
import { handlerFilter } from "../../src/events/handlers/followed.ts"
import { createEventIds } from "../../src/events/log/event-ids.ts"
import { createMessages } from "../../src/events/sinks/message.ts"
import { anyone, f, handler, resource, role, service, withCode } from "../../src/index.ts"
import type { ServiceDeclaration } from "../../src/model/declaration/declaration.ts"
import { load } from "../../src/model/load.ts"
import { withSystem } from "../../src/model/system/with-system.ts"
import { migrate } from "../../src/storage/migration/migrate.ts"
import { type FeedServer, openServer, openStream, until } from "../feed/open.ts"
import { emptyDatabase, openVersion } from "../log/versions.ts"
import { cleanUp } from "../support/database.ts"
import { dialects } from "../support/open-service.ts"
import { type Receiver, startReceiver, status } from "../webhooks/receiver.ts"

const hooks = cleanUp(after)

interface Named {
  /** The state between the first and the last. */
  readonly state: string
  readonly was?: string | readonly string[]
  readonly versions?: object
}

/** A thing is still, comes into the state in question, and is there at last. */
const things = ({ state, was, versions }: Named): ServiceDeclaration =>
  service({
    name: "things",
    roles: ["staff"],
    webhooks: { manage: role("staff"), networks: ["127.0.0.0/8"] },
    ...(versions && { versions }),
    resources: {
      thing: resource({
        id: "thg",
        fields: { name: f.text() },
        states: {
          initial: "still",
          final: ["there"],
          ...(was !== undefined && { states: { [state]: { was } } }),
          transitions: { go: { from: "still", to: state }, stop: { from: state, to: "there" } },
        },
        history: true,
        allow: { read: anyone, create: anyone, update: anyone },
      } as never),
    },
  } as never) as ServiceDeclaration

const [first, second, third] = ["2026-01-01", "2026-03-01", "2026-06-01"] as const
/** Each has the versions of those before it. */
type Generations = readonly [ServiceDeclaration, ServiceDeclaration, ServiceDeclaration]

interface Renamings {
  readonly title: string
  /** The name of the state in each version. */
  readonly states: readonly [string, string, string]
  readonly declared: Generations
}

function renamings(title: string, states: Renamings["states"], was: Named["was"]): Renamings {
  const [oldest, between, newest] = states
  const once = { [second]: [{ renamed: `thing.state.${oldest}`, to: between }], [first]: [] }
  const twice = { [third]: [{ renamed: `thing.state.${between}`, to: newest }], ...once }
  return {
    title,
    states,
    declared: [
      things({ state: oldest, versions: { [first]: [] } }),
      things({ state: between, was: oldest, versions: once }),
      things({ state: newest, ...(was !== undefined && { was }), versions: twice }),
    ],
  }
}

const renamedTwice = renamings("renamed twice", ["moving", "rolling", "in_transit"], ["moving", "rolling"])
const renamedBack = renamings("renamed and renamed back", ["moving", "rolling", "moving"], "rolling")

interface Sent {
  readonly id: string
  readonly body: Readonly<Record<string, unknown>>
}

interface Generation {
  readonly server: FeedServer
  /** Of a version; the newest when absent. */
  ask(version: string | undefined, method: string, path: string, body?: object): Promise<Sent["body"]>
  /** Makes a thing that goes. */
  go(name: string): Promise<string>
  stop(id: string): Promise<unknown>
}

async function openGeneration(
  url: string,
  declaration: ServiceDeclaration,
  { elapsed = 0 }: { readonly elapsed?: number } = {},
): Promise<Generation> {
  const model = load(withSystem(declaration))
  await migrate(url, model, { allow: [] })
  const identify = withVersions(() => actorFromText(model, "role:staff"), model)
  const server = await openServer(
    hooks,
    url,
    model,
    {
      dialer: { networks: "any" },
      now: () => Date.now() + elapsed,
      elapsed: () => performance.now() + elapsed,
    },
    { identify },
  )
  const ask: Generation["ask"] = async (version, method, path, body) => {
    const answer = await fetch(`${server.url}${path}`, {
      method,
      headers: {
        "content-type": "application/json",
        ...(version !== undefined && { "api-version": version }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    assert.ok(answer.ok, `${method} ${path}: ${text}`)
    return text === "" ? {} : (JSON.parse(text) as Sent["body"])
  }
  return {
    server,
    ask,
    async go(name) {
      const { id } = (await ask(undefined, "POST", "/things", { name })) as { readonly id: string }
      await ask(undefined, "POST", `/things/${id}/transitions/go`, {})
      return id
    },
    stop: (id) => ask(undefined, "POST", `/things/${id}/transitions/stop`, {}),
  }
}

const typesOf = ({ received }: Receiver): readonly string[] => received.map(({ body }) => body.type)
const later = 3_600_000

for (const database of dialects)
  describe(`states that are renamed on ${database}`, () => {
    interface Called {
      readonly event: {
        readonly type: string
        readonly from: string | null
        readonly to: string | null
        readonly changes: object
      }
    }
    /** A handler without a name of its own, and one with a name. */
    const handled = (state: string, declared: ServiceDeclaration, run: (called: Called) => void) =>
      withCode(declared, {
        on: {
          [`thing.${state}`]: [handler({ run: run as never }), handler({ name: "mail", run: run as never })],
          "thing.*": handler({ name: "all", run: run as never }),
        },
      } as never)
    const fail = (): void => {
      throw new Error("not yet")
    }
    /** Nothing of the first generations is handled before the last one. */
    async function afterGenerations(
      ...names: readonly (readonly [state: string, declared: ServiceDeclaration])[]
    ): Promise<readonly string[]> {
      const url = await emptyDatabase(hooks, database)
      const said: string[] = []
      const say = ({ event: { type, from, to, changes } }: Called): void =>
        void (to !== null && said.push(`${type} ${from} ${to} ${JSON.stringify(changes)}`))
      for (const [index, [state, declared]] of names.entries()) {
        const isLast = index === names.length - 1
        const version = await openVersion(url, handled(state, declared, isLast ? say : fail))
        const running = await version.start(() => Date.now() + index * 2 * later)
        if (!isLast) {
          const { body } = await version.client.rest<{ id: string }>("POST", "/things", { name: state })
          await version.client.rest("POST", `/things/${body.id}/transitions/go`)
          // Each waits, and one more has not been read when the handlers end.
          assert.ok((await running.settled()).length > 0)
          await running.close()
          const { body: next } = await version.client.rest<{ id: string }>("POST", "/things", { name: state })
          await version.client.rest("POST", `/things/${next.id}/transitions/go`)
        } else assert.deepEqual(await running.settled(), [])
        await version.close()
      }
      return said.toSorted()
    }

    const asToday = (state: string): string =>
      `thing.${state} still ${state} ${JSON.stringify({ state: { from: "still", to: state } })}`

    test("events that wait are handled under the name of today", async () => {
      const said = await afterGenerations(
        ["moving", things({ state: "moving" })],
        ["in_transit", things({ state: "in_transit", was: "moving" })],
      )
      // Two things, each by three handlers.
      assert.deepEqual(said, Array(6).fill(asToday("in_transit")))
    })

    for (const { title, states, declared } of [renamedTwice, renamedBack])
      test(`events wait for a state that is ${title}`, async () => {
        const said = await afterGenerations(
          [states[0], declared[0]],
          [states[1], declared[1]],
          [states[2], declared[2]],
        )
        assert.deepEqual(said, Array(12).fill(asToday(states[2])))
      })

    for (const { title, states, declared } of [renamedTwice, renamedBack])
      test(`pages, streams and histories have each event under the version's name (${title})`, async () => {
        const url = await emptyDatabase(hooks, database)
        const things: string[] = []
        for (const declaration of declared.slice(0, 2)) {
          const { server, go, stop } = await openGeneration(url, declaration)
          things.push(await go("a"), await go("stopped"))
          await stop(things.at(-1) ?? "")
          await server.end()
        }
        const { server, ask, go, stop } = await openGeneration(url, declared[2])
        things.push(await go("a"))
        for (const [index, id] of things.entries()) if (index % 2 === 0) await stop(id)
        const [oldest, between, newest] = states
        const names = [
          [undefined, newest],
          [third, newest],
          [second, between],
          [first, oldest],
        ] as const
        for (const [version, state] of names) {
          const type = `thing.${state}`
          const changed = (from: string, to: string) => [{ field: "state", from, to }]
          const page = await ask(version, "GET", `/events?types=${type}`)
          const data = page["data"] as readonly Readonly<Record<string, unknown>>[]
          assert.deepEqual(
            data.map(({ recordId, type: of, from, to, changes }) => ({ recordId, of, from, to, changes })),
            things.map((recordId) => ({
              recordId,
              of: type,
              from: "still",
              to: state,
              changes: changed("still", state),
            })),
          )
          const all = await ask(version, "GET", "/events?limit=100")
          assert.deepEqual(
            [...new Set((all["data"] as typeof data).map((one) => one["type"]))].toSorted(),
            ["thing.created", "thing.there", type].toSorted(),
          )
          const query = `{ events(first: 20, types: ["${type}"]) { nodes { recordId from to } }
          things { nodes { history { nodes { type from to changes } } } } }`
          const { data: found } = (await ask(version, "POST", "/graphql", { query })) as never as {
            readonly data: {
              readonly events: { readonly nodes: readonly object[] }
              readonly things: { readonly nodes: readonly object[] }
            }
          }
          assert.deepEqual(
            found.events.nodes,
            things.map((recordId) => ({ recordId, from: "still", to: state })),
          )
          assert.deepEqual(
            found.things.nodes.map((node) =>
              (node as never as { history: { nodes: object[] } }).history.nodes.slice(1),
            ),
            things.map(() => [
              { type, from: "still", to: state, changes: changed("still", state) },
              { type: "thing.there", from: state, to: "there", changes: changed(state, "there") },
            ]),
          )
          // What meets a condition, before and after each event.
          const filtered = await ask(
            version,
            "GET",
            `/events?resource=thing&filter[state]=${state}&limit=100`,
          )
          assert.deepEqual(
            (filtered["data"] as typeof data).map(({ kind, type: of }) => `${kind} ${of}`),
            things.map(() => "LEFT thing.left"),
          )
          const [begin] = all["data"] as typeof data
          const stream = await openStream(
            `${server.url}/events/stream?types=${type}&after=${begin?.["id"]}`,
            "",
            {
              ...(version !== undefined && { "api-version": version }),
            },
          )
          assert.deepEqual(
            (await stream.until(things.length)).map(({ data: of }) => of["type"]),
            things.map(() => type),
          )
          stream.cut()
        }
        // A type of another version is misspelt, and no stream without events.
        const unknown = await fetch(`${server.url}/events?types=thing.${between}`)
        assert.equal(unknown.status, 400)
        await unknown.body?.cancel()
      })

    for (const { title, states, declared } of [renamedTwice, renamedBack])
      test(`endpoints are sent what happened under each name (${title})`, async (t) => {
        const url = await emptyDatabase(hooks, database)
        const [oldest, between, newest] = states
        const endpoints: { readonly receiver: Receiver; readonly taken: string[]; readonly state: string }[] =
          []
        /** Pinned to the newest version of its time. */
        const endpoint = async ({ ask }: Generation, state: string, type = state): Promise<Receiver> => {
          const receiver = await startReceiver(t)
          receiver.answer(status(503))
          await ask(undefined, "POST", "/webhook-endpoints", { url: receiver.url, types: [`thing.${type}`] })
          endpoints.push({ receiver, taken: [], state })
          return receiver
        }
        const one = await openGeneration(url, declared[0])
        const [moving, all] = [await endpoint(one, oldest), await endpoint(one, oldest, "*")]
        const things = [await one.go("a")]
        await until(() => moving.received.length > 0 && all.received.length > 0)
        await one.server.end()
        const two = await openGeneration(url, declared[1], { elapsed: later })
        const rolling = await endpoint(two, between)
        things.push(await two.go("a"))
        await until(() => all.received.some(({ body }) => body.data["recordId"] === things[1]))
        await until(() => rolling.received.length > 0)
        await two.server.end()
        const three = await openGeneration(url, declared[2], { elapsed: 4 * later })
        await endpoint(three, newest)
        for (const { receiver, taken } of endpoints)
          receiver.answer((response, { body }) => {
            if (body.type !== "thing.created") taken.push(`${body.type} ${body.data["recordId"]}`)
            response.writeHead(204).end()
          })
        things.push(await three.go("a"), await three.go("last"))
        // Those of versions since were not there for the things of before.
        for (const [index, { taken, state }] of endpoints.entries()) {
          const expected = things.slice(Math.max(0, index - 1)).map((id) => `thing.${state} ${id}`)
          await until(() => taken.length >= expected.length)
          assert.deepEqual(taken.toSorted(), expected.toSorted())
        }
        assert.deepEqual(
          [...new Set(typesOf(all))].toSorted(),
          ["thing.created", `thing.${oldest}`].toSorted(),
        )
        assert.deepEqual(
          three.server.observed.filter(({ kind }) => kind === "failed"),
          [],
        )
      })

    test("endpoints of a service without versions keep their types and conditions", async (t) => {
      const url = await emptyDatabase(hooks, database)
      const one = await openGeneration(url, things({ state: "moving" }))
      const receiver = await startReceiver(t)
      await one.ask(undefined, "POST", "/webhook-endpoints", {
        url: receiver.url,
        types: ["thing.moving"],
        filter: { thing: { name: { eq: "a" } } },
      })
      await one.server.end()
      const renamed = things({ state: "in_transit", was: "moving" })
      const { thing } = renamed.resources
      const two = await openGeneration(url, {
        ...renamed,
        resources: { item: { ...thing, was: "thing" } },
      } as ServiceDeclaration)
      for (const name of ["b", "a"]) {
        const { id } = (await two.ask(undefined, "POST", "/items", { name })) as { readonly id: string }
        await two.ask(undefined, "POST", `/items/${id}/transitions/go`, {})
      }
      await until(() => receiver.received.length > 0)
      assert.deepEqual(
        receiver.received.map(({ body }) => [body.type, (body.data["record"] as { name: string }).name]),
        [["item.in_transit", "a"]],
      )
    })

    test("sinks are sent the name of today, and what waits for handlers is counted", async () => {
      const url = await emptyDatabase(hooks, database)
      const version = await openVersion(url, renamedTwice.declared[0])
      const { body } = await version.client.rest<{ id: string }>("POST", "/things", { name: "a" })
      await version.client.rest("POST", `/things/${body.id}/transitions/go`)
      const { log } = version.storage
      assert.ok(log)
      const rows = await log.read(0n, 10)
      // As `bifold handlers list` counts them.
      const renamed = load(handled("in_transit", renamedTwice.declared[2], () => {}))
      const waiting = [...(renamed.handlers?.values() ?? [])].map(async (one) => [
        one.name,
        (await lagAt(log, 0n, handlerFilter(renamed, one))).behind,
      ])
      assert.deepEqual(await Promise.all(waiting), [
        ["thing.in_transit", 1],
        ["mail", 1],
        ["all", 2],
      ])
      await version.close()
      const messages = createMessages(
        load(renamedTwice.declared[2]),
        createEventIds("of the tests", "things"),
      )
      const [, message] = rows.filter(({ resource: of }) => of === "thing").map((row) => messages.of(row))
      const { type, from, to, changes } = JSON.parse(message?.body ?? "") as Readonly<Record<string, unknown>>
      assert.deepEqual(
        [message?.subject, type, from, to, changes],
        [
          `thing.in_transit.${body.id}`,
          "thing.in_transit",
          "still",
          "in_transit",
          [{ field: "state", from: "still", to: "in_transit" }],
        ],
      )
    })
  })

describe("check", () => {
  const door = (leaf: object, lock: object, events?: object) =>
    service({
      name: "house",
      resources: {
        door: resource({
          fields: { colour: f.text() },
          ...(events && { events }),
          states: {
            leaf: {
              initial: "shut",
              states: leaf,
              transitions: { open: { from: "shut", to: "open" } },
            },
            lock: {
              initial: "free",
              states: lock,
              transitions: { bolt: { from: "free", to: "bolted" } },
            },
          },
        } as never),
      },
    } as never) as ServiceDeclaration
  const refused = (declared: ServiceDeclaration, message: RegExp): void =>
    assert.throws(() => load(declared), message)

  test("refuses states that swap names, and a former name that another event of the resource has", () => {
    refused(
      door({ shut: { was: "open" }, open: { was: "shut" } }, {}),
      /"shut" cannot have been "open", which is a state now/,
    )
    refused(
      door({ shut: { was: "bolted" } }, { bolted: { was: "shut" } }),
      /"shut" cannot have been "bolted", which is a state of another field now/,
    )
    refused(
      door({ shut: { was: "knocked" } }, {}, { knocked: {} }),
      /"shut" cannot have been "knocked", which is an event of its own now/,
    )
  })
})
