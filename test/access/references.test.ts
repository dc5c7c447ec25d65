// Whoever refers to records learns which of them they cannot refer to, and the same of what is not there and of what they do not see.
import assert from "node:assert/strict"
import { test } from "node:test"
import { f, one, resource, service, signedIn, viewer } from "../../src/index.ts"
import { openCode } from "../code/open.ts"
import { dialects } from "../support/open-service.ts"

const own = { owner: { id: { eq: viewer.id } } }
const shop = service({
  name: "shop",
  viewer: "person",
  resources: {
    person: resource({ id: "per", fields: { name: f.text() }, allow: { read: signedIn } }),
    list: resource({
      id: "lis",
      fields: { name: f.text() },
      relations: { owner: one("person") },
      allow: { read: own, create: own, update: own },
    }),
    plan: resource({
      id: "pla",
      fields: { title: f.text() },
      relations: { owner: one("person"), list: one("list"), other: one("list") },
      allow: { read: own, create: own, update: own },
    }),
  },
})

for (const database of dialects)
  test(`each reference that cannot be is told, whatever is there unseen, ${database}`, async (context) => {
    const opened = await openCode(context, shop, database)
    const { person: [ann = "", ben = ""] = [] } = await opened.add({
      person: [{ name: "Ann" }, { name: "Ben" }],
    })
    const { list: [hers = "", his = ""] = [] } = await opened.add({
      list: [
        { name: "hers", ownerId: ann },
        { name: "his", ownerId: ben },
      ],
    })
    const { plan: [plan = ""] = [] } = await opened.add({
      plan: [{ title: "mine", ownerId: ann, listId: hers, otherId: hers }],
    })
    const none = "lis_00000000000000000000000000"
    const asAnn = opened.as(`person:${ann}`)
    const told = async (method: string, path: string, ids: object): Promise<readonly string[]> => {
      const body = { title: "new", ownerId: ann, ...ids }
      const { status, body: answer } = await asAnn.rest<{
        errors?: readonly { code: string; pointer: string }[]
      }>(method, path, body)
      return [String(status), ...(answer.errors ?? []).map(({ code, pointer }) => `${code} ${pointer}`)]
    }
    const list = "missing_reference /listId"
    const other = "missing_reference /otherId"
    for (const [method, path] of [
      ["POST", "/plans"],
      ["PATCH", `/plans/${plan}`],
    ] as const)
      for (const one of [none, his]) {
        for (const two of [none, his])
          assert.deepEqual(await told(method, path, { listId: one, otherId: two }), ["422", list, other])
        assert.deepEqual(await told(method, path, { listId: one, otherId: hers }), ["422", list])
        assert.deepEqual(await told(method, path, { listId: hers, otherId: one }), ["422", other])
      }
    assert.equal((await told("POST", "/plans", { listId: hers, otherId: hers }))[0], "201")
    assert.deepEqual(opened.faults, [])
  })
