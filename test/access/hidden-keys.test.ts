// A record's key is hidden with it, also from a write whose result is seen or not by what the same step makes below the record.
import assert from "node:assert/strict"
import { test } from "node:test"
import { f, many, one, problem, resource, service, signedIn, viewer, withCode } from "../../src/index.ts"
import { openCode } from "../code/open.ts"
import { dialects } from "../support/open-service.ts"

const me = { id: { eq: viewer.id } }
const slug = f.slug({ immutable: true })
const shop = service({
  name: "shop",
  viewer: "person",
  resources: {
    person: resource({
      id: "per",
      fields: { name: f.text(), active: f.boolean({ default: true }) },
      relations: { articles: many("article", { through: "writing" }) },
      allow: { read: signedIn, update: me },
    }),
    org: resource({
      key: ["slug"],
      fields: { slug },
      relations: { teams: many("team", { by: "org", owned: true }) },
      allow: { read: { teams: { some: { members: { some: { person: me } } } } }, create: signedIn },
    }),
    team: resource({
      id: "tea",
      fields: { open: f.boolean({ default: false }) },
      relations: { org: one("org"), members: many("member", { by: "team", owned: true }) },
      allow: { read: signedIn, create: signedIn },
    }),
    member: resource({
      id: "mem",
      fields: {},
      relations: { team: one("team"), person: one("person") },
      allow: { read: signedIn, create: signedIn },
    }),
    club: resource({
      key: ["slug"],
      fields: { slug, worth: f.int64({ computed: { sum: ["seats", "price"] } }) },
      relations: { seats: many("seat", { by: "club", owned: true }) },
      allow: {
        read: { seats: { none: { banned: { eq: true } } }, worth: { gte: 10 } },
        create: signedIn,
      },
    }),
    seat: resource({
      id: "sea",
      fields: { banned: f.boolean({ default: false }), price: f.integer({ default: 10 }) },
      relations: { club: one("club"), person: one("person") },
      allow: { read: signedIn, create: { price: { lt: 100 }, person: { active: { eq: true } } } },
    }),
    article: resource({
      key: ["slug"],
      fields: { slug },
      relations: { authors: many("person", { through: "writing" }) },
      allow: { read: { authors: { some: me } }, create: signedIn, update: signedIn },
    }),
    list: resource({
      id: "lis",
      fields: { name: f.text() },
      relations: { items: many("item", { by: "list", owned: true }) },
      allow: { read: signedIn, update: signedIn },
    }),
    item: resource({
      key: ["slug"],
      fields: {
        slug,
        flagged: f.boolean({ default: false }),
        code: f.text({ unique: true, optional: true }),
      },
      relations: { list: one("list") },
      allow: {
        read: { list: { items: { none: { flagged: { eq: true } } } } },
        create: signedIn,
        update: signedIn,
      },
    }),
    room: resource({
      id: "roo",
      fields: { name: f.text() },
      relations: { guests: many("guest", { by: "room", owned: true }) },
      allow: { read: signedIn },
    }),
    guest: resource({
      key: ["slug"],
      fields: { slug },
      relations: { room: one("room"), person: one("person") },
      allow: { read: { room: { guests: { some: { person: me } } } }, create: signedIn },
    }),
    desk: resource({
      key: ["slug"],
      fields: { slug },
      relations: { lamp: one("lamp", { by: "desk" }) },
      allow: { read: { lamp: { on: { eq: true } } }, create: signedIn },
    }),
    lamp: resource({
      id: "lam",
      fields: { on: f.boolean() },
      relations: { desk: one("desk") },
      unique: [["desk"]],
      allow: { read: signedIn, create: signedIn },
    }),
  },
})

interface Case {
  readonly what: string
  readonly path: string
  readonly body: (slug: string) => object
  readonly method?: string
  /** Without a hidden record of this key: created when absent. */
  readonly refused?: string
  /** With one, where the record would be seen; the same as without one when absent. */
  readonly taken?: string
}

for (const database of dialects)
  test(`a hidden key is not learnt from what is written below it, ${database}`, async (context) => {
    const opened = await openCode(context, shop, database)
    const { person: [ann = "", ben = "", eve = ""] = [] } = await opened.add({
      person: [{ name: "Ann" }, { name: "Ben" }, { name: "Eve", active: false }],
    })
    const { list: [list = ""] = [] } = await opened.add({ list: [{ name: "mine" }] })
    const { list: [other = ""] = [] } = await opened.add({ list: [{ name: "flagged" }] })
    const hidden = ["org", "club", "article", "desk"]
    await opened.add(Object.fromEntries(hidden.map((name) => [name, [{ slug: "taken" }]])))
    await opened.add({ item: [{ slug: "taken", code: "taken", flagged: true, listId: other }] })
    await opened.add({ item: [{ slug: "shown", listId: list }] })
    await opened.add({ lamp: [{ on: false, deskId: "desk_taken" }] })
    await opened.add({ seat: [{ banned: true, clubId: "club_taken", personId: ben }] })
    const seat = (more: object) => ({ personId: ann, ...more })
    const cases: readonly Case[] = [
      {
        what: "members of others, two steps below",
        ...{ path: "/orgs", refused: "forbidden" },
        body: (slug) => ({ slug, teams: { create: [{ members: { create: [{ personId: ben }] } }] } }),
      },
      {
        what: "a member who sees it, two steps below",
        ...{ path: "/orgs", taken: "rule_violated" },
        body: (slug) => ({
          slug,
          teams: { create: [{}, { members: { create: [{ personId: ben }, { personId: ann }] } }] },
        }),
      },
      {
        what: "one that must not be below it",
        ...{ path: "/clubs", refused: "forbidden" },
        body: (slug) => ({ slug, seats: { create: [seat({}), seat({ banned: true })] } }),
      },
      {
        what: "a sum of what is below it that is too small",
        ...{ path: "/clubs", refused: "forbidden" },
        body: (slug) => ({ slug, seats: { create: [seat({ price: 4 }), seat({ price: 5 })] } }),
      },
      {
        what: "a sum that is enough",
        ...{ path: "/clubs", taken: "rule_violated" },
        body: (slug) => ({ slug, seats: { create: [seat({ price: 4 }), seat({ price: 6 })] } }),
      },
      {
        what: "one below it that its own rule refuses",
        ...{ path: "/clubs", refused: "forbidden" },
        body: (slug) => ({ slug, seats: { create: [seat({}), seat({ price: 200 })] } }),
      },
      {
        what: "one below it that a rule by another reference refuses",
        ...{ path: "/clubs", refused: "forbidden" },
        body: (slug) => ({ slug, seats: { create: [seat({ personId: eve })] } }),
      },
      {
        what: "links to others",
        ...{ path: "/articles", refused: "forbidden" },
        body: (slug) => ({ slug, authors: { link: [ben] } }),
      },
      {
        what: "a link to the caller",
        ...{ path: "/articles", taken: "rule_violated" },
        body: (slug) => ({ slug, authors: { link: [ben, ann] } }),
      },
      {
        what: "nothing below it",
        ...{ path: "/desks", refused: "forbidden" },
        body: (slug) => ({ slug }),
      },
      {
        what: "itself below another",
        ...{ path: "/items", refused: "forbidden" },
        body: (slug) => ({ slug, flagged: true, listId: list }),
      },
      {
        what: "a change that ends sight by what is beside it",
        ...{ path: "/items/item_shown", method: "PATCH", refused: "forbidden" },
        body: (code) => ({ code, flagged: true }),
      },
      {
        what: "itself below another, by another's nested write",
        ...{ path: `/lists/${list}`, method: "PATCH", refused: "forbidden" },
        body: (slug) => ({ items: { create: [{ slug, flagged: true }] } }),
      },
    ]
    const asAnn = opened.as(`person:${ann}`)
    /** By each door, with a key of its own for each. */
    const told = async ({ method = "POST", path, body }: Case, slugAt: (door: string) => string) => {
      const rest = async (door: string, way: string, to: string, what: (slug: string) => object) => {
        const { status, body: answer } = await asAnn.rest<{ code?: string }>(way, to, what(slugAt(door)))
        return { door, status, answer, code: answer.code }
      }
      const requests = (slug: string) => ({ requests: [{ method, path, body: body(slug) }] })
      const doors = [await rest("rest", method, path, body), await rest("batch", "POST", "/batch", requests)]
      if (method !== "POST") return doors
      const bulk = await rest("bulk", "POST", `${path}/bulk`, (slug) => [body(slug)])
      const type = `${path.charAt(1).toUpperCase()}${path.slice(2, -1)}`
      const text = `mutation ($input: ${type}CreateInput!) { create${type}(input: $input) { ${path.slice(1, -1)} { id } } }`
      const { errors } = await asAnn.graphql(text, { input: body(slugAt("graphql")) })
      const answer = errors.map(({ message, path: at, extensions: { requestId: _, ...more } }) => ({
        message,
        at,
        ...more,
      }))
      return [...doors, bulk, { door: "graphql", status: 200, answer, code: errors[0]?.extensions["code"] }]
    }
    for (const [at, one] of cases.entries())
      await context.test(one.what, async () => {
        const free = await told(one, (door) => `free${at}${door}`)
        const taken = await told(one, () => "taken")
        for (const { door, code } of free) assert.equal(code, one.refused, door)
        if (one.taken === undefined) assert.deepEqual(taken, free)
        else for (const { door, code } of taken) assert.equal(code, one.taken, door)
      })
    assert.deepEqual(opened.faults, [])
  })

for (const database of dialects)
  test(`the record that is refused among several does not tell of a hidden key, ${database}`, async (context) => {
    const opened = await openCode(context, shop, database)
    const { person: [ann = "", ben = ""] = [] } = await opened.add({
      person: [{ name: "Ann" }, { name: "Ben" }],
    })
    const { list: [list = "", flagged = ""] = [] } = await opened.add({
      list: [{ name: "mine" }, { name: "flagged" }],
    })
    const { room: [empty = "", full = ""] = [] } = await opened.add({
      room: [{ name: "empty" }, { name: "full" }],
    })
    await opened.add({ item: [{ slug: "taken", flagged: true, listId: flagged }] })
    await opened.add({ guest: [{ slug: "taken", roomId: full, personId: ben }] })
    const asAnn = opened.as(`person:${ann}`)
    const item = (slug: string, listId: string, isFlagged = false) => ({ slug, listId, flagged: isFlagged })
    const guest = (slug: string, roomId: string, personId: string) => ({ slug, roomId, personId })
    const cases = [
      {
        what: "the last, beside one that is hidden already",
        ...{ type: "Item", at: 1 },
        body: (slug: string) => [item("first", list), item(slug, flagged)],
      },
      {
        what: "the first, by what it is itself",
        ...{ type: "Item", at: 0 },
        body: (slug: string) => [item(slug, list, true), item("second", flagged)],
      },
      {
        what: "the first, by what comes later",
        ...{ type: "Item", at: 0 },
        body: (slug: string) => [item("first", list), item(slug, list, true), item("third", flagged)],
      },
      {
        what: "the last, where the first is seen by what it is itself",
        ...{ type: "Guest", at: 1 },
        body: (slug: string) => [guest("first", empty, ann), guest(slug, full, ben)],
      },
      {
        what: "the last, where the first is seen by what comes later",
        ...{ type: "Guest", at: 2 },
        body: (slug: string) => [
          guest("first", empty, ben),
          guest(slug, empty, ann),
          guest("third", full, ben),
        ],
      },
      {
        what: "the first, where none shows it",
        ...{ type: "Guest", at: 0 },
        body: (slug: string) => [guest("first", empty, ben), guest(slug, empty, ben)],
      },
    ]
    for (const { what, type, at, body } of cases)
      await context.test(what, async () => {
        const told = async (slug: string) => {
          const { status, body: answer } = await asAnn.rest(
            "POST",
            `/${type.toLowerCase()}s/bulk`,
            body(slug),
          )
          const text = `mutation ($input: [${type}CreateInput!]!) { create${type}s(input: $input) { ${type.toLowerCase()}s { id } } }`
          const { errors } = await asAnn.graphql(text, { input: body(slug) })
          return {
            status,
            answer,
            errors: errors.map(({ extensions: { requestId: _, ...more }, ...error }) => ({ ...error, more })),
          }
        }
        const free = await told("free")
        const places = [...JSON.stringify(free).matchAll(/"pointer":"([^"]*)"/g)].map(([, place]) => place)
        assert.deepEqual([free.status, ...places], [403, `/${at}`, `/${at}`])
        assert.deepEqual(await told("taken"), free)
      })
    assert.deepEqual(opened.faults, [])
  })

const hooked = withCode(
  service({
    name: "hooked",
    viewer: "person",
    resources: {
      person: resource({ id: "per", fields: { name: f.text() }, allow: { read: signedIn } }),
      card: resource({
        id: "car",
        fields: { code: f.text({ unique: true }), text: f.text(), hidden: f.boolean({ default: false }) },
        allow: { read: { hidden: { eq: false } }, create: signedIn, update: signedIn },
      }),
      pass: resource({
        id: "pas",
        fields: { code: f.text({ unique: true }), text: f.text() },
        allow: { read: { text: { eq: "open" } }, create: { text: { eq: "open" } }, update: signedIn },
      }),
      box: resource({
        key: ["slug"],
        fields: { slug },
        relations: { things: many("thing", { by: "box", owned: true }) },
        allow: { read: { things: { some: { hidden: { eq: false } } } }, create: signedIn },
      }),
      thing: resource({
        id: "thi",
        fields: { text: f.text(), hidden: f.boolean({ default: false }) },
        relations: { box: one("box") },
        allow: { read: signedIn, create: signedIn },
      }),
    },
  }),
  {
    before: {
      card: {
        create({ new: { text } }) {
          if (text === "refuse") throw problem("conflict", "Not this text.")
          return { hidden: text === "hide" }
        },
        update: ({ new: { text } }) => ({ hidden: text === "hide" }),
      },
      pass: {
        create({ new: { text } }) {
          if (text === "refuse") throw problem("conflict", "Not this text.")
          return {}
        },
      },
      thing: { create: ({ new: { text } }) => ({ hidden: text === "hide" }) },
    },
  },
)

for (const database of dialects)
  test(`a hidden key is not learnt by what hooks set, ${database}`, async (context) => {
    const opened = await openCode(context, hooked, database)
    const { person: [ann = ""] = [] } = await opened.add({ person: [{ name: "Ann" }] })
    await opened.add({ pass: [{ code: "taken", text: "shut" }] })
    await opened.add({ card: [{ code: "taken", text: "hide", hidden: true }], box: [{ slug: "taken" }] })
    const { card: [mine = ""] = [] } = await opened.add({ card: [{ code: "mine", text: "show" }] })
    const asAnn = opened.as(`person:${ann}`)
    const told = async (method: string, path: string, body: object) => {
      const { status, body: answer } = await asAnn.rest<{ code?: string }>(method, path, body)
      return { status, answer }
    }
    const card = (text: string) => (code: string) => told("POST", "/cards", { code, text, hidden: true })
    assert.equal((await card("hide")("free")).answer.code, "forbidden")
    assert.deepEqual(await card("hide")("taken"), await card("hide")("free"))
    // The hook shows it.
    assert.equal((await card("show")("taken")).answer.code, "rule_violated")
    const changed = (text: string) => (code: string) => told("PATCH", `/cards/${mine}`, { code, text })
    assert.equal((await changed("hide")("free")).answer.code, "forbidden")
    assert.deepEqual(await changed("hide")("taken"), await changed("hide")("free"))
    assert.equal((await changed("show")("taken")).answer.code, "rule_violated")
    const put = (text: string) => (code: string) => told("PUT", `/cards/code=${code}`, { text })
    assert.equal((await put("hide")("free")).answer.code, "forbidden")
    assert.deepEqual(await put("hide")("taken"), await put("hide")("free"))
    assert.equal((await put("show")("taken")).answer.code, "rule_violated")
    assert.equal((await put("refuse")("free")).answer.code, "conflict")
    assert.deepEqual(await put("refuse")("taken"), await put("refuse")("free"))
    // The caller may make no such record either.
    const pass = (code: string) => told("PUT", `/passes/code=${code}`, { text: "refuse" })
    assert.equal((await pass("free")).answer.code, "conflict")
    assert.deepEqual(await pass("taken"), await pass("free"))
    const box = (slug: string) => told("POST", "/boxes", { slug, things: { create: [{ text: "hide" }] } })
    assert.equal((await box("free")).answer.code, "forbidden")
    assert.deepEqual(await box("taken"), await box("free"))
    assert.deepEqual(opened.faults, [])
  })
