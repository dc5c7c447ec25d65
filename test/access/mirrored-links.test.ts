// A link of a many-to-many relation can be set from both sides: `bifold check` names rules that follow a relation whose mirror
// is open to other callers (docs/guide/permissions.md).
import assert from "node:assert/strict"
import { test } from "node:test"
import {
  f,
  many,
  one,
  type RuleDeclaration,
  resource,
  role,
  service,
  signedIn,
  viewer,
} from "../../src/index.ts"
import { loadService } from "../../src/plan/access/policies.ts"
import { ruleNotes } from "../../src/plan/analysis/warnings.ts"
import { openCode } from "../code/open.ts"
import { dialects } from "../support/open-service.ts"

const me = { id: { eq: viewer.id } }
const mine = { owner: me }
const linked = { people: { some: me } }
const staff = role("staff")
const admin = role("admin")

interface ThroughSides {
  readonly near: Readonly<Record<string, string>>
  readonly far: Readonly<Record<string, string>>
}

interface Allowed {
  readonly read?: RuleDeclaration
  readonly create?: RuleDeclaration
  readonly update?: RuleDeclaration
}

const board = (team: Allowed, person: Allowed) =>
  service({
    name: "board",
    viewer: "person",
    roles: ["staff", "admin"],
    resources: {
      person: resource({
        id: "per",
        plural: "people",
        fields: { name: f.text() },
        relations: { teams: many("team", { through: "team_person" }) },
        allow: { read: signedIn, ...person },
      }),
      team: resource({
        id: "tea",
        fields: { name: f.text() },
        relations: {
          people: many("person", { through: "team_person" }),
          owner: one("person", { optional: true }),
        },
        allow: { read: signedIn, ...team },
      }),
      paper: resource({
        id: "pap",
        fields: {
          text: f.text(),
          price: f.integer({ optional: true, read: { team: linked }, write: [staff, { team: linked }] }),
        },
        states: {
          initial: "draft",
          final: "sent",
          transitions: { send: { from: "draft", to: "sent", allow: { team: linked } } },
        },
        relations: { team: one("team") },
        allow: {
          read: [staff, admin, { team: linked }],
          create: { team: linked },
          update: { and: [staff, { not: { team: { people: { none: me } } } }] },
          delete: staff,
        },
      }),
    },
  })

const notesOf = (of: Parameters<typeof loadService>[0]) =>
  ruleNotes(loadService(of)).flatMap(({ place, what, hint }) =>
    what.startsWith("this rule follows") ? [{ place: place.join("."), what, hint }] : [],
  )
const wordsOf = (team: Allowed, person: Allowed): readonly string[] => [
  ...new Set(notesOf(board(team, person)).map(({ what }) => what)),
]

const trap = board({ update: mine }, { update: me })
const by = (done: string): string =>
  `this rule follows team.people: callers that may ${done} a person set the same links by person.teams`

test("check names each rule that follows a relation whose links others set", () => {
  const found = notesOf(trap)
  assert.deepEqual(
    found.map(({ place }) => place),
    [
      "resources.paper.allow.read.2",
      "resources.paper.allow.create",
      "resources.paper.allow.update",
      "resources.paper.fields.price.read",
      "resources.paper.fields.price.write",
      "resources.paper.states.transitions.send.allow",
    ],
  )
  for (const { what, hint } of found) {
    assert.equal(what, by("update"))
    assert.match(hint, /a membership, or leave out person\.teams\./)
  }
})

const update = [by("update")]
const cases: readonly (readonly [string, Allowed, Allowed, readonly string[]])[] = [
  ["no caller updates teams", {}, { update: me }, update],
  ["callers sign up", { read: [signedIn], update: mine }, { create: signedIn }, [by("create")]],
  ["both", { update: mine }, { create: signedIn, update: me }, [by("create or update")]],
  ["a role beside owners", { update: [staff, mine] }, { update: [staff, me] }, update],
  ["another role", { update: admin }, { update: staff }, update],
  ["a wider role", { update: { and: [staff, admin] } }, { update: staff }, update],
  ["sight by another's link", { read: { people: { some: {} } }, update: mine }, { update: me }, update],
  ["members link others", { read: linked, update: mine }, { update: signedIn }, update],
  ["sight by a role", { read: [linked, staff], update: mine }, { update: me }, update],
  ["no caller updates people", { update: mine }, {}, []],
  ["staff on both sides", { update: staff }, { update: staff }, []],
  ["a narrower role", { update: staff }, { update: { and: [staff, admin] } }, []],
  ["every caller updates teams", { update: signedIn }, { update: me }, []],
  ["sight by the link itself", { read: linked, update: mine }, { update: me }, []],
  ["sight of own teams", { read: [mine, linked], update: mine }, { update: me }, []],
]

for (const [name, team, person, expected] of cases)
  test(`links set from the other side: ${name}`, () => assert.deepEqual(wordsOf(team, person), expected))

test("a relation that one side declares has no note, nor has one beside a resource that no caller updates", () => {
  const { person } = trap.resources
  const { relations: _, ...without } = person
  for (const one of [without, { ...person, readonly: ["update"] as const }]) {
    const resources = { ...trap.resources, person: one }
    assert.deepEqual(notesOf({ ...trap, resources } as never), [])
  }
})

test("a resource that is linked to itself has a mirror where another relation leads the other way", () => {
  const followed = { near: { followed_id: "id" }, far: { follower_id: "id" } }
  const following = { near: followed.far, far: followed.near }
  const noted = (through: ThroughSides) =>
    notesOf(
      service({
        name: "crowd",
        viewer: "person",
        resources: {
          person: resource({
            plural: "people",
            fields: { name: f.text(), mood: f.text({ read: { followers: { some: me } } }) },
            relations: {
              followers: many("person", { through: { table: "follow", ...followed } }),
              others: many("person", { through: { table: "follow", ...through } }),
            },
            allow: { read: signedIn, update: me },
          }),
        },
      }),
    ).map(({ what }) => what)
  assert.deepEqual(noted(followed), [])
  assert.deepEqual(noted(following), [
    "this rule follows person.followers: callers that may update a person set the same links by person.others",
  ])
})

for (const database of dialects)
  for (const [name, of, status] of [
    ["that the note names", trap, 204],
    ["without a note", board({ read: [linked, mine], update: mine }, { update: me }), 404],
  ] as const)
    test(`a caller links itself by a mirror ${name}, ${database}`, async (context) => {
      const opened = await openCode(context, of, database)
      const { person: [ann = "", ben = ""] = [] } = await opened.add({
        person: [{ name: "Ann" }, { name: "Ben" }],
      })
      const { team: [a = ""] = [] } = await opened.add({ team: [{ name: "A", ownerId: ann }] })
      const { paper: [paper = ""] = [] } = await opened.add({ paper: [{ text: "secret", teamId: a }] })
      const asBen = opened.as(`person:${ben}`)
      const read = async () => (await asBen.rest("GET", `/papers/${paper}`)).status
      assert.equal(await read(), 404)
      assert.notEqual((await asBen.rest("PUT", `/teams/${a}/people/${ben}`)).status, 204)
      assert.equal((await asBen.rest("PUT", `/people/${ben}/teams/${a}`)).status, status)
      assert.equal(await read(), status === 204 ? 200 : 404)
    })
