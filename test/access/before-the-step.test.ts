// Rules of writes ask other records as they were before the step: no record vouches for itself, or for another that is written
// with it (docs/guide/permissions.md).
import assert from "node:assert/strict"
import { type TestContext, test } from "node:test"
import { Refusal } from "../../src/base/problem.ts"
import {
  f,
  given,
  many,
  one,
  type RuleDeclaration,
  resource,
  type ServiceDeclaration,
  service,
  signedIn,
  together,
  viewer,
  withCode,
} from "../../src/index.ts"
import { loadService } from "../../src/plan/access/policies.ts"
import { ruleNotes } from "../../src/plan/analysis/warnings.ts"
import { openCode } from "../code/open.ts"
import { type Database, dialects } from "../support/open-service.ts"

const me = { id: { eq: viewer.id } }
const owner = { level: { eq: "owner" } }
const ownerOf = { organisation: { memberships: { some: { person: me, ...owner } } } }
const levels = ["owner", "member"] as const

/** Organisations with members: by which rule a membership is made is what differs. */
const club = (create: RuleDeclaration) =>
  service({
    name: "club",
    viewer: "person",
    resources: {
      person: resource({
        id: "per",
        fields: { name: f.text(), hidden: f.boolean({ default: false }) },
        relations: { memberships: many("membership", { by: "person" }) },
        allow: { read: [me, { hidden: { eq: false } }], update: me },
      }),
      organisation: resource({
        id: "org",
        fields: { name: f.text() },
        relations: { memberships: many("membership", { by: "organisation" }) },
        allow: { read: { memberships: { some: { person: me } } }, create: signedIn, update: signedIn },
      }),
      membership: resource({
        id: "mem",
        fields: { level: f.oneOf(levels), note: f.text({ optional: true }) },
        relations: { organisation: one("organisation"), person: one("person") },
        allow: { read: signedIn, create, update: [ownerOf, { note: { eq: "free" } }], delete: ownerOf },
      }),
    },
  })

const strict = club(ownerOf)
const founding = club([ownerOf, { and: [together("organisation"), { person: me }, owner] }])

async function openClub(context: TestContext, of: typeof strict, database: Database) {
  const opened = await openCode(context, of, database)
  const { person: [ann = "", ben = "", dan = ""] = [] } = await opened.add({
    person: [{ name: "Ann" }, { name: "Ben" }, { name: "Dan", hidden: true }],
  })
  const { organisation: [a = "", b = ""] = [] } = await opened.add({
    organisation: [{ name: "A" }, { name: "B" }],
  })
  const { membership: [hers = "", his = ""] = [] } = await opened.add({
    membership: [
      { level: "owner", organisationId: a, personId: ann },
      { level: "member", organisationId: b, personId: ben },
    ],
  })
  const asAnn = opened.as(`person:${ann}`)
  const asBen = opened.as(`person:${ben}`)
  return { ...opened, ann, ben, dan, a, b, hers, his, asAnn, asBen }
}

type Asking = ReturnType<Awaited<ReturnType<typeof openCode>>["as"]>

/** The status, and the first code. */
async function rest(
  as: Asking,
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) {
  const { status, body: given } = await as.rest<{
    errors?: readonly { code: string; pointer?: string }[]
    code?: string
  }>(method, path, body, headers)
  const [first] = given?.errors ?? []
  return status < 300 ? String(status) : `${status} ${first?.code ?? given?.code}`
}

const create = {
  membership:
    "mutation($input: MembershipCreateInput!) { createMembership(input: $input) { membership { id } } }",
  organisation:
    "mutation($input: OrganisationCreateInput!) { createOrganisation(input: $input) { organisation { id } } }",
}

async function graphql(as: Asking, query: string, variables: Record<string, unknown>) {
  const { errors } = await as.graphql(query, variables)
  return String(errors?.[0]?.extensions?.["code"] ?? "done")
}

const none = (prefix: string): string => `${prefix}_00000000000000000000000000`

for (const database of dialects) {
  test(`a record is no evidence for itself, ${database}`, async (context) => {
    const { ann, ben, a, b, hers, his, asAnn, asBen, faults } = await openClub(context, strict, database)
    const self = { level: "owner", organisationId: a, personId: ben }
    assert.equal(await rest(asBen, "POST", "/memberships", self), "422 missing_reference", "unseen")
    assert.equal(await graphql(asBen, create.membership, { input: self }), "missing_reference")
    const inB = { ...self, organisationId: b }
    assert.equal(await rest(asBen, "POST", "/memberships", inB), "403 forbidden", "seen, as a member")
    assert.equal(await graphql(asBen, create.membership, { input: inB }), "forbidden")
    const nested = { name: "C", memberships: { create: [{ level: "owner", personId: ben }] } }
    assert.equal(
      await rest(asBen, "POST", "/organisations", nested),
      "403 forbidden",
      "with its organisation",
    )
    assert.equal(await graphql(asBen, create.organisation, { input: nested }), "forbidden")
    assert.equal(await rest(asBen, "PATCH", `/memberships/${his}`, { level: "owner" }), "403 forbidden")
    const two = [
      { level: "member", organisationId: a, personId: ben },
      { level: "owner", organisationId: b, personId: ann },
    ]
    assert.equal(await rest(asAnn, "POST", "/memberships", two), "422 missing_reference", "B is unseen")
    assert.equal(await rest(asAnn, "POST", "/memberships", two.slice(0, 1)), "201")
    assert.equal(await rest(asAnn, "POST", "/memberships", two), "422 missing_reference")
    assert.equal(await rest(asAnn, "PATCH", `/memberships/${hers}`, { level: "member" }), "200", "as it was")
    assert.equal(await rest(asAnn, "PATCH", `/memberships/${hers}`, { level: "owner" }), "403 forbidden")
    assert.deepEqual(faults, [])
  })

  test(`none of many that are written at once vouches for another, ${database}`, async (context) => {
    const { ann, ben, a, b, his, asAnn, asBen, faults, add } = await openClub(context, strict, database)
    await add({ membership: [{ level: "member", organisationId: b, personId: ann }] })
    const two = [
      { level: "member", organisationId: a, personId: ben },
      { level: "owner", organisationId: b, personId: ann },
    ]
    assert.equal(await rest(asAnn, "POST", "/memberships", two), "403 forbidden")
    assert.equal((await asAnn.rest<{ data: unknown[] }>("GET", "/memberships")).body.data.length, 3)
    const all = "/memberships?filter[level]=member"
    assert.equal(
      await rest(asBen, "PATCH", all, { level: "owner" }, { prefer: "max-affected=9" }),
      "403 forbidden",
    )
    const nested = {
      memberships: {
        create: [{ level: "owner", personId: ben }],
        update: [{ id: his, input: { level: "owner" } }],
      },
    }
    assert.equal(await rest(asBen, "PATCH", `/organisations/${b}`, nested), "403 forbidden")
    const batch = {
      requests: [
        { method: "POST", path: "/memberships", body: { ...two[0], level: "owner" } },
        { method: "POST", path: "/memberships", body: { level: "member", organisationId: a, personId: ann } },
      ],
    }
    assert.equal(await rest(asAnn, "POST", "/batch", batch), "200")
    assert.deepEqual(faults, [])
  })

  test(`a rule says what may be made together, ${database}`, async (context) => {
    const { ann, ben, a, b, asBen, faults } = await openClub(context, founding, database)
    const nested = (personId: string, level = "owner") => ({
      name: "C",
      memberships: { create: [{ level, personId }] },
    })
    assert.equal(await rest(asBen, "POST", "/organisations", nested(ann)), "403 forbidden")
    assert.equal(await rest(asBen, "POST", "/organisations", nested(ben, "member")), "403 forbidden")
    assert.equal(await graphql(asBen, create.organisation, { input: nested(ann) }), "forbidden")
    assert.equal(await rest(asBen, "POST", "/organisations", nested(ben)), "201")
    assert.equal(await graphql(asBen, create.organisation, { input: nested(ben) }), "done")
    const inB = { level: "owner", organisationId: b, personId: ben }
    assert.equal(await rest(asBen, "POST", "/memberships", inB), "403 forbidden", "it was there before")
    const upwards = { level: "owner", personId: ben, organisation: { create: { name: "D" } } }
    assert.equal(await rest(asBen, "POST", "/memberships", upwards), "201")
    const self = { level: "owner", organisationId: a, personId: ben }
    assert.equal(await rest(asBen, "POST", "/memberships", self), "422 missing_reference")
    assert.deepEqual(faults, [])
  })

  test(`each of several records is updated once, ${database}`, async (context) => {
    const { ann, a, b, hers, asAnn, add, faults } = await openClub(context, strict, database)
    const { membership: [free = "", more = ""] = [] } = await add({
      membership: [
        { level: "member", organisationId: b, personId: ann, note: "free" },
        { level: "member", organisationId: b, personId: ann, note: "free" },
      ],
    })
    const moves = (...ids: readonly string[]) => ({
      memberships: { update: ids.map((id) => ({ id, input: { note: "x", organisationId: a } })) },
    })
    const path = `/people/${ann}`
    assert.equal(await rest(asAnn, "PATCH", path, moves(hers, free, more, free)), "403 forbidden")
    assert.equal(await rest(asAnn, "PATCH", path, moves(hers, free, more)), "200")
    const notes = { memberships: { update: [hers, hers].map((id) => ({ id, input: { level: "owner" } })) } }
    assert.equal(await rest(asAnn, "PATCH", path, notes), "200", "of nothing that the rule looks at")
    assert.deepEqual(faults, [])
  })

  test(`an owner hands over in one request, ${database}`, async (context) => {
    const { ann, ben, a, b, hers, asAnn, add, faults } = await openClub(context, strict, database)
    const { membership: [other = "", free = ""] = [] } = await add({
      membership: [
        { level: "member", organisationId: a, personId: ben },
        { level: "member", organisationId: b, personId: ann, note: "free" },
      ],
    })
    const members = `/memberships?filter[id][in]=${other},${free}`
    const both = { prefer: "max-affected=9" }
    assert.equal(await rest(asAnn, "PATCH", members, { level: "member" }, both), "200", "each by its own way")
    const all = "/memberships?filter[level]=member"
    assert.equal(await rest(asAnn, "PATCH", all, { level: "owner" }, both), "403 forbidden")
    const moves = (...ids: readonly string[]) => ({
      memberships: { update: ids.map((id) => ({ id, input: { note: "x", organisationId: a } })) },
    })
    const byPerson = `/people/${ann}`
    assert.equal(await rest(asAnn, "PATCH", byPerson, moves(hers, hers)), "403 forbidden", "twice the same")
    assert.equal(await rest(asAnn, "PATCH", byPerson, moves(hers)), "200")
    const update = [
      { id: hers, input: { level: "member" } },
      { id: other, input: { level: "owner" } },
    ]
    assert.equal(await rest(asAnn, "PATCH", `/organisations/${a}`, { memberships: { update } }), "200")
    assert.equal(await rest(asAnn, "PATCH", `/memberships/${hers}`, { level: "owner" }), "403 forbidden")
    assert.deepEqual(faults, [])
  })

  test(`a hidden person is added by nobody, ${database}`, async (context) => {
    const { dan, a, asAnn, faults } = await openClub(context, strict, database)
    const add = (personId: string) => ({ level: "member", organisationId: a, personId })
    for (const id of [dan, none("per")]) {
      assert.equal(await rest(asAnn, "POST", "/memberships?include=person", add(id)), "422 missing_reference")
      assert.equal(await graphql(asAnn, create.membership, { input: add(id) }), "missing_reference")
    }
    assert.deepEqual(faults, [])
  })
}

const mine = { owner: me }
/** What is seen, or may be done, by records that refer to it. */
const office = service({
  name: "office",
  viewer: "person",
  resources: {
    person: resource({
      id: "per",
      fields: { name: f.text() },
      relations: { tickets: many("ticket", { by: "customer" }), notes: many("note", { by: "owner" }) },
      allow: { read: signedIn, update: me },
    }),
    folder: resource({
      id: "fol",
      fields: { name: f.text() },
      relations: { notes: many("note", { by: "folder" }), marks: many("mark", { through: "folderMark" }) },
      allow: { read: { notes: { some: mine } }, update: { notes: { some: mine } } },
    }),
    mark: resource({
      id: "mar",
      fields: { name: f.text() },
      relations: { folders: many("folder", { through: "folderMark" }) },
      allow: { read: { folders: { some: { notes: { some: mine } } } } },
    }),
    note: resource({
      id: "not",
      fields: { slug: f.slug({ unique: true }), text: f.text({ optional: true }) },
      relations: { owner: one("person"), folder: one("folder", { optional: true }) },
      states: {
        initial: "draft",
        transitions: {
          file: {
            from: "draft",
            to: "filed",
            input: { folder: f.text() },
            set: { folderId: given("folder") },
          },
        },
      },
      allow: { read: mine, create: mine, update: mine },
    }),
    poster: resource({
      id: "pos",
      fields: { text: f.text() },
      relations: { folder: one("folder", { optional: true }) },
      allow: { read: signedIn, create: signedIn, update: signedIn },
    }),
    ticket: resource({
      id: "tic",
      fields: { status: f.oneOf(["open", "closed"], { default: "open" }) },
      relations: { customer: one("person") },
      allow: { read: signedIn, create: { customer: { tickets: { none: { status: { eq: "open" } } } } } },
    }),
    order: resource({
      id: "ord",
      fields: { city: f.text() },
      relations: {
        customer: one("person"),
        lines: many("line", { by: "order" }),
        remarks: many("remark", { by: "order" }),
      },
      allow: { read: { customer: me }, create: { customer: me }, update: { customer: me } },
    }),
    line: resource({
      id: "lin",
      fields: { count: f.integer() },
      relations: { order: one("order"), parts: many("part", { by: "line" }) },
      allow: { read: signedIn, create: { order: { customer: me } }, update: { order: { customer: me } } },
    }),
    part: resource({
      id: "prt",
      fields: { name: f.text() },
      relations: { line: one("line") },
      allow: { read: signedIn, create: { line: { order: { customer: me, city: { eq: "Rome" } } } } },
    }),
    remark: resource({
      id: "rem",
      fields: { text: f.text() },
      relations: { order: one("order") },
      allow: { read: signedIn, create: { order: { lines: { some: {} } } } },
    }),
    team: resource({
      id: "tea",
      fields: { name: f.text() },
      relations: { seats: many("seat", { by: "team" }), projects: many("project", { by: "team" }) },
      allow: { read: signedIn },
    }),
    seat: resource({
      id: "sea",
      fields: {},
      relations: { team: one("team"), person: one("person") },
      allow: { read: signedIn },
    }),
    project: resource({
      id: "pro",
      fields: { name: f.text() },
      relations: { team: one("team") },
      allow: { read: signedIn, update: { team: { seats: { some: { person: me } } } } },
    }),
  },
})

async function openOffice(context: TestContext, database: Database) {
  const opened = await openCode(context, office, database)
  const { person: [ann = "", ben = ""] = [] } = await opened.add({
    person: [{ name: "Ann" }, { name: "Ben" }],
  })
  const { folder: [hers = "", hidden = ""] = [], team: [red = "", blue = ""] = [] } = await opened.add({
    folder: [{ name: "hers" }, { name: "hidden" }],
    team: [{ name: "red" }, { name: "blue" }],
  })
  const { note: [own = ""] = [], project: [project = ""] = [] } = await opened.add({
    note: [
      { slug: "own", ownerId: ann, folderId: hers },
      { slug: "his", ownerId: ben, folderId: hidden },
    ],
    seat: [{ teamId: red, personId: ann }],
    project: [{ name: "red", teamId: red }],
  })
  return { ...opened, ann, ben, hers, hidden, own, red, blue, project, asAnn: opened.as(`person:${ann}`) }
}

for (const database of dialects) {
  test(`a rule asks of others what was so before, ${database}`, async (context) => {
    const { ann, red, blue, project, asAnn, faults } = await openOffice(context, database)
    const ticket = { customerId: ann }
    assert.equal(await rest(asAnn, "POST", "/tickets", [ticket, ticket]), "201", "`none` asks before both")
    assert.equal(await rest(asAnn, "POST", "/tickets", ticket), "403 forbidden")
    assert.equal(await rest(asAnn, "PATCH", `/projects/${project}`, { teamId: blue }), "403 forbidden")
    assert.equal(await rest(asAnn, "PATCH", `/projects/${project}`, { teamId: red, name: "x" }), "200")
    assert.deepEqual(faults, [])
  })

  test(`a child asks its parent's own members, made in the same step, ${database}`, async (context) => {
    const { ann, ben, asAnn, faults } = await openOffice(context, database)
    const order = (customerId: string, more: object = {}) => ({ customerId, city: "Rome", ...more })
    const lines = { create: [{ count: 1 }, { count: 2 }] }
    assert.equal(await rest(asAnn, "POST", "/orders", order(ann, { lines })), "201")
    assert.equal(await rest(asAnn, "POST", "/orders", order(ben, { lines })), "403 forbidden")
    const remarks = { create: [{ text: "first" }] }
    assert.equal(await rest(asAnn, "POST", "/orders", order(ann, { lines, remarks })), "403 forbidden")
    const parts = { create: [{ count: 1, parts: { create: [{ name: "wheel" }] } }] }
    assert.equal(await rest(asAnn, "POST", "/orders", order(ann, { lines: parts })), "201")
    assert.equal(
      await rest(asAnn, "POST", "/orders", order(ann, { lines: parts, city: "Oslo" })),
      "403 forbidden",
    )
    const upwards = { count: 1, order: { create: order(ann) } }
    assert.equal(await rest(asAnn, "POST", "/lines", upwards), "201")
    assert.equal(
      await rest(asAnn, "POST", "/lines", { count: 1, order: { create: order(ben) } }),
      "403 forbidden",
    )
    const { body } = await asAnn.rest<{ id: string }>("POST", "/orders", order(ann))
    const first = { lines: { create: [{ count: 1 }] }, remarks }
    assert.equal(
      await rest(asAnn, "PATCH", `/orders/${body.id}`, first),
      "403 forbidden",
      "a line of the step",
    )
    assert.equal(await rest(asAnn, "PATCH", `/orders/${body.id}`, { lines }), "200")
    assert.equal(await rest(asAnn, "PATCH", `/orders/${body.id}`, { remarks }), "200")
    assert.deepEqual(faults, [])
  })

  test(`a reference leads to what was seen before, in every form, ${database}`, async (context) => {
    const opened = await openOffice(context, database)
    const { ann, hers, hidden, own, asAnn, faults } = opened
    const typed = (type: string) => ({ "content-type": `application/${type}` })
    const fresh = { slug: "new", ownerId: ann }
    const forms: readonly (readonly [string, string, (id: string) => unknown, Record<string, string>?])[] = [
      ["POST", "/notes", (folderId) => ({ ...fresh, folderId })],
      [
        "POST",
        "/notes",
        (folderId) => [
          { ...fresh, slug: "first", folderId: hers },
          { ...fresh, folderId },
        ],
      ],
      ["POST", "/notes", (id) => ({ ...fresh, folder: { link: id } })],
      ["PATCH", `/notes/${own}`, (folderId) => ({ folderId })],
      ["PATCH", `/notes/${own}`, (folderId) => ({ folderId }), typed("merge-patch+json")],
      [
        "PATCH",
        `/notes/${own}`,
        (value) => [{ op: "replace", path: "/folderId", value }],
        typed("json-patch+json"),
      ],
      ["PATCH", `/notes/${own}`, (id) => ({ folder: { link: id } })],
      ["PATCH", "/notes?filter[slug]=own", (folderId) => ({ folderId }), { prefer: "max-affected=5" }],
      ["PUT", `/notes/${own}`, (folderId) => ({ ...fresh, slug: "own", folderId })],
      ["PUT", "/notes/slug=own", (folderId) => ({ ownerId: ann, folderId })],
      ["PUT", "/notes/slug=other", (folderId) => ({ ownerId: ann, folderId })],
      ["POST", `/notes/${own}/transitions/file`, (folder) => ({ folder })],
      ["POST", `/notes/transitions/file?ids=${own}`, (folder) => ({ folder })],
      ["PATCH", `/people/${ann}`, (folderId) => ({ notes: { create: [{ slug: "new", folderId }] } })],
      ["PATCH", `/people/${ann}`, (folderId) => ({ notes: { update: [{ id: own, input: { folderId } }] } })],
      [
        "PATCH",
        `/folders/${hers}`,
        (folderId) => ({ notes: { update: [{ id: own, input: { folderId } }] } }),
      ],
    ]
    for (const [method, path, body, headers] of forms) {
      const answers = [hidden, none("fol")].map((id) => rest(asAnn, method, path, body(id), headers))
      assert.deepEqual(
        await Promise.all(answers),
        ["422 missing_reference", "422 missing_reference"],
        `${method} ${path} ${JSON.stringify(body("…"))}`,
      )
    }
    const { status } = await asAnn.rest("GET", `/folders/${hidden}`)
    assert.equal(status, 404)
    const mutation =
      "mutation($id: ID!, $input: NoteUpdateInput!) { updateNote(id: $id, input: $input) { note { id } } }"
    for (const folderId of [hidden, none("fol")])
      assert.equal(await graphql(asAnn, mutation, { id: own, input: { folderId } }), "missing_reference")
    assert.deepEqual(faults, [])
  })

  test(`a reference that stays may lead to what is hidden, ${database}`, async (context) => {
    const opened = await openOffice(context, database)
    const { hers, hidden, asAnn, faults } = opened
    const { poster: [poster = "", other = ""] = [] } = await opened.add({
      poster: [
        { text: "a", folderId: hidden },
        { text: "b", folderId: hers },
      ],
    })
    const path = `/posters/${poster}`
    assert.equal(await rest(asAnn, "PATCH", path, { text: "b", folderId: hidden }), "200")
    assert.equal(await rest(asAnn, "PUT", path, { text: "c", folderId: hidden }), "200")
    assert.equal(
      await rest(asAnn, "PUT", `/posters/${other}`, { text: "c", folderId: hidden }),
      "422 missing_reference",
    )
    const all = [
      "PATCH",
      "/posters?filter[id][ne]=pos_1",
      { folderId: hidden },
      { prefer: "max-affected=5" },
    ] as const
    assert.equal(await rest(asAnn, ...all), "422 missing_reference")
    assert.equal(await rest(asAnn, "PATCH", path, { folderId: null }), "200")
    assert.equal(await rest(asAnn, "PATCH", path, { folderId: hidden }), "422 missing_reference")
    assert.deepEqual(faults, [])
  })
}

/** The hooks move what is created for somebody else, as the text says. */
const moving = (to: { organisation: string; person: string }) =>
  withCode(founding, {
    before: {
      membership: {
        create: ({ new: { note } }) => ({
          ...(note === "moved" && { organisationId: to.organisation }),
          ...(note === "given" && { personId: to.person }),
        }),
      },
    },
  })

for (const database of dialects)
  test(`what a hook sets is asked about before it is written, ${database}`, async (context) => {
    const to = { organisation: "", person: "" }
    const opened = await openClub(context, moving(to), database)
    const { a, b, ann, ben, dan, asAnn, asBen, faults } = opened
    const member = (note: string, organisationId = a) => ({
      level: "member",
      organisationId,
      personId: ben,
      note,
    })
    to.organisation = b
    assert.equal(await rest(asAnn, "POST", "/memberships", member("")), "201")
    assert.equal(
      await rest(asAnn, "POST", "/memberships", member("moved")),
      "422 missing_reference",
      "unseen",
    )
    assert.equal(await rest(asBen, "POST", "/memberships", member("moved")), "403 forbidden", "seen")
    to.organisation = a
    const toOwn = { ...member("moved"), organisationId: b }
    assert.equal(await rest(asBen, "POST", "/memberships", toOwn), "403 forbidden")
    to.person = ann
    const nested = (note: string, personId: string) => ({
      name: "C",
      memberships: { create: [{ level: "owner", personId, note }] },
    })
    assert.equal(await rest(asBen, "POST", "/organisations", nested("", ben)), "201")
    assert.equal(await rest(asBen, "POST", "/organisations", nested("given", ben)), "403 forbidden")
    to.person = dan
    assert.equal(await rest(asAnn, "POST", "/memberships", member("given")), "422 missing_reference")
    assert.deepEqual(faults, [])
  })

test("check names rules that lead back to their resource, and those that no new record meets", () => {
  const noted = (declaration: ServiceDeclaration) =>
    ruleNotes(loadService(declaration)).map(({ place, what }) => `${place.join(".")}: ${what}`)
  const back = "this rule asks memberships as they were before the operation, as every rule does"
  assert.deepEqual(noted(founding), [
    `resources.membership.allow.create.0: ${back}`,
    `resources.membership.allow.update.0: ${back}`,
  ])
  const shop = service({
    name: "shop",
    resources: {
      order: resource({
        fields: { city: f.text() },
        relations: { lines: many("line", { by: "order" }) },
        allow: {
          read: signedIn,
          create: [{ lines: { some: {} } }, { lines: { none: {} }, city: { eq: "Rome" } }],
          update: { lines: { some: {} } },
        },
      }),
      line: resource({
        fields: { count: f.integer() },
        relations: { order: one("order") },
        allow: { read: signedIn, create: { order: { city: { eq: "Rome" } } } },
      }),
    },
  })
  assert.deepEqual(noted(shop), [
    "resources.order.allow.create.0: this rule can never hold: it asks for related records, and a new order has none yet",
  ])
})

test("together is for rules of what is written, and names a reference", () => {
  const wrong = (allow: object): string => {
    const resources = { ...founding.resources, membership: { ...founding.resources.membership, allow } }
    try {
      loadService({ ...founding, resources } as never)
      return "fine"
    } catch (error) {
      assert.ok(error instanceof Refusal)
      return error.problems.map(({ message }) => message).join()
    }
  }
  const read = signedIn
  assert.equal(wrong({ read, create: together("organisation") }), "fine")
  assert.match(
    wrong({ read: together("organisation") }),
    /is about a record that is being created or updated/,
  )
  assert.match(
    wrong({ read, delete: together("person") }),
    /is about a record that is being created or updated/,
  )
  assert.match(wrong({ read, create: together("level") }), /membership has no reference "level"/)
})

const selfMade = club([{ and: [{ person: me }, owner] }, ownerOf])

for (const database of dialects)
  test(`what one of many may be lets no other in, ${database}`, async (context) => {
    const { ann, ben, b, asBen, faults } = await openClub(context, selfMade, database)
    const two = [
      { level: "owner", organisationId: b, personId: ben },
      { level: "member", organisationId: b, personId: ann },
    ]
    assert.equal(await rest(asBen, "POST", "/memberships", two), "403 forbidden", "at once")
    for (const one of two) assert.equal(await rest(asBen, "POST", "/memberships", one), "201", "in two steps")
    assert.deepEqual(faults, [])
  })

for (const database of dialects)
  test(`nothing is together with an organisation that is there, ${database}`, async (context) => {
    const { ben, b, asBen, faults } = await openClub(context, founding, database)
    const self = { level: "owner", organisationId: b, personId: ben }
    assert.equal(await rest(asBen, "POST", "/memberships", self), "403 forbidden")
    assert.deepEqual(faults, [])
  })
