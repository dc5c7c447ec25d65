// Registered documents in a process that runs for long: what is removed ends in time, however often it was asked before.
import assert from "node:assert/strict"
import { after, before, describe, it } from "node:test"
import { createDocumentPlans, digestId, readDocument } from "../../src/access/documents/document-plans.ts"
import { createSavedDocuments } from "../../src/access/documents/saved-documents.ts"
import { f, load, resource, service } from "../../src/index.ts"
import { withSystem } from "../../src/model/system/with-system.ts"
import { openModel } from "../../src/plan/access/visible-model.ts"
import { cleanUp } from "../support/database.ts"
import { connectFaces, dialects, type OpenService, openService } from "../support/open-service.ts"

const declared = (documents: "allowed" | "required") =>
  service({ name: "library", documents, resources: { book: resource({ fields: { title: f.text() } }) } })
const query = "{ books { totalCount } }"

for (const database of dialects)
  describe(`registered documents, ${database}`, () => {
    const hooks = cleanUp(after)
    const model = load(withSystem(declared("required")))
    const plans = createDocumentPlans(model)
    const clock = { now: 0 }
    let plain: OpenService
    let faces: OpenService
    before(async () => {
      const records = { records: new Map(), links: [] }
      plain = await openService(hooks, {
        model,
        records,
        database,
        options: { writes: "unsafe" },
      })
      const { answer } = plain.engine
      const saved = createSavedDocuments({ model, answer, now: () => clock.now })()
      faces = connectFaces(openModel(model), plain.storage, { saved })
    })
    const isAnswered = async (body: object): Promise<boolean> => {
      const { data } = JSON.parse((await faces.graphql({ body })).body)
      return data != null
    }

    it("are answered until a minute after they are removed, at the most", async () => {
      const { answer } = plain.engine
      const documentId = digestId(query)
      const { id = "" } =
        readDocument(await answer(plans.create({ documentId, text: query }), plans.actor)) ?? {}
      for (let times = 0; times < 5; times++)
        for (const body of [{ query }, { documentId }]) assert.ok(await isAnswered(body))
      const { sent } = plain.storage
      for (const body of [{ query }, { documentId }]) assert.ok(await isAnswered(body))
      assert.equal(plain.storage.sent - sent, 2, "the database is asked for the answers alone")
      await answer(plans.remove(id), plans.actor)
      clock.now += 60_000
      for (let times = 0; times < 5; times++)
        for (const body of [{ query }, { documentId }]) assert.ok(!(await isAnswered(body)))
    })

    it("are named by their ids no longer, where others are allowed", async () => {
      const allowed = load(withSystem(declared("allowed")))
      const { answer } = plain.engine
      const saved = createSavedDocuments({ model: allowed, answer, now: () => clock.now })()
      const { graphql } = connectFaces(openModel(model), plain.storage, { saved })
      const ask = async () => JSON.parse((await graphql({ body: { documentId: "count" } })).body).data
      const created = await answer(plans.create({ documentId: "count", text: query }), plans.actor)
      for (let times = 0; times < 5; times++) assert.deepEqual(await ask(), { books: { totalCount: 0 } })
      await answer(plans.remove(readDocument(created)?.id ?? ""), plans.actor)
      clock.now += 60_000
      assert.equal(await ask(), null)
    })

    it("that were sent with their digest are known to those who may see the same, and to nobody else", async () => {
      const saved = createSavedDocuments({
        model: load({ ...declared("allowed"), documents: undefined } as never),
        answer: plain.engine.answer,
      })
      const [ours, theirs] = [
        connectFaces(openModel(model), plain.storage, { saved: saved() }),
        connectFaces(openModel(model), plain.storage, { saved: saved() }),
      ]
      const extensions = {
        persistedQuery: { version: 1, sha256Hash: digestId(query).slice("sha256:".length) },
      }
      const isKnown = async ({ graphql }: OpenService): Promise<boolean> =>
        JSON.parse((await graphql({ body: { extensions } })).body).data != null
      const first = await ours.graphql({ body: { query, extensions } })
      assert.equal(first.status, 200, first.body)
      assert.deepEqual([await isKnown(ours), await isKnown(theirs)], [true, false])
    })

    it("are not asked for again within a second where they are missing", async () => {
      const { sent } = plain.storage
      for (let times = 0; times < 5; times++) assert.ok(!(await isAnswered({ documentId: "none" })))
      assert.equal(plain.storage.sent - sent, 1)
      clock.now += 1_000
      assert.ok(!(await isAnswered({ documentId: "none" })))
      assert.equal(plain.storage.sent - sent, 2)
    })
  })
