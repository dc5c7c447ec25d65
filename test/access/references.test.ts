// Whoever refers to records learns which of them they cannot refer to, and the same of what is not there and of what they do not see.
import assert from "node:assert/strict"
import { test } from "node:test"
import { f, many, one, problem, resource, service, signedIn, viewer, withCode } from "../../src/index.ts"
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

interface Probe {
  readonly method: string
  readonly path: string
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** Requests in which an id may stand beside every other reason to refuse them. */
const probes = (ids: {
  readonly ann: string
  readonly ben: string
  readonly hers: string
  readonly plan: string
  readonly hidden: string
}): Readonly<Record<string, (probe: string) => Probe>> => {
  const { ann, ben, hers, plan, hidden } = ids
  const good = { title: "good", ownerId: ann, listId: hers, otherId: hers }
  const post = (body: unknown): Probe => ({ method: "POST", path: "/plans", body })
  const patch = { "content-type": "application/merge-patch+json" }
  const operations = { "content-type": "application/json-patch+json" }
  return {
    "beside one that is forbidden": (listId) =>
      post([
        { ...good, ownerId: ben },
        { ...good, title: "b", listId },
      ]),
    "before one whose unique values are taken": (listId) =>
      post([
        { ...good, title: "b", listId },
        { ...good, title: "mine" },
      ]),
    "after one whose unique values are taken": (listId) =>
      post([
        { ...good, title: "mine" },
        { ...good, title: "b", listId },
      ]),
    "before another that is absent": (listId) =>
      post([
        { ...good, listId },
        { ...good, title: "b", otherId: "lis_00000000000000000000000000" },
      ]),
    "in a nested record of one that is forbidden": (listId) => ({
      method: "POST",
      path: "/lists",
      body: { name: "x", ownerId: ben, plans: { create: [{ title: "n", ownerId: ann, otherId: listId }] } },
    }),
    "in a nested record of a hidden one": (listId) => ({
      method: "PATCH",
      path: `/plans/${hidden}`,
      body: { list: { create: { name: "x", ownerId: ann, followsId: listId } } },
      headers: patch,
    }),
    "in a nested record of an absent one": (listId) => ({
      method: "PATCH",
      path: "/plans/pla_00000000000000000000000000",
      body: { list: { create: { name: "x", ownerId: ann, followsId: listId } } },
      headers: patch,
    }),
    "in a change to what is forbidden": (listId) => ({
      method: "PATCH",
      path: `/plans/${plan}`,
      body: { ownerId: ben, listId },
    }),
    "in a patch by operations": (listId) => ({
      method: "PATCH",
      path: `/plans/${plan}`,
      body: [
        { op: "replace", path: "/ownerId", value: ben },
        { op: "replace", path: "/listId", value: listId },
      ],
      headers: operations,
    }),
    "in a replacement": (listId) => ({
      method: "PUT",
      path: `/plans/${plan}`,
      body: { ...good, title: "mine", ownerId: ben, listId },
    }),
    "with a stale version": (listId) => ({
      method: "PATCH",
      path: `/plans/${plan}`,
      body: { listId },
      headers: { "if-match": '"1"' },
    }),
    "in a batch after what is forbidden": (listId) => ({
      method: "POST",
      path: "/batch",
      body: {
        requests: [
          { method: "POST", path: "/plans", body: { ...good, ownerId: ben } },
          { method: "POST", path: "/plans", body: { ...good, title: "b", listId } },
        ],
      },
    }),
    "in a batch before what is not there": (listId) => ({
      method: "POST",
      path: "/batch",
      body: {
        requests: [
          { method: "POST", path: "/plans", body: { ...good, title: "b", listId } },
          { method: "DELETE", path: `/plans/${hidden}` },
        ],
      },
    }),
    "where children are linked": (listId) => ({
      method: "PATCH",
      path: `/lists/${hers}`,
      body: { ownerId: ben, followsId: listId, plans: { link: [plan] } },
    }),
    "in a mutation of two fields": (listId) => ({
      method: "POST",
      path: "/graphql",
      body: {
        query: `mutation($a: PlanCreateInput!, $b: PlanCreateInput!) {
          a: createPlan(input: $a) { plan { id } } b: createPlan(input: $b) { plan { id } }
        }`,
        variables: { a: { ...good, title: "mine" }, b: { ...good, title: "b", listId } },
      },
    }),
  }
}

const branch = service({
  name: "shop",
  viewer: "person",
  resources: {
    person: resource({ id: "per", fields: { name: f.text() }, allow: { read: signedIn } }),
    list: resource({
      id: "lis",
      fields: { name: f.text() },
      relations: {
        owner: one("person"),
        follows: one("list", { optional: true }),
        plans: many("plan", { by: "list" }),
      },
      allow: { read: own, create: own, update: own },
    }),
    plan: resource({
      id: "pla",
      fields: { title: f.text() },
      relations: { owner: one("person"), list: one("list"), other: one("list") },
      unique: [["owner", "title"]],
      allow: { read: own, create: own, update: own, delete: own },
    }),
  },
})

const hooked = withCode(branch, {
  before: {
    plan: {
      create(change) {
        if (change.new.title === "declined") throw problem("conflict", "Not this one.")
      },
    },
  },
})

for (const database of dialects)
  test(`a hidden record is no other than an absent one where a hook refuses another, ${database}`, async (context) => {
    const opened = await openCode(context, hooked, database)
    const { person: [ann = "", ben = ""] = [] } = await opened.add({
      person: [{ name: "Ann" }, { name: "Ben" }],
    })
    const { list: [hers = "", his = ""] = [] } = await opened.add({
      list: [
        { name: "hers", ownerId: ann },
        { name: "his", ownerId: ben },
      ],
    })
    const asAnn = opened.as(`person:${ann}`)
    const told = async (listId: string): Promise<readonly unknown[]> => {
      const given = { ownerId: ann, listId: hers, otherId: hers }
      const body = [
        { ...given, title: "a", listId },
        { ...given, title: "declined" },
      ]
      const answer = await asAnn.rest<{ errors?: readonly { code: string; pointer: string }[] }>(
        "POST",
        "/plans",
        body,
      )
      return [answer.status, ...(answer.body.errors ?? []).map(({ code, pointer }) => `${code} ${pointer}`)]
    }
    for (const id of ["lis_00000000000000000000000001", his])
      assert.deepEqual(await told(id), [422, "missing_reference /0/listId"])
    assert.deepEqual((await told(hers))[0], 409)
  })

for (const database of dialects)
  test(`a hidden record is no other than an absent one, whatever else is refused, ${database}`, async (context) => {
    const opened = await openCode(context, branch, database)
    const { person: [ann = "", ben = ""] = [] } = await opened.add({
      person: [{ name: "Ann" }, { name: "Ben" }],
    })
    const { list: [hers = "", his = ""] = [] } = await opened.add({
      list: [
        { name: "hers", ownerId: ann },
        { name: "his", ownerId: ben },
      ],
    })
    const { plan: [plan = "", hidden = ""] = [] } = await opened.add({
      plan: [
        { title: "mine", ownerId: ann, listId: hers, otherId: hers },
        { title: "his", ownerId: ben, listId: his, otherId: his },
      ],
    })
    const asAnn = opened.as(`person:${ann}`)
    const all = Object.entries(probes({ ann, ben, hers, plan, hidden }))
    for (const [where, probe] of all) {
      const told = async (id: string): Promise<readonly [number, string]> => {
        const { method, path, body, headers } = probe(id)
        const { query, variables } = body as { query?: string; variables?: Readonly<Record<string, unknown>> }
        const answer = query
          ? await asAnn.graphql(query, variables)
          : await asAnn.rest<unknown>(method, path, body, headers)
        const text = JSON.stringify("body" in answer ? answer.body : [answer.data, answer.errors])
          .replace(/"requestId":"[^"]*"/g, "")
          .replaceAll(id, "ID")
        return [answer.status, text]
      }
      const [absent, unseen] = [await told("lis_00000000000000000000000001"), await told(his)]
      assert.deepEqual(unseen, absent, where)
      assert.match(absent[1], /"code":/, where)
    }
    assert.deepEqual(opened.faults, [])
  })
