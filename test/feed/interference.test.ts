// Non-interference: who follows events in two worlds that differ only in what she may not see gets the same bytes, over each
// transport. Ids of events name places in the log; beside other events they are other ids, of which nothing can be told.
import assert from "node:assert/strict"
import { describe, type TestContext, test } from "node:test"
import { actorFromText } from "../../src/access/identity/actor-text.ts"
import { eventJson } from "../../src/events/log/event-json.ts"
import { logStart } from "../../src/sql/log/epochs.ts"
import { type Database, dialects } from "../support/open-service.ts"
import { startReceiver } from "../webhooks/receiver.ts"
import { feedWithRulesOnce } from "./controls.ts"
import { openStream, until } from "./open.ts"
import { openSubscription } from "./subscriber.ts"
import { openWorld, plainModel, type World } from "./worlds.ts"

const full = process.env["BIFOLD_PROOF"] === "full"
const rounds = full ? 48 : 1
/** Of a round, of what she sees. */
const changes = 25

/** What she gets, by the way that it comes: texts in their order, or in that of each record. */
interface Followed {
  readonly channels: ReadonlyMap<string, () => readonly string[]>
  /** Ids of all events that she sees, in their order. */
  readonly ids: () => readonly string[]
  /** Resolves when each channel has what there is after so many changes, the last of them of that record. */
  settle(count: number, last: string): Promise<void>
}

async function follow(t: TestContext, { server, sender, ann, annId }: World): Promise<Followed> {
  const receivers = { full: await startReceiver(t), thin: await startReceiver(t) }
  for (const [payload, { url }] of Object.entries(receivers)) {
    const format = payload === "thin" ? "cloudevents" : "standard"
    const made = await sender.send("POST", "/webhook-endpoints", ann, {
      url,
      ownerId: annId,
      payload,
      format,
      types: ["note.*", "page.*"],
    })
    assert.equal(made.status, 201, JSON.stringify(made.body))
  }
  const all = await openStream(`${server.url}/events/stream`, ann)
  const some = await openStream(`${server.url}/events/stream?resource=note&filter[text][startsWith]=a`, ann)
  const members =
    "kind type recordId at changedFields note { text price shared dueOn owner { name } folder { title } }"
  // From where the stream begins: a subscription says nothing when it has begun.
  await until(() => all.lastId !== undefined)
  const after = all.lastId ?? ""
  const socket = openSubscription(server.url, ann, "noteChanges", { members, after })
  const narrow = openSubscription(server.url, ann, "noteChanges", {
    members,
    after,
    where: '{ text: { startsWith: "a" } }',
  })
  t.after(() => {
    for (const one of [all, some, socket, narrow]) one.cut()
  })
  const texts = (of: readonly unknown[]) => of.map((one) => JSON.stringify(one))
  const received = (name: keyof typeof receivers): readonly string[] => {
    const one = receivers[name].received.map(({ id, text, headers, body }) => ({
      text: [id, headers["content-type"], text].join("\n"),
      record: String(body.data["recordId"]),
    }))
    // Records do not wait for each other.
    return one.toSorted((a, b) => a.record.localeCompare(b.record)).map(({ text }) => text)
  }
  return {
    channels: new Map<string, () => readonly string[]>([
      ["stream", () => texts(all.frames)],
      ["stream with a condition", () => texts(some.frames)],
      ["subscription", () => texts(socket.changes)],
      ["subscription with a condition", () => texts(narrow.changes)],
      ["webhook", () => received("full")],
      ["webhook, thin", () => received("thin")],
    ]),
    ids: () => all.frames.map(({ id }) => String(id)),
    settle: (count, last) =>
      until(
        () =>
          [all, some].every(({ frames }) => frames.at(-1)?.data["recordId"] === last) &&
          [socket, narrow].every((one) => one.changes.at(-1)?.["recordId"] === last) &&
          Object.values(receivers).every((receiver) => receiver.received.length >= count),
      ),
  }
}

/** Texts with each id replaced by its place among those that she sees. */
function withoutIds(texts: readonly string[], ids: readonly string[]): readonly string[] {
  const places = new Map(ids.map((id, index) => [id, `event ${index}`]))
  return texts.map((text) => text.replaceAll(/evt_[\w-]{22}/g, (id) => places.get(id) ?? "unknown"))
}

interface Compared {
  readonly frames: number
  readonly differences: readonly string[]
}

function compare(one: Followed, other: Followed, idsAreEqual: boolean): Compared {
  let frames = 0
  const differences: string[] = []
  const of = (followed: Followed, name: string): readonly string[] => {
    const texts = followed.channels.get(name)?.() ?? []
    return idsAreEqual ? texts : withoutIds(texts, followed.ids())
  }
  for (const name of one.channels.keys()) {
    const [left, right] = [of(one, name), of(other, name)]
    frames += Math.max(left.length, right.length)
    for (let at = 0; at < Math.max(left.length, right.length); at += 1)
      if (left[at] !== right[at]) differences.push(`${name} ${at}: ${left[at]}\n${right[at]}`)
  }
  return { frames, differences }
}

async function openTwo(
  t: TestContext,
  database: Database,
  between?: number,
): Promise<readonly [World, World]> {
  const seed = full ? Math.floor(Math.random() * 1e6) : 11
  t.diagnostic(`seed ${seed}`)
  const open = (own: number) =>
    openWorld(t, { database, seed, own, ...(between !== undefined && { between }) })
  return [await open(seed + 100), await open(seed + 200)]
}

async function run(worlds: readonly [World, World], followed: readonly [Followed, Followed]): Promise<void> {
  for (let round = 1; round <= rounds; round += 1) {
    const lasts = await Promise.all(worlds.map((world) => world.round(changes)))
    await Promise.all(followed.map((one, index) => one.settle(round * changes, lasts[index] ?? "")))
  }
}

for (const database of dialects)
  describe(`two worlds that differ in what is not seen, on ${database}`, () => {
    test("give the same bytes but for ids, however much is not seen", async (t) => {
      const worlds = await openTwo(t, database)
      const followed = [await follow(t, worlds[0]), await follow(t, worlds[1])] as const
      await run(worlds, followed)
      const { frames, differences } = compare(...followed, false)
      assert.deepEqual(differences.slice(0, 3), [])
      t.diagnostic(
        `${frames} frames, 0 differences, ${worlds.map(({ unseen }) => unseen()).join(" and ")} unseen changes`,
      )
      assert.ok(frames >= rounds * changes * 3, `${frames}`)
      const ids = followed.map((one) => one.ids())
      // One id for each event, and nothing in it that grows.
      for (const own of ids) {
        assert.equal(new Set(own).size, rounds * changes)
        assert.ok(own.every((id) => /^evt_[\w-]{22}$/.test(id)))
        assert.notDeepEqual(own, own.toSorted())
      }
      const shown = followed.flatMap(({ channels }) => [...channels.values()].flatMap((texts) => texts()))
      assert.ok(!shown.some((text) => text.includes("hidden") || text.includes("secret")))
      assert.deepEqual(
        worlds.flatMap(({ server, sender }) => [...server.observed, ...sender.observed]),
        [],
      )
      const shownOnce = await Promise.all(worlds.map((world) => shownWithRulesOnce(t, world)))
      assert.notDeepEqual(
        withoutIds(shownOnce[0]?.texts ?? [], shownOnce[0]?.ids ?? []),
        withoutIds(shownOnce[1]?.texts ?? [], shownOnce[1]?.ids ?? []),
        "rules that are asked once tell the worlds apart",
      )
    })

    if (full || database === "sqlite")
      test("give the same bytes, ids as well, where as much is not seen", async (t) => {
        const worlds = await openTwo(t, database, 1)
        const followed = [await follow(t, worlds[0]), await follow(t, worlds[1])] as const
        await run(worlds, followed)
        const { frames, differences } = compare(...followed, true)
        assert.deepEqual(differences.slice(0, 3), [])
        t.diagnostic(`${frames} frames, 0 differences`)
        assert.ok(frames >= rounds * changes * 3, `${frames}`)
      })
  })

/** What a feed shows that asks for the rules only when somebody subscribes. */
async function shownWithRulesOnce(
  t: TestContext,
  { url, ann }: World,
): Promise<{ readonly texts: readonly string[]; readonly ids: readonly string[] }> {
  const feed = await feedWithRulesOnce(t, { model: plainModel, url })
  const actor = actorFromText(plainModel, ann)
  const { events } = await feed.page({ actor, places: { resource: [], conditions: [] } }, logStart, 1_000)
  return {
    texts: events.map((event) => JSON.stringify(eventJson(feed, event))),
    ids: events.map(({ row }) => feed.idOf(row)),
  }
}
