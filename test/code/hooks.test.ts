// Hooks by every door on both databases: what they are told, what they fill in, and that what they refuse is undone.
import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { dialects } from "../support/open-service.ts"
import { told, zoo } from "./hooked.ts"
import { type OpenCode, openCode } from "./open.ts"

interface Animal {
  readonly id: string
  readonly name: string
  readonly slug: string | null
  readonly changes: number
  readonly weight: number
}

// One after the other: what hooks are told is kept in one list.
describe("hooks", { concurrency: 1 }, () => {
  for (const database of dialects) {
    const it = (name: string, run: (zoo: OpenCode) => Promise<void>) =>
      test(`${name} (${database})`, async (t) => {
        const opened = await openCode(t, zoo, database)
        told.length = 0
        await run(opened)
      })
    const keeper = (opened: OpenCode) => opened.as("role:keeper")
    const made = async (opened: OpenCode, name: string, more = {}) =>
      (await keeper(opened).rest<Animal>("POST", "/animals", { name, ...more })).body
    const all = async (opened: OpenCode) =>
      (await keeper(opened).rest<{ data: Animal[] }>("GET", "/animals?sort=name")).body.data
    const hooks = () => told.map(({ hook }) => hook)

    it("a hook of creation sees what will be, and fills in", async (opened) => {
      const cat = await made(opened, "Cat", { secret: "s" })
      assert.deepEqual([cat.slug, cat.weight], ["cat", 1])
      assert.deepEqual(told, [
        {
          hook: "create",
          given: {
            input: { name: "Cat", secret: "s" },
            new: {
              id: cat.id,
              name: "Cat",
              weight: 1,
              slug: null,
              secret: "s",
              changes: 0,
              state: "young",
              ownerId: null,
            },
          },
        },
      ])
    })

    it("a hook of a change sees the record as it is and as it will be", async (opened) => {
      const cat = await made(opened, "Cat")
      told.length = 0
      const { body } = await keeper(opened).rest<Animal>("PATCH", `/animals/${cat.id}`, { weight: 5 })
      assert.deepEqual([body.weight, body.changes], [5, 1])
      const { input, old, new: next } = (told[0]?.given ?? {}) as Record<"input" | "old" | "new", Animal>
      assert.deepEqual(input, { weight: 5 })
      assert.deepEqual([old.id, old.weight, next.id, next.weight], [cat.id, 1, cat.id, 5])
    })

    it("what a hook has filled in is in the log, with the change", async (opened) => {
      const cat = await made(opened, "Cat")
      await keeper(opened).rest("POST", `/animals/${cat.id}/transitions/grow`)
      const rows = (await opened.storage.log?.read(0n, 10)) ?? []
      const first = Number(rows[0]?.version)
      assert.deepEqual(
        rows.map(({ type, version, new: next }) => [
          type,
          Number(version) - first,
          next?.["slug"],
          next?.["changes"],
        ]),
        [
          ["animal.created", 0, "cat", 0],
          ["animal.old", 1, undefined, 1],
        ],
      )
    })

    it("every door runs them", async (opened) => {
      const staff = keeper(opened)
      const cat = await made(opened, "Cat")
      const doors: readonly (readonly [string, () => Promise<unknown>, readonly string[]])[] = [
        [
          "several",
          () => staff.rest("POST", "/animals", [{ name: "A" }, { name: "B" }]),
          ["create", "create"],
        ],
        [
          "bulk update",
          () =>
            staff.rest(
              "PATCH",
              '/animals?filter={"name":{"in":["A","B"]}}',
              { weight: 2 },
              { prefer: "max-affected=5" },
            ),
          ["update", "update"],
        ],
        ["put on a unique key", () => staff.rest("PUT", "/animals/name=C", { weight: 3 }), ["create"]],
        ["put again", () => staff.rest("PUT", "/animals/name=C", { weight: 4 }), ["update"]],
        [
          "upsert",
          () => staff.graphql('mutation { upsertAnimalByName(name: "D", input: {}) { animal { id } } }'),
          ["create"],
        ],
        ["transition", () => staff.rest("POST", `/animals/${cat.id}/transitions/grow`), ["update"]],
        [
          "nested",
          () => staff.rest("PATCH", `/animals/${cat.id}`, { toys: { create: [{ name: "Ball" }] } }),
          ["update"],
        ],
        [
          "json patch",
          () =>
            staff.rest(
              "PATCH",
              `/animals/${cat.id}`,
              JSON.stringify([{ op: "replace", path: "/weight", value: 9 }]),
              {
                "content-type": "application/json-patch+json",
              },
            ),
          ["update"],
        ],
        [
          "batch",
          () =>
            staff.rest("POST", "/batch", {
              requests: [
                { id: "e", method: "POST", path: "/animals", body: { name: "E" } },
                { method: "PATCH", path: "/animals/$e.id", body: { weight: 7 } },
              ],
            }),
          ["create", "update"],
        ],
        ["delete with what is owned", () => staff.rest("DELETE", `/animals/${cat.id}`), ["delete", "toy"]],
        [
          "bulk delete",
          () =>
            staff.rest("DELETE", '/animals?filter={"name":{"in":["A","B"]}}', undefined, {
              prefer: "max-affected=5",
            }),
          ["delete", "delete"],
        ],
      ]
      for (const [door, open, expected] of doors) {
        told.length = 0
        const answer = (await open()) as { status: number; body?: unknown; errors?: unknown }
        assert.ok(answer.status < 300, `${door}: ${JSON.stringify(answer)}`)
        assert.deepEqual(answer.errors ?? [], [], door)
        assert.deepEqual(hooks(), expected, door)
      }
      assert.deepEqual(
        (await all(opened)).map(({ name, slug, changes, weight }) => [name, slug, changes, weight]),
        [
          ["C", "c", 1, 4],
          ["D", "d", 0, 1],
          ["E", "e", 1, 7],
        ],
      )
    })

    it("what a hook refuses is undone, and told as it is", async (opened) => {
      const staff = keeper(opened)
      const cat = await made(opened, "Cat")
      await made(opened, "Immortal")
      const dragon = await staff.rest<{ errors: object[] }>("POST", "/animals", { name: "Dragon" })
      assert.equal(dragon.status, 400)
      assert.deepEqual(dragon.body.errors, [
        { code: "invalid_value", detail: "There are none.", pointer: "/name" },
      ])
      for (const [status, code, answer] of [
        [409, "conflict", await staff.rest<{ code: string }>("PATCH", `/animals/${cat.id}`, { weight: 200 })],
        [
          409,
          "conflict",
          await staff.rest<{ code: string }>(
            "PATCH",
            '/animals?filter={"id":{"notIn":[]}}',
            { weight: 200 },
            {
              prefer: "max-affected=9",
            },
          ),
        ],
        [
          409,
          "conflict",
          await staff.rest<{ code: string }>("DELETE", '/animals?filter={"id":{"notIn":[]}}', undefined, {
            prefer: "max-affected=9",
          }),
        ],
        [500, "internal", await staff.rest<{ code: string }>("POST", "/animals", { name: "Bug" })],
        [500, "wrong_output", await staff.rest<{ code: string }>("POST", "/animals", { name: "Liar" })],
        [500, "wrong_output", await staff.rest<{ code: string }>("POST", "/animals", { name: "Stateful" })],
      ] as const)
        assert.deepEqual([answer.status, answer.body.code], [status, code])
      const both = await staff.graphql(
        'mutation { a: createAnimal(input: {name: "New"}) { animal { id } } b: createAnimal(input: {name: "Dragon"}) { animal { id } } }',
      )
      assert.equal(both.data, null)
      assert.deepEqual([both.errors[0]?.path, both.errors[0]?.extensions.code], [["b"], "invalid_value"])
      assert.deepEqual(
        (await all(opened)).map(({ name, weight }) => [name, weight]),
        [
          ["Cat", 1],
          ["Immortal", 1],
        ],
      )
      assert.equal(opened.faults.length, 3)
    })

    it("what goes along with a record is refused with it", async (opened) => {
      const staff = keeper(opened)
      const cat = await made(opened, "Cat", { toys: { create: [{ name: "Glued" }] } })
      const refused = await staff.rest<{ code: string }>("DELETE", `/animals/${cat.id}`)
      assert.deepEqual([refused.status, refused.body.code], [409, "conflict"])
      assert.equal((await all(opened)).length, 1)
      assert.equal((await staff.rest<{ data: object[] }>("GET", "/toys")).body.data.length, 1)
    })

    it("nobody is told by a hook of what they do not see or may not write", async (opened) => {
      const { person: [ann = "", bob = ""] = [] } = await opened.add({
        person: [{ name: "Ann" }, { name: "Bob" }],
      })
      const cat = await made(opened, "Cat", { ownerId: ann })
      told.length = 0
      const unseen = await opened.as(`person:${bob}`).rest("POST", `/animals/${cat.id}/transitions/grow`)
      assert.equal(unseen.status, 404)
      const stale = await keeper(opened).rest(
        "PATCH",
        `/animals/${cat.id}`,
        { weight: 3 },
        { "if-match": '"99"' },
      )
      assert.equal(stale.status, 412)
      assert.equal(
        (await keeper(opened).rest("DELETE", `/animals/ani_01h455vb4pex5vsknk084sn02q`)).status,
        404,
      )
      assert.deepEqual(told, [])
      const mine = await opened
        .as(`person:${ann}`)
        .rest<Animal>("POST", `/animals/${cat.id}/transitions/grow`)
      assert.equal(mine.status, 200)
      // The code is told what the record is, whoever asks.
      assert.ok("secret" in ((told as readonly { given: { old?: object } }[]).at(-1)?.given.old ?? {}))
      const again = await opened
        .as(`person:${ann}`)
        .rest<{ code: string }>("POST", `/animals/${cat.id}/transitions/grow`)
      assert.deepEqual([again.status, again.body.code], [409, "illegal_transition"])
    })

    it("what a hook writes is of the same transaction, and runs hooks as well", async (opened) => {
      const staff = keeper(opened)
      await made(opened, "Noted")
      assert.equal((await staff.rest<{ data: object[] }>("GET", "/notes")).body.data.length, 1)
      const twice = await staff.rest("POST", "/animals", { name: "Noted" })
      assert.equal(twice.status, 409)
      assert.equal((await staff.rest<{ data: object[] }>("GET", "/notes")).body.data.length, 1)
      const endless = await staff.rest<{ code: string }>("POST", "/notes", { text: "endless" })
      assert.deepEqual([endless.status, endless.body.code], [500, "internal"])
      assert.equal((await staff.rest<{ data: object[] }>("GET", "/notes")).body.data.length, 1)
    })

    it("changes of one record at once are each seen by the next hook", async (opened) => {
      const cat = await made(opened, "Cat")
      const changes = Array.from({ length: 12 }, (_, index) =>
        keeper(opened).rest("PATCH", `/animals/${cat.id}`, { weight: index + 2 }),
      )
      for (const { status } of await Promise.all(changes)) assert.equal(status, 200)
      assert.equal((await all(opened))[0]?.changes, 12)
    })
  }
})
