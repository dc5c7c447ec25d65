// Clients that go away before their slow answer: their statement ends, and its place is another's; what somebody else waits
// for goes on.
import assert from "node:assert/strict"
import { after, before, describe, it } from "node:test"
import { setTimeout as sleep } from "node:timers/promises"
import { everybodyIn } from "../../src/access/identity/identify.ts"
import { graphqlFace } from "../../src/graphql/face.ts"
import { createServer } from "../../src/server/server.ts"
import type { Statement } from "../../src/sql/statement.ts"
import { cleanUp } from "../support/database.ts"
import {
  connectFaces,
  dialects,
  exampleRecords,
  type OpenService,
  openService,
} from "../support/open-service.ts"
import { unlimited } from "../support/unlimited.ts"

const inner = (levels: number): string =>
  levels === 0 ? "totalCount" : `nodes { product { lines(first: 100) { ${inner(levels - 1)} } } }`
/** Minutes of work, and about half a second of it. */
const endless = `{ orders(first: 100) { nodes { lines(first: 100) { ${inner(4)} } } } }`
const finite = `{ orders(first: 60) { nodes { lines(first: 100) { ${inner(2)} } } } }`

for (const database of dialects)
  describe(`clients that are gone, ${database}`, () => {
    const hooks = cleanUp(after)
    let service: OpenService
    let url: string
    const faults: unknown[] = []
    /** What the next read has found, or how it failed, arrives late. */
    let held: { readonly ended: PromiseWithResolvers<void>; readonly gate: Promise<void> } | undefined
    let began = (): void => {}
    before(async () => {
      const { model, stored } = exampleRecords("storefront")
      const open = unlimited(model)
      service = await openService(hooks, {
        model: open,
        records: stored,
        database,
        options: { deadline: 60_000, slow: 1, waiting: 0 },
      })
      const { storage } = service
      const { engine } = connectFaces(open, {
        ...storage,
        async read(...given) {
          const holding = held
          held = undefined
          began()
          try {
            return await storage.read(...given)
          } finally {
            holding?.ended.resolve()
            await holding?.gate
          }
        },
      })
      const graphql = graphqlFace({ ...service.context, answer: engine.answer })
      const server = await createServer({
        identify: everybodyIn(open),
        facesFor: () => ({ graphql, rest: graphql }),
        base: "",
        cors: [],
        bodyLimit: 1_000_000,
        loopbackOnly: true,
        health: async () => ({ unavailable: 0 }),
        managed: true,
        observe: (observed) => faults.push(observed),
        host: "127.0.0.1",
        port: 0,
      })
      hooks.after(() => server.close())
      url = `${server.url}/graphql`
    })
    const ask = (query: string, signal?: AbortSignal): Promise<Response> =>
      fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ query }),
        ...(signal && { signal }),
      })
    /** Whether the one place for slow statements is taken: one more is refused at once. */
    const isTaken = async (): Promise<boolean> => {
      const leaving = new AbortController()
      const tried = ask(endless.replace("first: 100", `first: ${50 + (tries++ % 40)}`), leaving.signal).then(
        ({ status }) => status === 503,
        () => false,
      )
      const refused = await Promise.race([tried, sleep(400).then(() => undefined)])
      leaving.abort()
      await tried
      return refused === true
    }
    let tries = 0
    /** Whether PostgreSQL runs a slow statement. */
    const isRunning = async (): Promise<boolean> => {
      const text = `SELECT count(*)::text FROM pg_stat_activity
        WHERE datname = current_database() AND state = 'active' AND pid <> pg_backend_pid()`
      const [count] = await service.storage.read({ text } as Statement, [])
      return String(count) !== "0"
    }

    it("give their place to others, long before the deadline", async () => {
      const leaving = new AbortController()
      const left = ask(endless, leaving.signal).catch(() => undefined)
      await sleep(300)
      assert.ok(await isTaken(), "the slow statement has the place")
      leaving.abort()
      await left
      const until = Date.now() + 20_000
      let taken = true
      while (taken && Date.now() < until) {
        taken = await isTaken()
        if (taken) await sleep(100)
      }
      assert.ok(!taken, "the place is still taken")
      while (database === "postgres" && (await isRunning()) && Date.now() < until) await sleep(100)
      assert.ok(database === "sqlite" || !(await isRunning()), "the server still runs the statement")
      // Those that were refused are told of; of those that left nothing is.
      assert.deepEqual(
        faults.filter((fault) => !JSON.stringify(fault).includes('"overloaded"')),
        [],
      )
    })

    it("leave a statement alone that another client waits for", async () => {
      const until = Date.now() + 20_000
      // The place is free once the attempts of before have ended.
      while ((await ask(finite)).status !== 200 && Date.now() < until) await sleep(200)
      const leaving = new AbortController()
      const first = ask(finite, leaving.signal).catch(() => undefined)
      await sleep(20)
      const second = ask(finite)
      await sleep(20)
      leaving.abort()
      const answer = await second
      assert.equal(answer.status, 200, await answer.text())
      await first
    })

    it("leave nothing of their statement to those who ask for the same while it is being ended", async () => {
      const [ended, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      held = { ended, gate: gate.promise }
      const leaving = new AbortController()
      const first = ask(finite, leaving.signal).catch(() => undefined)
      while (service.storage.lanes().every(({ lane, used }) => lane !== "slow" || used === 0)) await sleep(1)
      leaving.abort()
      await Promise.all([first, ended.promise])
      const begun = new Promise<void>((resolve) => {
        began = resolve
      })
      const second = ask(finite)
      // One that has joined begins nothing.
      await Promise.race([begun, sleep(1_000)])
      gate.resolve()
      const answer = await second
      assert.equal(answer.status, 200, await answer.text())
    })
  })
