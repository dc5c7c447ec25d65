// Events keep up with states that are renamed: each type stands for all names that its state had, in each version by the name
// that the version has.
import assert from "node:assert/strict"
import { after, describe, test } from "node:test"
import { handlerFilter } from "../../src/events/followed.ts"
import { lagAt } from "../../src/events/lag.ts"
import { createEventIds } from "../../src/feed/event-ids.ts"
import { actorFromText } from "../../src/identity/actor-text.ts"
import { withVersions } from "../../src/identity/choose-version.ts"
import { anyone, f, handler, resource, role, service, withCode } from "../../src/index.ts"
import type { ServiceDeclaration } from "../../src/model/declaration/declaration.ts"
import { load } from "../../src/model/load.ts"
import { createMessages } from "../../src/sinks/message.ts"
import { migrate } from "../../src/storage/migration/migrate.ts"
import { withSystem } from "../../src/system/with-system.ts"
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
const renamedTwice = {
  [third]: [{ renamed: "thing.state.rolling", to: "in_transit" }],
  [second]: [{ renamed: "thing.state.moving", to: "rolling" }],
  [first]: [],
}
const generations = {
  moving: things({ state: "moving", versions: { [first]: [] } }),
  rolling: things({
    state: "rolling",
    was: "moving",
    versions: { [second]: renamedTwice[second], [first]: [] },
  }),
  inTransit: things({ state: "in_transit", was: ["moving", "rolling"], versions: renamedTwice }),
} as const

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
    const handled = (state: string, was: Named["was"], run: (called: Called) => void) =>
      withCode(things({ state, ...(was !== undefined && { was }) }), {
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
      ...names: readonly (readonly [state: string, was: Named["was"]])[]
    ): Promise<readonly string[]> {
      const url = await emptyDatabase(hooks, database)
      const said: string[] = []
      const say = ({ event: { type, from, to, changes } }: Called): void =>
        void (to !== null && said.push(`${type} ${from} ${to} ${JSON.stringify(changes)}`))
      for (const [index, [state, was]] of names.entries()) {
        const isLast = index === names.length - 1
        const version = await openVersion(url, handled(state, was, isLast ? say : fail))
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

    test("events that wait are handled under the name of today", async () => {
      const event = 'thing.in_transit still in_transit {"state":{"from":"still","to":"in_transit"}}'
      const once = await afterGenerations(["moving", undefined], ["in_transit", "moving"])
      // Two things, each by three handlers.
      assert.deepEqual(once, Array(6).fill(event))
      const twice = await afterGenerations(
        ["moving", undefined],
        ["rolling", "moving"],
        ["in_transit", ["rolling", "moving"]],
      )
      assert.deepEqual(twice, Array(12).fill(event))
    })

    test("events wait for a state that is renamed back", async () => {
      const said = await afterGenerations(
        ["moving", undefined],
        ["in_transit", "moving"],
        ["moving", "in_transit"],
      )
      const event = 'thing.moving still moving {"state":{"from":"still","to":"moving"}}'
      assert.deepEqual(said, Array(12).fill(event))
    })

    test("pages, streams and histories have each event under the version's name", async () => {
      const url = await emptyDatabase(hooks, database)
      const things: string[] = []
      for (const declaration of [generations.moving, generations.rolling]) {
        const { server, go, stop } = await openGeneration(url, declaration)
        things.push(await go("a"), await go("stopped"))
        await stop(things.at(-1) ?? "")
        await server.end()
      }
      const { server, ask, go, stop } = await openGeneration(url, generations.inTransit)
      things.push(await go("a"))
      for (const [index, id] of things.entries()) if (index % 2 === 0) await stop(id)
      const names = [
        [undefined, "in_transit"],
        [third, "in_transit"],
        [second, "rolling"],
        [first, "moving"],
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
        const filtered = await ask(version, "GET", `/events?resource=thing&filter[state]=${state}&limit=100`)
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
      const unknown = await fetch(`${server.url}/events?types=thing.moving`)
      assert.equal(unknown.status, 400)
      await unknown.body?.cancel()
    })

    test("endpoints are sent what happened under each name", async (t) => {
      const url = await emptyDatabase(hooks, database)
      const one = await openGeneration(url, generations.moving)
      const receivers: Receiver[] = []
      const endpoint = async (types: readonly string[]): Promise<Receiver> => {
        const receiver = await startReceiver(t)
        receiver.answer(status(503))
        await one.ask(undefined, "POST", "/webhook-endpoints", { url: receiver.url, types })
        receivers.push(receiver)
        return receiver
      }
      const [moving, all] = [await endpoint(["thing.moving"]), await endpoint(["thing.*"])]
      const things = [await one.go("a")]
      await until(() => moving.received.length > 0 && all.received.length > 0)
      await one.server.end()
      const two = await openGeneration(url, generations.rolling, { elapsed: later })
      things.push(await two.go("a"))
      await until(() => all.received.some(({ body }) => body.data["recordId"] === things[1]))
      await two.server.end()
      for (const receiver of receivers) receiver.answer(status(204))
      const three = await openGeneration(url, generations.inTransit, { elapsed: 4 * later })
      things.push(await three.go("a"))
      const had = (receiver: Receiver): readonly string[] =>
        receiver.received.map(({ body }) => `${body.type} ${body.data["recordId"]}`)
      await until(() => things.every((id) => had(moving).includes(`thing.moving ${id}`)))
      await until(() => things.every((id) => had(all).includes(`thing.moving ${id}`)))
      assert.deepEqual([...new Set(typesOf(moving))], ["thing.moving"])
      assert.deepEqual([...new Set(typesOf(all))].toSorted(), ["thing.created", "thing.moving"])
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
      const version = await openVersion(url, generations.moving)
      const { body } = await version.client.rest<{ id: string }>("POST", "/things", { name: "a" })
      await version.client.rest("POST", `/things/${body.id}/transitions/go`)
      const { log } = version.storage
      assert.ok(log)
      const rows = await log.read(0n, 10)
      // As `bifold handlers list` counts them.
      const renamed = load(handled("in_transit", ["moving", "rolling"], () => {}))
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
      const messages = createMessages(load(generations.inTransit), createEventIds("of the tests", "things"))
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
