// Rules of writes ask other records as they were before the step: no record vouches for itself, or for another that is written
// with it (docs/guide/access.md).
import assert from "node:assert/strict"
import { type TestContext, test } from "node:test"
import {
  f,
  many,
  one,
  type RuleDeclaration,
  resource,
  service,
  signedIn,
  together,
  viewer,
} from "../../src/index.ts"
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
        allow: { read: [me, { hidden: { eq: false } }] },
      }),
      organisation: resource({
        id: "org",
        fields: { name: f.text() },
        relations: { memberships: many("membership", { by: "organisation" }) },
        allow: { read: { memberships: { some: { person: me } } }, create: signedIn, update: signedIn },
      }),
      membership: resource({
        id: "mem",
        fields: { level: f.oneOf(levels) },
        relations: { organisation: one("organisation"), person: one("person") },
        allow: { read: signedIn, create, update: ownerOf, delete: ownerOf },
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
    const { ann, ben, a, asBen, faults } = await openClub(context, founding, database)
    const nested = (personId: string, level = "owner") => ({
      name: "C",
      memberships: { create: [{ level, personId }] },
    })
    assert.equal(await rest(asBen, "POST", "/organisations", nested(ann)), "403 forbidden")
    assert.equal(await rest(asBen, "POST", "/organisations", nested(ben, "member")), "403 forbidden")
    assert.equal(await graphql(asBen, create.organisation, { input: nested(ann) }), "forbidden")
    assert.equal(await rest(asBen, "POST", "/organisations", nested(ben)), "201")
    assert.equal(await graphql(asBen, create.organisation, { input: nested(ben) }), "done")
    const upwards = { level: "owner", personId: ben, organisation: { create: { name: "D" } } }
    assert.equal(await rest(asBen, "POST", "/memberships", upwards), "201")
    const self = { level: "owner", organisationId: a, personId: ben }
    assert.equal(await rest(asBen, "POST", "/memberships", self), "422 missing_reference")
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
