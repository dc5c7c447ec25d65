// A reference to a record that is not seen is refused as one to a record that is not there: the same answer, whatever else is
// wrong with the request, and in the same order among the other faults.
import assert from "node:assert/strict"
import { test } from "node:test"
import { f, given, many, one, resource, role, service, signedIn, viewer } from "../../src/index.ts"
import { openCode } from "../code/open.ts"
import { dialects } from "../support/open-service.ts"

const own = { owner: { id: { eq: viewer.id } } }
const shop = service({
  name: "shop",
  viewer: "person",
  resources: {
    person: resource({
      id: "per",
      fields: { name: f.text() },
      relations: { plans: many("plan", { by: "owner" }) },
      allow: { read: signedIn, update: { id: { eq: viewer.id } } },
    }),
    list: resource({
      id: "lis",
      fields: { name: f.text() },
      relations: { owner: one("person"), plans: many("plan", { by: "list" }) },
      allow: { read: own, create: own, update: own },
    }),
    poster: resource({
      id: "pos",
      fields: { text: f.text() },
      relations: { list: one("list", { optional: true }), other: one("list", { optional: true }) },
      allow: { read: signedIn, create: signedIn, update: { text: { eq: "open" } } },
    }),
    plan: resource({
      id: "pla",
      fields: { slug: f.slug({ unique: true }), note: f.text({ optional: true }) },
      relations: { owner: one("person"), list: one("list", { optional: true }) },
      allow: { read: own, create: own, update: own },
    }),
  },
})

/** What may be asked with a reference to a list, and the code that is answered where the list is absent or unseen. */
interface Form {
  readonly name: string
  readonly method?: string
  readonly path?: string
  readonly body: (list: string) => unknown
  readonly headers?: Readonly<Record<string, string>>
  /** By GraphQL, in place of REST. */
  readonly query?: string
  readonly code: string
  /** What is probed is a plan, in place of a list. */
  readonly of?: "plan"
}

for (const database of dialects)
  test(`an unseen reference is told as an absent one, ${database}`, async (context) => {
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
    const { plan: [mine = "", hidden = ""] = [], poster: [closed = ""] = [] } = await opened.add({
      plan: [
        { slug: "mine", ownerId: ann },
        { slug: "hidden", ownerId: ben, listId: his },
      ],
      poster: [{ text: "closed" }],
    })
    const asAnn = opened.as(`person:${ann}`)
    const good = { slug: "new", ownerId: ann }
    const forbidden = { slug: "other", ownerId: ben }
    const probe = (listId: string, more: object = {}) => ({ ...good, ...more, listId })
    const none = "lis_00000000000000000000000000"
    const nobody = "lis_00000000000000000000000001"
    const patch = (type: string) => ({ "content-type": `application/${type}` })
    const forms: readonly Form[] = [
      { name: "one", path: "/plans", body: (list) => probe(list), code: "missing_reference" },
      {
        name: "two probes",
        path: "/plans",
        body: (list) => [probe(list), probe(nobody, { slug: "b" })],
        code: "missing_reference /0/listId",
      },
      {
        name: "a probe before what is absent",
        path: "/plans",
        body: (list) => [probe(nobody, { slug: "b" }), probe(list)],
        code: "missing_reference /0/listId",
      },
      {
        name: "after what is forbidden",
        path: "/plans",
        body: (list) => [forbidden, probe(list)],
        code: "missing_reference /1/listId",
      },
      {
        name: "before what is forbidden",
        path: "/plans",
        body: (list) => [probe(list), forbidden],
        code: "missing_reference /0/listId",
      },
      {
        name: "in what is forbidden",
        path: "/plans",
        body: (list) => probe(list, { ownerId: ben }),
        code: "missing_reference /listId",
      },
      {
        name: "before a taken slug",
        path: "/plans",
        body: (list) => [probe(list), { ...good, slug: "mine" }],
        code: "missing_reference /0/listId",
      },
      {
        name: "before a taken slug that is hidden",
        path: "/plans",
        body: (list) => [probe(list), { ...good, slug: "hidden" }],
        code: "missing_reference /0/listId",
      },
      {
        name: "after a taken slug",
        path: "/plans",
        body: (list) => [{ ...good, slug: "mine" }, probe(list)],
        code: "missing_reference /1/listId",
      },
      {
        name: "with a taken slug",
        path: "/plans",
        body: (list) => probe(list, { slug: "mine" }),
        code: "missing_reference /listId",
      },
      {
        name: "with a taken slug that is hidden",
        path: "/plans",
        body: (list) => probe(list, { slug: "hidden" }),
        code: "missing_reference /listId",
      },
      {
        name: "of a poster whose other list is absent",
        path: "/posters",
        body: (list) => [
          { text: "a", listId: list },
          { text: "b", otherId: none },
        ],
        code: "missing_reference /0/listId",
      },
      {
        name: "nested after what is forbidden",
        method: "PATCH",
        path: `/people/${ann}`,
        body: (list) => ({
          plans: {
            create: [
              { slug: "x", listId: none },
              { slug: "y", listId: list },
            ],
          },
        }),
        code: "missing_reference /plans/create/0/listId",
      },
      {
        name: "nested",
        method: "PATCH",
        path: `/people/${ann}`,
        body: (list) => ({ plans: { create: [{ slug: "x", listId: list }, { slug: "mine" }] } }),
        code: "missing_reference /plans/create/0/listId",
      },
      {
        name: "nested in what is forbidden",
        method: "PATCH",
        path: `/people/${ben}`,
        body: (list) => ({ plans: { create: [{ slug: "x", listId: list }] } }),
        code: "forbidden",
      },
      {
        name: "a change of it with a nested creation",
        method: "PATCH",
        path: "/lists/{list}",
        body: () => ({ plans: { create: [{ slug: "new", ownerId: ann }, forbidden] } }),
        code: "not_found",
      },
      {
        name: "a change of a plan with a nested creation",
        method: "PATCH",
        path: "/plans/{list}",
        of: "plan",
        body: () => ({ list: { create: { name: "x", ownerId: ben } } }),
        code: "not_found",
      },
      {
        name: "linked with what may not be created",
        method: "PATCH",
        path: `/lists/${hers}`,
        of: "plan",
        body: (plan) => ({ plans: { create: [forbidden], link: [plan] } }),
        code: "missing_reference /plans/link/0",
      },
      {
        name: "a hidden record",
        method: "PATCH",
        path: `/plans/${hidden}`,
        body: (list) => ({ listId: list }),
        code: "not_found",
      },
      {
        name: "what may not be changed",
        method: "PATCH",
        path: `/posters/${closed}`,
        body: (list) => ({ listId: list }),
        code: "forbidden",
      },
      {
        name: "merge patch",
        method: "PATCH",
        path: `/plans/${mine}`,
        body: (list) => ({ listId: list }),
        headers: patch("merge-patch+json"),
        code: "missing_reference /listId",
      },
      {
        name: "JSON patch",
        method: "PATCH",
        path: `/plans/${mine}`,
        body: (list) => [{ op: "add", path: "/listId", value: list }],
        headers: patch("json-patch+json"),
        code: "missing_reference /0",
      },
      {
        name: "given away with it",
        method: "PATCH",
        path: `/plans/${mine}`,
        body: (list) => ({ ownerId: ben, listId: list }),
        code: "missing_reference /listId",
      },
      {
        name: "several",
        method: "PATCH",
        path: "/plans?filter[slug]=mine",
        body: (list) => ({ ownerId: ben, listId: list }),
        headers: { prefer: "max-affected=5" },
        code: "missing_reference /listId",
      },
      {
        name: "PUT",
        method: "PUT",
        path: `/plans/${mine}`,
        body: (list) => probe(list, { slug: "mine" }),
        code: "missing_reference /listId",
      },
      {
        name: "upsert of what is there",
        method: "PUT",
        path: "/plans/slug=mine",
        body: (list) => ({ ownerId: ben, listId: list }),
        code: "missing_reference /listId",
      },
      {
        name: "upsert of what is new",
        method: "PUT",
        path: "/plans/slug=fresh",
        body: (list) => ({ ownerId: ben, listId: list }),
        code: "missing_reference /listId",
      },
      {
        name: "upsert of what is hidden, with the list that it has",
        method: "PUT",
        path: "/plans/slug=hidden",
        body: (list) => ({ ownerId: ann, listId: list }),
        code: "missing_reference /listId",
      },
      {
        name: "upsert mutation of what is hidden",
        query:
          'mutation($input: PlanUpsertBySlugInput!) { upsertPlanBySlug(slug: "hidden", input: $input) { plan { id } } }',
        body: (list) => ({ input: { ownerId: ann, listId: list } }),
        code: "missing_reference",
      },
      {
        name: "a batch",
        path: "/batch",
        body: (list) => ({
          requests: [
            { method: "POST", path: "/plans", body: [probe(list), forbidden] },
            { method: "POST", path: "/plans", body: probe(none, { slug: "b" }) },
          ],
        }),
        code: "missing_reference",
      },
      {
        name: "two mutations",
        query:
          "mutation($input: PlanCreateInput!, $other: PlanCreateInput!) { a: createPlan(input: $input) { plan { id } } b: createPlan(input: $other) { plan { id } } }",
        body: (list) => ({ input: probe(list), other: forbidden }),
        code: "missing_reference",
      },
      {
        name: "a mutation of several",
        query: "mutation($input: [PlanCreateInput!]!) { createPlans(input: $input) { plans { id } } }",
        body: (list) => ({ input: [forbidden, probe(list)] }),
        code: "missing_reference",
      },
    ]
    for (const form of forms) {
      const probes = form.of === "plan" ? [none.replace("lis", "pla"), hidden] : [none, his]
      const [absent = "", unseen] = await Promise.all(probes.map((id) => told(form, id)))
      assert.deepEqual(unseen, absent, form.name)
      assert.ok(absent.includes(form.code), `${form.name}: ${absent}`)
      assert.equal((await asAnn.rest<{ data: unknown[] }>("GET", "/plans")).body.data.length, 1, form.name)
    }
    assert.deepEqual(opened.faults, [])

    async function told({ method = "POST", path = "", body, headers, query }: Form, list: string) {
      const given = body(list)
      const text = query
        ? JSON.stringify((await asAnn.graphql(query, given as Record<string, unknown>)).errors)
        : await asAnn.rest<object>(method, path.replace("{list}", list), given, headers).then(plainOf)
      return text.replaceAll(list, "probe")
    }
  })

const plainOf = ({ status, body }: { readonly status: number; readonly body: object }): string => {
  const { errors = [], ...problem } = body as { errors?: readonly { code: string; pointer: string }[] }
  const first = errors.map(({ code, pointer }) => `${code} ${pointer}`).join()
  return `${status} ${first} ${JSON.stringify({ ...problem, errors })}`
}

const desk = service({
  name: "desk",
  roles: ["clerk"],
  viewer: "person",
  resources: {
    person: resource({
      id: "per",
      fields: { name: f.text() },
      allow: { read: { name: { eq: viewer["name"] } } },
    }),
    list: resource({ id: "lis", fields: { name: f.text() }, allow: { read: role("clerk") } }),
    ticket: resource({
      id: "tic",
      fields: { title: f.text() },
      relations: { list: one("list", { optional: true }), holder: one("person", { optional: true }) },
      states: {
        initial: "open",
        transitions: {
          file: {
            ...{ from: "any", to: "filed", allow: signedIn },
            ...{ input: { to: f.text() }, set: { listId: given("to") } },
          },
          hand: {
            ...{ from: "any", to: "held", allow: signedIn },
            ...{ input: { to: f.text() }, set: { holderId: given("to") } },
          },
        },
      },
      allow: { read: signedIn, create: signedIn },
    }),
  },
})

for (const database of dialects)
  test(`a transition refers to what its caller sees, ${database}`, async (context) => {
    const opened = await openCode(context, desk, database)
    const { person: [ann = "", ben = ""] = [] } = await opened.add({
      person: [{ name: "Ann" }, { name: "Ben" }],
    })
    const { list: [list = ""] = [] } = await opened.add({ list: [{ name: "unseen by all" }] })
    const { ticket: [ticket = ""] = [] } = await opened.add({ ticket: [{ title: "x" }] })
    const asAnn = opened.as(`person:${ann}`)
    const fire = async (name: string, to: string) => {
      const path = `/tickets/${ticket}/transitions/${name}`
      const { status, body } = await asAnn.rest<object>("POST", path, { to })
      return plainOf({ status, body }).replaceAll(to, "probe")
    }
    for (const [name, hidden] of [
      ["file", list],
      ["hand", ben],
    ] as const) {
      const absent = await fire(name, `${hidden.slice(0, 3)}_00000000000000000000000000`)
      assert.equal(await fire(name, hidden), absent, name)
      assert.match(absent, /^422 missing_reference/, name)
    }
    assert.match(await fire("hand", ann), /^200/)
    assert.deepEqual(opened.faults, [])
  })
