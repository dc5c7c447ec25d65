// A relation that became a list, written by an older version: what the caller sees is what they saw before the operation.
// Records that it makes visible stay linked, and no refusal tells of them.
import assert from "node:assert/strict"
import { describe, test } from "node:test"
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
import { startService } from "../../src/tools/testing/start-service.ts"

const staff = role("staff")
const me = { id: { eq: viewer.id } }
const owned = { team: { seats: { some: { person: me } } } }
const old = { "api-version": "2026-01-01" }

const declare = (read: RuleDeclaration) =>
  service({
    name: "teams",
    roles: ["staff"],
    viewer: "person",
    versions: {
      "2026-09-01": [{ widened: "issue.assignee", to: "assignees", first: ["-rank"] }],
      "2026-01-01": [],
    },
    resources: {
      team: resource({
        id: "tea",
        fields: { name: f.text() },
        relations: { seats: many("seat", { by: "team" }), issues: many("issue", { by: "team" }) },
        allow: { read: signedIn, update: signedIn },
      }),
      seat: resource({
        id: "sea",
        fields: {},
        relations: { team: one("team"), person: one("person") },
        allow: { read: [staff, owned], create: owned },
      }),
      person: resource({
        id: "per",
        fields: { name: f.text(), rank: f.integer(), open: f.boolean({ default: false }) },
        relations: {
          seats: many("seat", { by: "person" }),
          issues: many("issue", { through: "assignment" }),
        },
        allow: {
          read: [
            staff,
            me,
            { open: { eq: true } },
            { seats: { some: owned } },
            { issues: { some: { shown: { eq: true } } } },
          ],
        },
      }),
      issue: resource({
        id: "iss",
        fields: { code: f.text({ unique: true }), title: f.text(), shown: f.boolean({ default: false }) },
        relations: { team: one("team"), assignees: many("person", { through: "assignment" }) },
        allow: { read, create: signedIn, update: { title: { ne: "no" } } },
      }),
    },
  })

interface World {
  readonly read?: RuleDeclaration
  readonly linked?: readonly string[]
  readonly rank?: number
}

interface Issue {
  readonly assignees: { readonly data: readonly { readonly name: string }[] }
}

interface Asked {
  readonly method: string
  readonly path: string
  readonly body: object
}

/** The answer to the caller by the oldest version, and the people that are linked afterwards. */
async function answerIn(database: string, { read = signedIn, linked = [], rank = 9 }: World, asked: Asked) {
  await using world = await startService(declare(read), {
    database,
    records: {
      team: [{ id: "tea_b", name: "theirs" }],
      person: [
        { id: "per_me", name: "Me", rank: 1 },
        { id: "per_x", name: "X", rank: 5, open: true },
        { id: "per_h", name: "H", rank },
        { id: "per_i", name: "I", rank: 0 },
      ],
      seat: ["h", "i"].map((one) => ({ id: `sea_${one}`, teamId: "tea_b", personId: `per_${one}` })),
      issue: [{ id: "iss_1", code: "c1", title: "t", teamId: "tea_b", assignees: { link: [...linked] } }],
    },
  })
  const { method, path } = asked
  const { status, body: answer } = await world.as("person:per_me").rest(method, path, asked.body, old)
  const { body } = await world.as("role:staff").rest("GET", "/issues/iss_1?include=assignees")
  const { data } = (body as Issue).assignees
  return {
    status,
    code: (answer as { readonly code?: string }).code,
    people: data.map(({ name }) => name).toSorted(),
  }
}

const seat = { create: [{ personId: "per_me" }] }
const byTeam = (input: object): Asked => ({
  method: "PATCH",
  path: "/teams/tea_b",
  body: { seats: seat, issues: { update: [{ id: "iss_1", input }] } },
})
const put = (code: string, body: object): Asked => ({
  method: "PUT",
  path: `/issues/code=${code}`,
  body: { title: "t", teamId: "tea_b", ...body },
})

for (const [title, database] of [
  ["SQLite", "sqlite"],
  ["PostgreSQL", process.env["BIFOLD_TEST_POSTGRES"] ?? ""],
] as const)
  describe(`what an older version does not see of a list, on ${title}`, () => {
    const refused: readonly (readonly [string, Asked, World, World])[] = [
      ["null", byTeam({ assigneeId: null }), { linked: ["per_x"] }, { linked: ["per_x", "per_h"] }],
      ["null of unseen alone", byTeam({ assigneeId: null }), {}, { linked: ["per_h", "per_i"] }],
      [
        "the one of a rank",
        byTeam({ assigneeId: "per_x" }),
        { linked: ["per_x", "per_h"], rank: 4 },
        { linked: ["per_x", "per_h"], rank: 6 },
      ],
      [
        "a PUT by its key",
        put("c1", { title: "no", shown: true }),
        { linked: ["per_x"] },
        { linked: ["per_x", "per_h"] },
      ],
    ]
    for (const [what, asked, one, other] of refused)
      test(`a write that is refused does not tell of them: ${what}`, async () => {
        const [here, there] = [await answerIn(database, one, asked), await answerIn(database, other, asked)]
        assert.deepEqual([here.status, here.code], [403, "forbidden"])
        assert.deepEqual([there.status, there.code], [403, "forbidden"])
        assert.deepEqual(there.people.length, other.linked?.length)
      })

    for (const body of [{ shown: true }, { shown: true, assigneeId: null }])
      test(`an upsert that makes them visible leaves them: ${JSON.stringify(body)}`, async () => {
        const { status, people } = await answerIn(database, { linked: ["per_h"] }, put("c1", body))
        assert.deepEqual([status, people], [200, ["H"]])
      })

    test("a later write of an operation that makes them visible leaves them", async () => {
      const update = [
        { id: "iss_1", input: { shown: true } },
        { id: "iss_1", input: { assigneeId: null } },
      ]
      const asked = { method: "PATCH", path: "/teams/tea_b", body: { issues: { update } } }
      const { status, people } = await answerIn(database, { linked: ["per_h"] }, asked)
      assert.deepEqual([status, people], [200, ["H"]])
    })

    test("an upsert makes a record that its links let the caller see, and tells no hidden key", async () => {
      const read = [staff, { assignees: { some: me } }]
      const ask = async (code: string, assigneeId: string | null) =>
        (await answerIn(database, { read }, put(code, { assigneeId }))).status
      assert.equal(await ask("new", "per_me"), 201)
      for (const code of ["new", "c1"])
        for (const assigneeId of ["per_x", null]) assert.equal(await ask(code, assigneeId), 403, code)
    })
  })
