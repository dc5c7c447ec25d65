// A module that a host loads again creates its service again: the newer service replaces the older one.
import assert from "node:assert/strict"
import { readdirSync } from "node:fs"
import { registerHooks } from "node:module"
import { join } from "node:path"
import { after, suite, test } from "node:test"
import {
  createService,
  type EmbedOptions,
  f,
  handler,
  type Observation,
  resource,
  role,
  service,
  withCode,
} from "bifold"
import { until } from "../cli/processes.ts"
import { cleanUp, type Hooks, temporaryFolder, temporaryPostgres } from "../support/database.ts"

const secret = "a secret of the tests, long enough"

/** A declaration as each load of a module makes it, with a name for what its handler was called with. */
function notesOf(load: string, handled: (load: string, id: string) => void) {
  const notes = service({
    name: "notes",
    roles: ["staff"],
    resources: {
      note: resource({
        id: "nte",
        history: true,
        fields: { text: f.text({ max: 100 }) },
        allow: { read: role("staff"), create: role("staff") },
      }),
    },
  })
  return withCode(notes, {
    on: {
      "note.created": handler({
        name: "seen",
        as: { roles: ["staff"] },
        run: async ({ event }) => handled(load, event.id),
      }),
    },
  })
}

async function open(hooks: Hooks, kind: "sqlite" | "postgres") {
  const database =
    kind === "postgres" ? await temporaryPostgres(hooks) : join(await temporaryFolder(hooks), "notes.db")
  const handled: { readonly load: string; readonly id: string }[] = []
  const noticed: string[] = []
  const create = (load: string, options: Partial<EmbedOptions> = {}, by = createService) => {
    const declaration = notesOf(load, (by, id) => void handled.push({ load: by, id }))
    const created = by(declaration, {
      database,
      secret,
      dev: true,
      acceptDataLoss: kind === "postgres",
      identify: () => "role:staff",
      observe: (observation: Observation) => {
        if (observation.kind === "noticed") noticed.push(observation.text)
      },
      ...(options as object),
    })
    hooks.after(() => created.close())
    return created
  }
  const replacing = (): readonly string[] => noticed.filter((text) => text.includes("was created again"))
  return { create, handled, replacing }
}

const note = (text: string) => ({ method: "POST", path: "/notes", body: { text } })
const descriptors = (): number => readdirSync("/proc/self/fd").length

for (const kind of ["sqlite", "postgres"] as const)
  suite(`a service that is created again (${kind})`, () => {
    const hooks = cleanUp(after)

    test("replaces the older one: 20 of them have the descriptors of one, and each event is handled once", async () => {
      const { create, handled, replacing } = await open(hooks, kind)
      const first = create("load 0")
      await first.ready()
      assert.equal((await first.handle(note("warm"))).status, 201)
      const before = descriptors()
      const services = [first]
      for (let load = 1; load <= 20; load++) {
        const next = create(`load ${load}`)
        services.push(next)
        assert.equal((await next.handle(note(`of load ${load}`))).status, 201)
      }
      await until(() => descriptors() <= before + 4, `${before} descriptors, as of one service`)
      const settled = handled.length
      for (let count = 1; count <= 40; count++)
        assert.equal((await services[count % 21]?.handle(note(`late ${count}`)))?.status, 201)
      await until(() => handled.length >= 61, "every event is handled")
      assert.equal(new Set(handled.map(({ id }) => id)).size, 61)
      assert.equal(handled.length, 61)
      assert.deepEqual(new Set(handled.slice(settled).map(({ load }) => load)).size, 1)
      assert.equal(handled.at(-1)?.load, "load 20")
      assert.equal(replacing().length, 1, replacing().join("\n"))
      assert.match(replacing()[0] ?? "", /notes was created again .* option instance/)
    })

    test("ends streams of the older one and answers what is under way; the older handle passes requests on", async () => {
      const { create } = await open(hooks, kind)
      const older = create("older")
      const stream = await older.fetch(new Request("http://host.example/events/stream"))
      assert.equal(stream.status, 200)
      let ended: string | undefined
      void stream.text().then((text) => (ended = text))
      const answers = Array.from({ length: 20 }, (_, count) => older.handle(note(`older ${count}`)))
      const newer = create("newer")
      await newer.ready()
      for (const answer of await Promise.all(answers)) assert.equal(answer.status, 201)
      await until(() => ended !== undefined, "the end of the stream")
      assert.equal((await older.handle({ path: "/notes?limit=100" })).status, 200)
      await older.close()
      assert.equal((await older.handle({ path: "/notes" })).status, 503)
      assert.equal((await newer.handle({ path: "/notes" })).status, 200)
    })

    test("opens again when the newer one is closed", async () => {
      const { create } = await open(hooks, kind)
      const older = create("older")
      await older.ready()
      const newer = create("newer")
      await newer.ready()
      await newer.close()
      assert.equal((await older.handle(note("after"))).status, 201)
    })

    test("gives no warning where the older one was closed before", async () => {
      const { create, replacing } = await open(hooks, kind)
      const older = create("older")
      await older.ready()
      await older.close()
      const newer = create("newer")
      assert.equal((await newer.handle(note("after"))).status, 201)
      assert.deepEqual(replacing(), [])
      await create("newest").ready()
      assert.equal(replacing().length, 1)
    })

    test("stays when the newer one cannot be opened, and beside one of another base or instance", async () => {
      const { create, handled, replacing } = await open(hooks, kind)
      const first = create("first")
      await first.ready()
      await assert.rejects(create("wrong", { deadline: 1 }).ready(), /The option deadline is 1/)
      const based = create("based", { base: "/api", background: false })
      const named = create("named", { instance: "second", background: false })
      assert.equal((await named.handle(note("one"))).status, 201)
      assert.equal((await based.handle({ ...note("two"), path: "/api/notes" })).status, 201)
      assert.equal((await based.handle({ path: "/notes" })).status, 404)
      assert.equal((await first.handle({ path: "/api/notes" })).status, 404)
      await until(() => handled.length === 2, "both events")
      assert.deepEqual(new Set(handled.map(({ load }) => load)), new Set(["first"]))
      assert.deepEqual(replacing(), [])
    })
  })

suite("a module of Bifold that is loaded again", () => {
  const hooks = cleanUp(after)

  test("knows the services of the first", async () => {
    const opened = await open(hooks, "sqlite")
    await opened.create("first").ready()
    // As bundlers and module runners do: the module and all that it imports are there twice.
    const mark = "?again=.ts"
    const twice = registerHooks({
      resolve(specifier, context, next) {
        const found = next(specifier, context)
        const isAgain = specifier.endsWith(mark) || context.parentURL?.endsWith(mark)
        return isAgain && found.url.endsWith(".ts") ? { ...found, url: `${found.url}${mark}` } : found
      },
    })
    hooks.after(() => twice.deregister())
    const again = (await import(`../../src/service/create-service.ts${mark}`)) as {
      readonly createService: typeof createService
    }
    assert.notEqual(again.createService, createService)
    const second = opened.create("second", {}, again.createService)
    assert.equal((await second.handle(note("one"))).status, 201)
    await until(() => opened.handled.length === 1, "its event")
    assert.equal(opened.handled[0]?.load, "second")
    assert.equal(opened.replacing().length, 1)
  })
})
