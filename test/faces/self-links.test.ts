// Links between records of one resource: they go along with a record whichever end of them it is.
import assert from "node:assert/strict"
import { after, before, describe, test } from "node:test"
import { f, many, one, resource, service } from "../../src/model/declaration/service.ts"
import { cleanUp } from "../support/database.ts"
import { loadOpen } from "../support/everybody.ts"
import { dialects, type OpenService, openService } from "../support/open-service.ts"

const through = { table: "friendship", near: { person_name: "name" }, far: { friend_name: "name" } }

const model = loadOpen(
  service({
    name: "circle",
    resources: {
      person: resource({
        plural: "people",
        key: ["name"],
        fields: { name: f.text() },
        relations: { friends: many("person", { through }), house: one("house", { optional: true }) },
      }),
      house: resource({
        key: ["number"],
        fields: { number: f.text() },
        relations: { people: many("person", { by: "house", owned: true }) },
      }),
    },
  }),
)

for (const database of dialects)
  describe(`links between records of one resource on ${database}`, () => {
    const hooks = cleanUp(after)
    let circle: OpenService
    before(async () => {
      const options = { writes: "unsafe" } as const
      circle = await openService(hooks, {
        model,
        records: { records: new Map(), links: [] },
        database,
        options,
      })
    })

    const send = async (line: string, body?: object): Promise<{ status: number; body: string }> => {
      const [method = "", path = ""] = line.split(" ")
      const sent = body ? new TextEncoder().encode(JSON.stringify(body)) : new Uint8Array()
      const headers: Record<string, string> = body ? { "content-type": "application/json" } : {}
      return circle.rest({ method, path, query: "", headers, body: sent })
    }
    const friendsOf = async (name: string): Promise<string[]> => {
      const { body } = await send(`GET /people/${name}/friends`)
      return JSON.parse(body).data.map((friend: { name: string }) => friend.name)
    }
    const made = async (name: string, ...friends: string[]): Promise<void> => {
      const { status, body } = await send("POST /people", { name, friends: { link: friends } })
      assert.equal(status, 201, body)
    }

    test("the record that others are linked to is deleted with its links", async () => {
      await made("ada")
      await made("bob", "ada")
      assert.deepEqual(await friendsOf("bob"), ["ada"])
      const gone = await send("DELETE /people/ada")
      assert.equal(gone.status, 204, gone.body)
      assert.deepEqual(await friendsOf("bob"), [])
    })

    test("so it is by GraphQL, with a link to itself and links in both directions", async () => {
      await made("cyd")
      await made("dan", "cyd")
      for (const [near, far] of [
        ["cyd", "dan"],
        ["cyd", "cyd"],
      ])
        assert.equal((await send(`PUT /people/${near}/friends/${far}`)).status, 204)
      const query = 'mutation { deletePerson(id: "cyd") { deletedId } }'
      const { body } = await circle.graphql({ body: { query } })
      assert.equal(body, '{"data":{"deletePerson":{"deletedId":"person_cyd"}}}')
      assert.deepEqual(await friendsOf("dan"), [])
    })

    test("so it is of records that go with the one that owns them", async () => {
      assert.equal((await send("POST /houses", { number: "7" })).status, 201)
      await made("eve")
      await made("fay", "eve")
      const moved = await send("PATCH /people/eve", { houseId: "7" })
      assert.equal(moved.status, 200, moved.body)
      const gone = await send("DELETE /houses/7")
      assert.equal(gone.status, 204, gone.body)
      assert.deepEqual(await friendsOf("fay"), [])
    })
  })
