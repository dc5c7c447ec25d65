// Rules around a transition: its own stands for that of update and of the fields that it sets, and its writer must see
// what it leaves and what they have chosen.
import assert from "node:assert/strict"
import { after, before, describe, it } from "node:test"
import { f, one, resource, role, service, viewer } from "../../src/index.ts"
import { cleanUp } from "../support/database.ts"
import { dialects } from "../support/open-service.ts"
import { type Desk, openDesk } from "./open-desk.ts"

const boss = role("boss")
const own = { owner: { id: { eq: viewer.id } } }

const post = service({
  name: "post",
  roles: ["boss"],
  viewer: "person",
  resources: {
    person: resource({
      id: "per",
      fields: { name: f.text(), hidden: f.boolean() },
      allow: { read: [boss, { hidden: { eq: false } }] },
    }),
    letter: resource({
      id: "let",
      fields: {
        stamp: f.text({ optional: true, write: boss }),
        secret: f.text({ optional: true, read: boss, write: boss }),
        day: f.date({ optional: true, readonly: true }),
      },
      relations: {
        owner: one("person"),
        to: one("person", { optional: true }),
        sender: one("person", { optional: true }),
      },
      states: {
        initial: "draft",
        final: ["burnt"],
        transitions: {
          // Whoever may update it may: a draft of one's own.
          send: {
            from: "draft",
            to: "sent",
            set: { stamp: "red", secret: "s", day: "now", senderId: viewer.id },
          },
          address: {
            from: "draft",
            to: "addressed",
            input: { whom: f.text() },
            set: { toId: { given: "whom" } },
            allow: own,
          },
          burn: { from: "any", to: "burnt", allow: [boss, own] },
        },
      },
      allow: {
        read: [boss, { ...own, state: { ne: "burnt" } }],
        update: { ...own, state: { eq: "draft" } },
      },
    }),
  },
})

for (const database of dialects)
  describe(`rules around transitions on ${database}`, () => {
    const hooks = cleanUp(after)
    let desk: Desk
    before(async () => {
      const letter = (id: string, members: object = {}) => ({
        id,
        stamp: null,
        secret: null,
        day: null,
        state: "draft",
        ownerId: "ann",
        toId: null,
        senderId: null,
        ...members,
      })
      desk = await openDesk(hooks, database, {
        declaration: post,
        resource: "letter",
        records: {
          person: [
            { id: "ann", name: "Ann", hidden: true },
            { id: "bob", name: "Bob", hidden: false },
            { id: "eve", name: "Eve", hidden: true },
          ],
          letter: [
            ...["send", "address", "hidden", "burn", "many1", "many2"].map((id) => letter(id)),
            letter("sent", { state: "sent" }),
          ],
        },
      })
    })

    it("those of update are asked before, and not of what it leaves", async () => {
      const sent = await desk.as("ann").fire("send", "send")
      assert.deepEqual(
        // The viewer is set whoever sees them.
        [sent["state"], sent["stamp"], sent["senderId"], "secret" in sent],
        ["sent", "red", "per_ann", false],
      )
      const { day, secret } = await desk.as("boss").read("letter", "send")
      assert.deepEqual([day, secret], [new Date().toISOString().slice(0, 10), "s"])
      assert.equal((await desk.as("ann").fire("sent", "send"))["code"], "forbidden")
      // Whoever fires it sets what they could not set.
      assert.equal((await desk.as("ann").update("letter", "many1", { toId: "per_bob" }))["toId"], "per_bob")
      assert.equal(
        (await desk.as("ann").update("letter", "many1", { stamp: "red" }))["code"],
        "readonly_field",
      )
    })

    it("what it leaves must be seen", async () => {
      assert.deepEqual(await desk.as("ann").fire("burn", "burn"), {
        code: "forbidden",
        message: "You may not burn this letter.",
        place: "input",
        more: 0,
      })
      assert.equal((await desk.as("ann").read("letter", "burn"))["state"], "draft")
      const both = { id: { in: ["many1", "many2"] } }
      assert.equal((await desk.as("ann").fireWhere("burn", both))["code"], "forbidden")
      assert.equal((await desk.as("ann").fireIds("burn", ["many1", "many2"]))["code"], "forbidden")
      for (const id of ["many1", "many2"])
        assert.equal((await desk.as("ann").read("letter", id))["state"], "draft")
      assert.equal((await desk.as("boss").fire("burn", "burn"))["state"], "burnt")
    })

    it("what they have chosen must be seen", async () => {
      const hidden = await desk.as("ann").fire("hidden", "address", { input: { whom: "per_eve" } })
      assert.equal(hidden["code"], "missing_reference")
      const none = await desk.as("ann").fire("hidden", "address", { input: { whom: "per_nobody" } })
      assert.equal(none["code"], "missing_reference")
      assert.equal((await desk.as("ann").read("letter", "hidden"))["state"], "draft")
      const seen = await desk.as("ann").fire("address", "address", { input: { whom: "per_bob" } })
      assert.deepEqual([seen["state"], seen["toId"]], ["addressed", "per_bob"])
    })
  })
