// Whoever may not write a record is told so, and the same, whether or not a record that they do not see has its unique values.
import assert from "node:assert/strict"
import { test } from "node:test"
import { f, many, one, resource, service, signedIn, viewer } from "../../src/index.ts"
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
      relations: {
        owner: one("person"),
        items: many("item", { by: "list", owned: true }),
        plans: many("plan", { by: "list" }),
      },
      allow: { read: own, create: own, update: own },
    }),
    item: resource({
      id: "ite",
      fields: { position: f.integer(), text: f.text({ optional: true }) },
      relations: { list: one("list") },
      unique: [["list", "position"]],
      allow: { read: { list: own }, create: signedIn, update: { list: own } },
    }),
    plan: resource({
      id: "pla",
      fields: { title: f.text(), note: f.text({ optional: true }) },
      relations: { owner: one("person"), list: one("list", { optional: true }) },
      unique: [["owner", "title"]],
      allow: { read: own, create: own, update: own },
    }),
    tag: resource({
      key: ["name"],
      fields: { name: f.slug({ immutable: true }), weight: f.integer({ default: 0 }) },
      relations: { marks: many("mark", { by: "tag" }) },
      allow: {
        read: { marks: { none: { hidden: { eq: true } } } },
        create: { weight: { lt: 5 } },
      },
    }),
    mark: resource({
      id: "mar",
      fields: { hidden: f.boolean() },
      relations: { tag: one("tag") },
      allow: { read: signedIn },
    }),
    club: resource({
      key: ["slug"],
      fields: {
        slug: f.slug({ immutable: true }),
        open: f.boolean({ default: false }),
        seated: f.int64({ computed: { count: "seats" } }),
      },
      relations: { seats: many("seat", { by: "club", owned: true }) },
      allow: {
        read: [
          { seats: { some: { person: { id: { eq: viewer.id } } } } },
          { open: { eq: true }, seated: { gt: 0 } },
        ],
        create: signedIn,
        update: signedIn,
      },
    }),
    seat: resource({
      id: "sea",
      fields: {},
      relations: { club: one("club"), person: one("person") },
      allow: { read: signedIn, create: signedIn },
    }),
    note: resource({
      id: "not",
      fields: { slug: f.slug({ unique: true }), text: f.text({ optional: true }) },
      relations: { owner: one("person") },
      allow: { read: own, create: signedIn, update: signedIn },
    }),
    card: resource({
      id: "car",
      fields: { code: f.text({ unique: true }), note: f.text({ optional: true }) },
      relations: { owner: one("person") },
      allow: { read: own, create: own, update: own },
    }),
  },
})

for (const database of dialects)
  test(`who may not write learns nothing of what is there, ${database}`, async (context) => {
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
    const { plan: [mine = ""] = [] } = await opened.add({
      plan: [
        { title: "mine", ownerId: ann },
        { title: "divorce", ownerId: ben },
      ],
      item: [
        { position: 1, listId: his },
        { position: 1, listId: hers },
      ],
      card: [{ code: "taken", ownerId: ben }],
      tag: [{ name: "hidden" }],
      note: [
        { slug: "taken", ownerId: ben },
        { slug: "mine", ownerId: ann },
      ],
      club: [{ slug: "ghost" }],
      seat: [{ clubId: "club_ghost", personId: ben }],
      mark: [{ hidden: true, tagId: "tag_hidden" }],
    })
    const asAnn = opened.as(`person:${ann}`)
    const told = async (method: string, path: string, body: unknown, headers = {}) => {
      const answer = await asAnn.rest<{ code?: string; errors?: unknown }>(method, path, body, headers)
      return { status: answer.status, body: answer.body }
    }
    const asked = async (query: string, variables: Readonly<Record<string, unknown>>) => {
      const { errors } = await asAnn.graphql(query, variables)
      return errors.map(({ message, path, extensions: { requestId: _, ...more } }) => ({
        message,
        path,
        ...more,
      }))
    }
    /** The same answer, of what is there and of what is not. */
    const alike = async (
      code: string,
      ask: (value: string) => Promise<unknown>,
      values: readonly string[],
    ) => {
      const [first, ...others] = await Promise.all(values.map(ask))
      assert.match(JSON.stringify(first), new RegExp(code))
      for (const [index, other] of others.entries()) assert.deepEqual(other, first, values[index + 1])
    }
    const positions = ["1", "7"]
    const titles = ["divorce", "holiday"]

    const line = (listId: string) => (position: string) =>
      told("POST", "/items", { listId, position: Number(position) })
    await alike("missing_reference", line(his), positions)
    assert.deepEqual(await line(his)("1"), await line("lis_00000000000000000000000000")("1"))
    assert.equal((await line(hers)("1")).body.code, "already_exists")
    await alike(
      "missing_reference",
      (position) =>
        asked("mutation($input: ItemCreateInput!) { createItem(input: $input) { item { id } } }", {
          input: { listId: his, position: Number(position) },
        }),
      positions,
    )
    await alike("forbidden", (title) => told("POST", "/plans", { title, ownerId: ben }), titles)
    await alike("forbidden", (title) => told("PATCH", `/plans/${mine}`, { title, ownerId: ben }), titles)
    await alike(
      "forbidden",
      (title) =>
        asked(
          'mutation($input: PlanUpdateInput!) { updatePlan(id: "' +
            mine +
            '", input: $input) { plan { id } } }',
          {
            input: { title, ownerId: ben },
          },
        ),
      titles,
    )
    await alike(
      "forbidden",
      (title) =>
        told("PATCH", `/plans?filter[title]=mine`, { title, ownerId: ben }, { prefer: "max-affected=5" }),
      titles,
    )
    await alike(
      "forbidden",
      (title) => told("PATCH", `/lists/${hers}`, { plans: { create: [{ title, ownerId: ben }] } }),
      titles,
    )
    await alike(
      "forbidden",
      (title) =>
        told("POST", "/lists", { name: "new", ownerId: ann, plans: { create: [{ title, ownerId: ben }] } }),
      titles,
    )
    await alike("forbidden", (code) => told("PUT", `/cards/code=${code}`, { ownerId: ben }), [
      "free",
      "taken",
    ])
    // The marks of the tag that is there are not those of one that would be made.
    const tag = (weight: number) => (name: string) => told("POST", "/tags", { name, weight })
    assert.equal((await tag(1)("hidden")).body.code, "rule_violated")
    await alike("forbidden", tag(9), ["other", "hidden"])
    // The rule of sight refuses a club without a seat, whether or not another club has its key.
    const slugs = ["free", "ghost"]
    await alike("forbidden", (slug) => told("POST", "/clubs", { slug }), slugs)
    await alike("forbidden", (slug) => told("PUT", `/clubs/club_${slug}`, {}), slugs)
    await alike("forbidden", (slug) => told("POST", "/clubs/bulk", [{ slug: "other" }, { slug }]), slugs)
    await alike(
      "forbidden",
      (slug) => told("POST", "/batch", { requests: [{ method: "POST", path: "/clubs", body: { slug } }] }),
      slugs,
    )
    await alike(
      "forbidden",
      (slug) =>
        asked("mutation($input: ClubCreateInput!) { createClub(input: $input) { club { slug } } }", {
          input: { slug },
        }),
      slugs,
    )
    // The count of seats is that of the other club.
    await alike("forbidden", (slug) => told("POST", "/clubs", { slug, open: true }), slugs)
    const withSeat = (slug: string) =>
      told("POST", "/clubs", { slug, seats: { create: [{ personId: ann }] } })
    assert.equal((await withSeat("ghost")).body.code, "rule_violated")
    assert.equal((await withSeat("hers")).status, 201)
    // The rule of sight refuses a club whose seats are all of others, and that of a seat a seat which is none.
    const seated = (personId: string) => (slug: string) => ({ slug, seats: { create: [{ personId }] } })
    const his1 = seated(ben)
    await alike("forbidden", (slug) => told("POST", "/clubs", his1(slug)), slugs)
    await alike(
      "forbidden",
      (slug) => told("POST", "/clubs/bulk", [seated(ann)("another"), his1(slug)]),
      slugs,
    )
    await alike(
      "forbidden",
      (slug) => told("POST", "/batch", { requests: [{ method: "POST", path: "/clubs", body: his1(slug) }] }),
      slugs,
    )
    await alike(
      "forbidden",
      (slug) =>
        asked("mutation($input: ClubCreateInput!) { createClub(input: $input) { club { slug } } }", {
          input: his1(slug),
        }),
      slugs,
    )
    const keys = ["free", "taken"]
    await alike("forbidden", (slug) => told("POST", "/notes", { slug, ownerId: ben }), keys)
    await alike("forbidden", (slug) => told("PUT", `/notes/slug=${slug}`, { ownerId: ben }), keys)
    await alike(
      "forbidden",
      (slug) =>
        asked(
          "mutation($slug: String!, $input: NoteUpsertBySlugInput!) { upsertNoteBySlug(slug: $slug, input: $input) { note { slug } } }",
          { slug, input: { ownerId: ben } },
        ),
      keys,
    )
    await alike("forbidden", (slug) => told("PATCH", "/notes/slug=mine", { slug, ownerId: ben }), keys)
    // Who may write it is told that it cannot be: that cannot be hidden.
    assert.equal((await told("POST", "/cards", { code: "taken", ownerId: ann })).body.code, "rule_violated")
    assert.equal((await told("POST", "/plans", { title: "divorce", ownerId: ann })).status, 201)
    assert.deepEqual(opened.faults, [])
  })
