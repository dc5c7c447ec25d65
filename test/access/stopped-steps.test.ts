// A hidden record has the key of a record that a step makes: what else the step is refused for is told as where the key is free,
// with the same place.
import assert from "node:assert/strict"
import { test } from "node:test"
import { f, many, one, resource, role, service, signedIn, viewer } from "../../src/index.ts"
import { openCode } from "../code/open.ts"
import { dialects } from "../support/open-service.ts"

const me = { id: { eq: viewer.id } }
const slug = f.slug({ immutable: true })
const yard = service({
  name: "yard",
  viewer: "person",
  roles: ["staff"],
  resources: {
    person: resource({ id: "per", fields: { name: f.text() }, allow: { read: signedIn } }),
    org: resource({
      key: ["slug"],
      fields: { slug },
      relations: {
        owner: one("person"),
        parent: one("org", { optional: true }),
        children: many("org", { by: "parent" }),
        items: many("item", { by: "org" }),
        tags: many("tag", { through: "org_tag" }),
        labels: many("label", { through: "org_label" }),
      },
      allow: { read: { owner: me }, create: signedIn, update: { owner: me } },
    }),
    item: resource({
      id: "ite",
      fields: { text: f.text({ optional: true }), code: f.text({ unique: true, optional: true }) },
      relations: {
        org: one("org", { optional: true }),
        holder: one("person"),
        parts: many("part", { by: "item", owned: true }),
      },
      allow: { read: signedIn, create: { holder: me }, update: { holder: me }, delete: { holder: me } },
    }),
    part: resource({
      id: "par",
      fields: {},
      relations: { item: one("item") },
      allow: { read: signedIn, create: signedIn, delete: signedIn },
    }),
    tag: resource({
      id: "tag",
      fields: { name: f.text(), secret: f.boolean({ default: false }) },
      allow: { read: { secret: { eq: false } }, update: signedIn },
    }),
    ware: resource({
      id: "war",
      fields: {
        code: f.text({ unique: true }),
        serial: f.text({ unique: true, optional: true }),
        brand: f.text({ optional: true }),
        note: f.text({ optional: true }),
        secret: f.boolean({ default: false }),
      },
      relations: { maker: one("person", { optional: true }) },
      unique: [["brand", "note"]],
      allow: { read: { secret: { eq: false } }, create: signedIn, update: signedIn },
    }),
    badge: resource({
      id: "bad",
      fields: {
        number: f.text({ unique: true, read: { holder: me } }),
        name: f.text({ unique: true }),
        pin: f.text({ unique: true, optional: true, read: role("staff") }),
      },
      relations: { holder: one("person") },
      allow: { read: signedIn, create: { holder: me }, update: { holder: me } },
    }),
    label: resource({ id: "lab", fields: {}, allow: { read: signedIn, create: signedIn } }),
    club: resource({
      key: ["slug"],
      fields: { slug },
      relations: { members: many("member", { by: "club" }), rival: one("club", { optional: true }) },
      allow: { read: { members: { none: { banned: { eq: true } } } }, create: signedIn },
    }),
    room: resource({
      id: "roo",
      fields: { shut: f.boolean({ default: false }) },
      relations: { seats: many("seat", { by: "room" }) },
      allow: { read: signedIn, update: signedIn },
    }),
    seat: resource({
      key: ["slug"],
      fields: { slug },
      relations: { room: one("room") },
      allow: { read: { room: { shut: { eq: false } } }, create: signedIn },
    }),
    member: resource({
      id: "mem",
      fields: { banned: f.boolean({ default: false }) },
      relations: { club: one("club", { optional: true }) },
      allow: { read: signedIn, create: signedIn, update: signedIn },
    }),
  },
})

interface Case {
  readonly what: string
  readonly says: string
  readonly path: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body: (slug: string) => object
}

for (const database of dialects)
  test(`a step that is refused does not tell of a hidden key, ${database}`, async (context) => {
    const opened = await openCode(context, yard, database)
    const { person: [ann = "", ben = ""] = [] } = await opened.add({
      person: [{ name: "Ann" }, { name: "Ben" }],
    })
    await opened.add({
      org: [
        { slug: "taken", ownerId: ben },
        { slug: "hers", ownerId: ann },
        { slug: "other", ownerId: ann },
      ],
    })
    const { item: [mine = "", his = "", elsewhere = "", within = ""] = [] } = await opened.add({
      item: [
        { holderId: ann, code: "shown" },
        { holderId: ben, orgId: "org_hers" },
        { holderId: ann, orgId: "org_other" },
        { holderId: ann, orgId: "org_hers" },
      ],
    })
    await opened.add({ part: [{ itemId: elsewhere }] })
    const { tag: [secret = ""] = [] } = await opened.add({ tag: [{ name: "none", secret: true }] })
    const { member: [banned = ""] = [] } = await opened.add({ member: [{ banned: true }, {}] })
    await opened.add({ club: [{ slug: "taken" }] })
    await opened.add({ member: [{ clubId: "club_taken", banned: true }] })
    const { room: [room = "", shut = ""] = [] } = await opened.add({ room: [{}, { shut: true }] })
    await opened.add({ seat: [{ slug: "taken", roomId: shut }] })
    const { ware: [first = ""] = [] } = await opened.add({
      ware: [
        { code: "v1", serial: "w1" },
        { code: "v2", serial: "w2", brand: "b", note: "n" },
        { code: "taken", serial: "w3", secret: true },
      ],
    })
    const { badge: [worn = ""] = [] } = await opened.add({
      badge: [
        { number: "n1", name: "one", holderId: ann },
        { number: "taken", name: "two", pin: "taken", holderId: ben },
      ],
    })
    const org = (slug: string, more: object = {}) => ({ slug, ownerId: ann, ...more })
    const absent = "ite_01kdvdna05frht6hfjyawa4hcd"
    const nobody = "per_01kdvdna05frht6hfjyawa4hcd"
    const orgs = { path: "/orgs" }
    const hers = { path: "/orgs/hers", method: "PATCH" }
    const children = (slug: string) => ({ children: { create: [org(slug)] } })
    const cases: readonly Case[] = [
      {
        what: "a link of a record that the caller may not change",
        ...{ ...orgs, says: "forbidden /items/link/0" },
        body: (slug) => org(slug, { items: { link: [his] } }),
      },
      {
        what: "a link of none",
        ...{ ...orgs, says: "missing_reference /items/link/0" },
        body: (slug) => org(slug, { items: { link: [absent] } }),
      },
      {
        what: "a link below another record, after its parent",
        ...{ ...orgs, says: "forbidden /items/link/0" },
        body: (slug) => org("new", { parent: { create: org(slug) }, items: { link: [his] } }),
      },
      {
        what: "a link of a hidden record by a join table",
        ...{ ...orgs, says: "missing_reference /tags/link/0" },
        body: (slug) => org(slug, { tags: { link: [secret] } }),
      },
      {
        what: "a reference to none beside its own hidden key",
        ...{ ...orgs, says: "missing_reference /ownerId" },
        body: (slug) => ({ slug, ownerId: nobody }),
      },
      {
        what: "a reference to none of a record below, which a rule would refuse too",
        ...{ ...orgs, says: "missing_reference /items/create/0/holderId" },
        body: (slug) => org(slug, { items: { create: [{ holderId: nobody }] } }),
      },
      {
        what: "a reference to none after a record that a rule refuses",
        ...{ path: "/orgs/bulk", says: "missing_reference /1/items/create/1/holderId" },
        body: (slug) => [
          org("first", { items: { create: [{ holderId: ben }] } }),
          org(slug, { items: { create: [{ holderId: ann }, { holderId: nobody }] } }),
        ],
      },
      {
        what: "a reference to none after a value that a visible record has",
        ...{ ...orgs, says: "missing_reference /items/create/1/holderId" },
        body: (slug) =>
          org(slug, { items: { create: [{ holderId: ann, code: "shown" }, { holderId: nobody }] } }),
      },
      {
        what: "a link of none by a join table",
        ...{ ...orgs, says: "missing_reference /labels/link/0" },
        body: (slug) => org(slug, { labels: { link: ["lab_01kdvdna05frht6hfjyawa4hcd"] } }),
      },
      {
        what: "a version that is another one",
        ...{ path: `/items/${mine}`, method: "PATCH", headers: { "if-match": '"999"' } },
        says: "stale_version ",
        body: (slug) => ({ org: { create: org(slug) } }),
      },
      {
        what: "an update of what does not belong to it",
        ...{ ...hers, says: "missing_reference /items/update/0/id" },
        body: (slug) => ({
          ...children(slug),
          items: { update: [{ id: elsewhere, input: { text: "new" } }] },
        }),
      },
      {
        what: "a removal of what does not belong to it",
        ...{ ...hers, says: "missing_reference /items/delete/0" },
        body: (slug) => ({ ...children(slug), items: { delete: [elsewhere] } }),
      },
      {
        what: "a removal that the caller may not ask for",
        ...{ ...hers, says: "forbidden /items/delete/0" },
        body: (slug) => ({ ...children(slug), items: { delete: [his] } }),
      },
      {
        what: "a value that a visible record has",
        ...{ ...orgs, says: "already_exists /items/create/0/code" },
        body: (slug) => org(slug, { items: { create: [{ holderId: ann, code: "shown" }] } }),
      },
      {
        what: "such a value beside new records that it is linked with",
        ...{ ...orgs, says: "already_exists /items/create/0/code" },
        body: (slug) =>
          org(slug, {
            items: { create: [{ holderId: ann, code: "shown", parts: { create: [{}] } }] },
            labels: { create: [{}] },
          }),
      },
      {
        what: "such a value beside a record that a rule refuses",
        ...{ ...orgs, says: "forbidden /items/create/1" },
        body: (slug) =>
          org(slug, { items: { create: [{ holderId: ann, code: "shown" }, { holderId: ben }] } }),
      },
      {
        what: "a value that a visible record has beside its own hidden one",
        ...{ path: "/wares", says: "already_exists /serial" },
        body: (slug) => ({ code: slug, serial: "w1" }),
      },
      {
        what: "such a value and a reference to none",
        ...{ path: "/wares", says: "missing_reference /makerId" },
        body: (slug) => ({ code: slug, serial: "w1", makerId: nobody }),
      },
      {
        what: "a change to a value that a visible record has",
        ...{ path: `/wares/${first}`, method: "PATCH", says: "already_exists /serial" },
        body: (slug) => ({ code: slug, serial: "w2" }),
      },
      {
        what: "a change to such a value with a reference to none",
        ...{ path: `/wares/${first}`, method: "PATCH", says: "missing_reference /makerId" },
        body: (slug) => ({ code: slug, serial: "w2", makerId: nobody }),
      },
      {
        what: "a rule beside a value that a visible record has in a field that is hidden in it",
        ...{ path: "/badges", says: "forbidden " },
        body: (slug) => ({ number: slug, name: "three", holderId: ben }),
      },
      {
        what: "a rule beside a value of a field that the caller never sees",
        ...{ path: "/badges", says: "forbidden " },
        body: (slug) => ({ number: "n3", name: "three", pin: slug, holderId: ben }),
      },
      {
        what: "a value that a visible record shows beside one that is hidden in it",
        ...{ path: "/badges", says: "already_exists /name" },
        body: (slug) => ({ number: slug, name: "two", holderId: ann }),
      },
      {
        what: "a change of the holder to another beside a hidden value",
        ...{ path: `/badges/${worn}`, method: "PATCH", says: "forbidden " },
        body: (slug) => ({ number: slug, holderId: ben }),
      },
      {
        what: "a change to a value that a visible record shows beside a hidden one",
        ...{ path: `/badges/${worn}`, method: "PATCH", says: "already_exists /name" },
        body: (slug) => ({ pin: slug, name: "two" }),
      },
      {
        what: "a link that ends the sight of the last",
        ...{ path: "/clubs/bulk", says: "forbidden /1" },
        body: (slug) => [{ slug: "first" }, { slug, members: { link: [banned] } }],
      },
      {
        what: "a change that ends the sight of several",
        ...{ path: `/rooms/${room}`, method: "PATCH", says: "forbidden /seats/create" },
        body: (slug) => ({ shut: true, seats: { create: [{ slug: "first" }, { slug }] } }),
      },
      {
        what: "a parent that the caller would not see",
        ...{ path: "/clubs", says: "forbidden /rival/create" },
        body: (slug) => ({
          slug: "first",
          rival: { create: { slug, members: { create: [{ banned: true }] } } },
        }),
      },
    ]
    const asAnn = opened.as(`person:${ann}`)
    for (const { what, says, path, method = "POST", headers, body } of cases)
      await context.test(what, async () => {
        const told = async (slug: string) => {
          const { status, body: answer } = await asAnn.rest<{
            code?: string
            errors?: readonly { pointer?: string }[]
          }>(method, path, body(slug), headers)
          return { status, answer }
        }
        const free = await told("free")
        assert.equal(`${free.answer.code} ${free.answer.errors?.[0]?.pointer ?? ""}`, says)
        assert.deepEqual(await told("taken"), free)
      })
    // Without another reason, the hidden record is one.
    const alone = await asAnn.rest<{ code?: string }>("PATCH", "/orgs/hers", {
      ...children("taken"),
      items: { update: [{ id: within, input: { text: "new" } }] },
    })
    assert.equal(alone.body.code, "rule_violated")
    // A part of a visible record's key, and its own values, are no conflict.
    for (const [method, path, body] of [
      ["POST", "/wares", { code: "taken", brand: "b" }],
      ["PATCH", `/wares/${first}`, { code: "taken", serial: "w1" }],
    ] as const)
      assert.equal((await asAnn.rest<{ code?: string }>(method, path, body)).body.code, "rule_violated")
    assert.deepEqual(opened.faults, [])
  })
