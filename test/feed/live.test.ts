// Live reads by both faces: the answer, then patches that make the same answer of it as a new read gives.
import assert from "node:assert/strict"
import { after, describe, test } from "node:test"
import { applyPatch, type Operation } from "rfc6902"
import { load } from "../../src/model/load.ts"
import { withSystem } from "../../src/model/system/with-system.ts"
import { cleanUp } from "../support/database.ts"
import { dialects } from "../support/open-service.ts"
import { callerOf, countingOf, watchedBudget } from "./counting.ts"
import { namedNotes, notes } from "./notes.ts"
import { type Frame, openDatabase, openServer, openStream, until } from "./open.ts"

const staff = "role:staff"

/** The answer that the frames of a live read make. */
function madeOf(frames: readonly Frame[]): unknown {
  let made: { answer: unknown } = { answer: undefined }
  for (const { event, data } of frames) {
    if (event === "answer") made = { answer: structuredClone(data) }
    else if (event === "patch") patch(made, "answer", data)
    else if ("revision" in data && "data" in data) made = { answer: structuredClone(data["data"]) }
    else if ("patch" in data) patch(made, "answer", data["patch"])
  }
  return made.answer
}

function patch(made: { answer: unknown }, _: "answer", operations: unknown): void {
  const failed = applyPatch(made.answer, operations as Operation[]).filter((fault) => fault !== null)
  assert.deepEqual(failed, [])
}

for (const database of dialects)
  describe(`live reads, ${database}`, () => {
    const hooks = cleanUp(after)
    const open = async () => {
      const server = await openServer(hooks, await openDatabase(hooks, database))
      const [ann, ben] = await Promise.all(
        ["A", "B"].map((name) => server.send("POST", "/people", staff, { name })),
      )
      assert.ok(ann && ben)
      return { server, ann: ann.body.id, ben: ben.body.id }
    }

    test("a list by REST follows what others write, as its reader sees it", async () => {
      const { server, ann, ben } = await open()
      const path = "/notes?fields=text&include=owner&sort=text&limit=3"
      const live = await openStream(`${server.url}${path}&live=true&interval=0.1`, `person:${ann}`)
      assert.equal(live.status, 200)
      await live.until(1)
      const texts = ["c", "a", "d", "b"]
      for (const text of texts) await server.send("POST", "/notes", staff, { text, ownerId: ann })
      const { body } = await server.send("POST", "/notes", staff, { text: "0", ownerId: ben, shared: true })
      const asked = async () => (await server.send("GET", path, `person:${ann}`)).body
      const same = async () => JSON.stringify(madeOf(live.frames)) === JSON.stringify(await asked())
      await until(same)
      await server.send("PATCH", `/notes/${body.id}`, staff, { shared: false })
      await until(same)
      assert.deepEqual(
        ((await asked())["data"] as readonly { readonly text: string }[]).map(({ text }) => text),
        ["a", "b", "c"],
      )
      assert.deepEqual(
        live.frames.map(({ id }) => id),
        live.frames.map(() => undefined),
      )
      live.cut()
      assert.deepEqual(server.observed, [])
    })

    test("a query by GraphQL does, too", async () => {
      const { server, ann } = await open()
      const query = `query ($most: Int) @live(interval: 0.1) { notes(first: $most, orderBy: [{ field: text }]) { totalCount nodes { text price } } }`
      const live = await openStream(
        `${server.url}/graphql?query=${encodeURIComponent(query)}&variables=${encodeURIComponent(`{"most":2}`)}`,
        `person:${ann}`,
      )
      assert.equal(live.status, 200)
      await live.until(1)
      for (const text of ["c", "a", "b"])
        await server.send("POST", "/notes", staff, { text, ownerId: ann, price: "12345678.10" })
      const body = { query: query.replace(/@live\([^)]*\)/, ""), variables: { most: 2 } }
      const asked = async () => (await server.send("POST", "/graphql", `person:${ann}`, body)).body["data"]
      await until(async () => JSON.stringify(madeOf(live.frames)) === JSON.stringify(await asked()))
      assert.deepEqual(madeOf(live.frames), {
        notes: {
          totalCount: 3,
          nodes: [
            { text: "a", price: "12345678.10" },
            { text: "b", price: "12345678.10" },
          ],
        },
      })
      const revisions = live.frames.map(({ data }) => data["revision"])
      assert.deepEqual(
        revisions,
        revisions.map((_, index) => index + 1),
      )
      live.cut()
    })

    test("values of user code are made for each reader, however equal their rights", async () => {
      const model = load(withSystem(namedNotes))
      const server = await openServer(hooks, await openDatabase(hooks, database, model), model)
      const { body: ann } = await server.send("POST", "/people", staff, { name: "A" })
      await server.send("POST", "/notes", staff, { text: "a", ownerId: ann.id })
      const readers = ["x1", "x2"].map((name) => [name, `${staff}~${name}`] as const)
      const query = "{ notes { nodes { mine } } }"
      const live = `query @live(interval: 0.1) ${query}`
      const opened = await Promise.all(
        readers.flatMap(([name, actor]) =>
          ["/notes?fields=mine&live=true&interval=0.1", `/graphql?query=${encodeURIComponent(live)}`].map(
            async (path) => ({ name, stream: await openStream(`${server.url}${path}`, actor) }),
          ),
        ),
      )
      await Promise.all(opened.map(({ stream }) => stream.until(1)))
      await server.send("POST", "/notes", staff, { text: "b", ownerId: ann.id })
      for (const { name, stream } of opened) {
        await until(() => JSON.stringify(madeOf(stream.frames)).includes("b for"))
        const told = JSON.stringify(stream.frames)
        assert.deepEqual(new Set(told.match(/(?<= for )\w+/g)), new Set([name]), told)
        stream.cut()
      }
      // At the same time, so that their statements are one.
      const plain = await Promise.all(
        Array.from({ length: 5 }, () => readers)
          .flat()
          .flatMap(([name, actor]) => [
            server.send("GET", "/notes?fields=mine", actor).then(({ body }) => [name, body] as const),
            server.send("POST", "/graphql", actor, { query }).then(({ body }) => [name, body] as const),
          ]),
      )
      for (const [name, body] of plain) {
        const told = JSON.stringify(body)
        assert.deepEqual(told.match(/(?<= for )\w+/g), [name, name], told)
      }
      assert.deepEqual(server.observed, [])
    })

    test("only writes that the answer may depend on ask for it again, those behind rules among them", async () => {
      const charged: string[] = []
      const model = load(withSystem(notes))
      const counting = { ...countingOf(model, { perMinute: 1_000_000 }), budget: watchedBudget(charged) }
      const server = await openServer(hooks, await openDatabase(hooks, database), model, {}, { counting })
      const { body: ann } = await server.send("POST", "/people", staff, { name: "A" })
      const { body: folder } = await server.send("POST", "/folders", staff, { title: "f", ownerId: ann.id })
      await server.send("POST", "/notes", staff, { text: "x", ownerId: ann.id, folderId: folder.id })
      const query = encodeURIComponent(`query @live(interval: 0.1) { notes { totalCount } }`)
      const follow = (path: string, actor: string) => openStream(`${server.url}${path}`, actor)
      const [bySignedIn, byStaff, pages] = await Promise.all([
        follow(`/graphql?query=${query}`, "signedIn"),
        follow("/notes?fields=text&live=true&interval=0.1", `person:${ann.id}+role:staff`),
        follow("/pages?live=true&interval=0.1", `person:${ann.id}`),
      ])
      for (const one of [bySignedIn, byStaff, pages]) await one.until(1)
      const timesOf = (actor: string) => charged.filter((caller) => caller === callerOf(actor)).length
      const times = () => [timesOf("signedIn"), timesOf(`person:${ann.id}+role:staff`)]
      assert.deepEqual(times(), [1, 1])
      for (const slug of ["a", "b"]) {
        await server.send("POST", "/pages", staff, { slug, text: "x", open: true })
        await pages.until(slug === "a" ? 2 : 3)
      }
      assert.deepEqual(times(), [1, 1])
      // The rule for others than staff looks at the folder.
      await server.send("PATCH", `/folders/${folder.id}`, staff, { open: true })
      await bySignedIn.until(2)
      await server.send("POST", "/pages", staff, { slug: "c", text: "x", open: true })
      await pages.until(4)
      assert.deepEqual(times(), [2, 1])
      assert.deepEqual(madeOf(bySignedIn.frames), { notes: { totalCount: 1 } })
      await server.send("POST", "/notes", staff, { text: "y", ownerId: ann.id })
      await byStaff.until(2)
      for (const one of [bySignedIn, byStaff, pages]) one.cut()
      assert.deepEqual(server.observed, [])
    })

    test("a read that is refused is refused at once, or when it comes to that", async () => {
      const { server, ann } = await open()
      const { body } = await server.send("POST", "/notes", staff, { text: "x", ownerId: ann })
      const status = async (path: string, actor: string): Promise<number> => {
        const stream = await openStream(`${server.url}${path}`, actor)
        stream.cut()
        return stream.status
      }
      assert.equal(await status(`/notes/${body.id}?live=true`, `person:${ann}`), 200)
      assert.equal(await status("/notes?live=true&interval=0", staff), 400)
      assert.equal(await status("/notes?live=true&interval=0.01&interval=5", staff), 400)
      assert.equal(await status("/notes?live=true&nothing=1", staff), 400)
      assert.equal(await status("/notes?live=maybe", staff), 400)
      assert.equal(await status("/notes/nte_1?live=true", staff), 404)
      const live = await openStream(`${server.url}/notes/${body.id}?live=true&interval=0.1`, `person:${ann}`)
      await live.until(1)
      await server.send("DELETE", `/notes/${body.id}`, staff)
      await live.ended
      assert.deepEqual(
        live.frames.map(({ event }) => event),
        ["answer", "problem"],
      )
      assert.equal(live.frames[1]?.data["code"], "not_found")
      assert.deepEqual(server.observed, [])
    })
  })
