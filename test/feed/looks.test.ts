// The looks of followers: clients take turns, few run at a time, equal ones are one, and a client that has much to send waits.
import assert from "node:assert/strict"
import { after, describe, test } from "node:test"
import { actorFromText } from "../../src/access/identity/actor-text.ts"
import { createFeed, createLooks } from "../../src/events/log/feed.ts"
import { OwnRoom } from "../../src/events/log/room.ts"
import type { AnswerPlan } from "../../src/http/face.ts"
import { load } from "../../src/model/load.ts"
import { withSystem } from "../../src/model/system/with-system.ts"
import { createFaces } from "../../src/server/service.ts"
import { openStorage } from "../../src/storage/open.ts"
import { cleanUp } from "../support/database.ts"
import { notes } from "./notes.ts"
import { openDatabase, openServer, until } from "./open.ts"

const hooks = cleanUp(after)
const staff = "role:staff"
const secret = "a secret of the tests"

describe("looks", () => {
  test("of one client do not come before another's, however many they are", async () => {
    const looks = createLooks()
    const order: string[] = []
    let [running, most] = [0, 0]
    const work = (name: string) => async (): Promise<void> => {
      running += 1
      most = Math.max(most, running)
      order.push(name)
      await new Promise<void>((resolve) => setImmediate(resolve))
      running -= 1
    }
    const all = Array.from({ length: 500 }, () => looks.add("many", work("many")))
    all.push(looks.add("one", work("one")))
    await Promise.all(all.map(({ result }) => result))
    assert.equal(order.length, 501)
    assert.ok(order.indexOf("one") < 4, `${order.indexOf("one")}`)
    assert.ok(most <= 16, `${most} at a time`)
  })

  test("that several wait for run once, in the first turn", async () => {
    const looks = createLooks()
    const order: string[] = []
    const add = (client: string, name: string) => looks.add(client, async () => void order.push(name))
    const others = Array.from({ length: 100 }, () => add("many", "many"))
    const shared = add("many", "shared")
    looks.join("one", shared)
    await Promise.all([...others, shared].map(({ result }) => result))
    assert.ok(order.indexOf("shared") < 4)
    assert.equal(order.filter((name) => name === "shared").length, 1)
  })

  test("of a client that has much to send wait until it has sent some", async () => {
    const room = new OwnRoom({ client: 8_000_000, all: 32_000_000, unmeasured: 1_000 })
    const looks = createLooks((client) => !room.isFull(client))
    const order: string[] = []
    const large = await room.enter({ client: "slow" }, 9_000_000)
    const waits = looks.add("slow", async () => void order.push("slow"))
    await looks.add("quick", async () => void order.push("quick")).result
    assert.deepEqual(order, ["quick"])
    large.release()
    looks.resume()
    await waits.result
    assert.deepEqual(order, ["quick", "slow"])
  })

  test("are paid by their comparisons, and a follower without points goes on from where it was", async () => {
    const model = load(withSystem(notes))
    const url = await openDatabase(hooks, "sqlite")
    const server = await openServer(hooks, url)
    const storage = await openStorage(url, { writes: "unsafe" })
    hooks.after(() => storage.close())
    const { log } = storage
    assert.ok(log)
    const { answer } = createFaces({ model, storage, secret, base: "" })
    let asked = 0
    const counted: AnswerPlan = (plan, actor) => {
      asked += 1
      return answer(plan, actor)
    }
    const feed = createFeed({ model, log, answer: counted, secret, look: 20 })
    hooks.after(() => feed.close())
    const { body } = await server.send("POST", "/people", staff, { name: "A" })
    const write = (text: string) => server.send("POST", "/notes", staff, { text, ownerId: body.id })
    await write("first")
    const from = await feed.after("now", [])
    const never = { or: Array.from({ length: 99 }, (_, at) => ({ text: { eq: `never ${at}` } })) }
    const subscription = (conditions: readonly object[]) => ({
      actor: actorFromText(model, staff),
      resource: "note",
      conditions: conditions.map((value) => ({ encoding: "json" as const, value })),
      places: { resource: [], conditions: [] },
    })
    const paid: number[] = []
    let rich = Promise.withResolvers<void>()
    const ending = new AbortController()
    hooks.after(() => ending.abort())
    const texts: unknown[] = []
    const condition = { or: [...never.or, { text: { eq: "wanted" } }] }
    const follow = async (): Promise<void> => {
      const items = feed.follow(subscription([condition]), from, ending.signal, {
        client: "poor",
        pay: async (points) => {
          paid.push(points)
          await rich.promise
        },
      })
      for await (const item of items)
        if (item.kind === "events") texts.push(...item.events.map(({ entry }) => entry?.changes[0]?.to))
    }
    void follow()
    for (let at = 0; at < 15; at += 1) await write(`other ${at}`)
    await until(() => paid.length === 1)
    const before = asked
    for (let at = 0; at < 30; at += 1) await write(`more ${at}`)
    await write("wanted")
    assert.equal(asked, before, "nothing is looked at for a follower that has not paid")
    rich.resolve()
    await until(() => texts.length === 1)
    assert.deepEqual(texts, ["wanted"])
    assert.ok(asked - before < 10, `46 changes are looked at together: ${asked - before} questions`)
    const points = paid.reduce((sum, one) => sum + one, 0)
    assert.ok(points >= 40 && points <= 47, `101 hundredths of a point each: ${points}`)
    rich = Promise.withResolvers()
  })
})
