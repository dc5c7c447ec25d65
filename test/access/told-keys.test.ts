// A key that the caller chose leads to a record that the operation made before it, for callers who see all records of the
// resource and for those who see some. To rules it is not there (docs/guide/permissions.md).
import assert from "node:assert/strict"
import { test } from "node:test"
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
import { dialects } from "../support/open-service.ts"

const me = { id: { eq: viewer.id } }

interface Rules {
  readonly read: RuleDeclaration
  readonly create: RuleDeclaration
}

const club = ({ read, create }: Rules) =>
  service({
    name: "club",
    viewer: "person",
    resources: {
      person: resource({ id: "per", fields: { name: f.text() }, allow: { read: signedIn } }),
      unit: resource({
        key: ["code"],
        fields: { code: f.slug({ immutable: true }), open: f.boolean({ default: true }) },
        relations: {
          parent: one("unit", { optional: true }),
          lead: one("person"),
          children: many("unit", { by: "parent" }),
        },
        allow: { read, create, update: { lead: me } },
      }),
      plan: resource({
        id: "pla",
        fields: { title: f.text() },
        relations: {
          owner: one("person"),
          main: one("unit"),
          other: one("unit", { optional: true }),
          units: many("unit", { through: "plan_unit" }),
        },
        allow: { read: { owner: me }, create: { owner: me }, update: { owner: me } },
      }),
    },
  })

const sights: Readonly<Record<string, RuleDeclaration>> = { all: signedIn, some: { lead: me } }
const rules: Readonly<Record<string, RuleDeclaration>> = {
  "no record": signedIn,
  "the record": { lead: me },
  "its parent": [{ parent: { lead: me } }, { lead: me }],
  "its children": { children: { none: {} } },
}

const missing = "422 missing_reference"

async function open(context: Parameters<typeof openCode>[0], given: Rules, database: string) {
  const opened = await openCode(context, club(given), database as (typeof dialects)[number])
  const { person: [ann = "", ben = ""] = [] } = await opened.add({
    person: [{ name: "Ann" }, { name: "Ben" }],
  })
  await opened.add({
    unit: [
      { code: "hers", leadId: ann },
      { code: "his", leadId: ben },
    ],
  })
  const asAnn = opened.as(`person:${ann}`)
  const ask = async (method: string, path: string, body: unknown): Promise<string> => {
    const answer = await asAnn.rest<{ code?: string }>(method, path, body)
    return answer.status < 300 ? String(answer.status) : `${answer.status} ${answer.body.code}`
  }
  const unit = (code: string, more: object = {}): object => ({ code, leadId: ann, ...more })
  return { ...opened, ask, ann, ben, unit }
}

for (const database of dialects)
  for (const [sight, read] of Object.entries(sights))
    for (const [name, create] of Object.entries(rules))
      test(`a chosen key, where ${sight} are seen and the rule looks at ${name}, ${database}`, async (context) => {
        const { ask, ann, unit, faults } = await open(context, { read, create }, database)
        const beside = (...units: readonly object[]) => ask("POST", "/units", units)
        assert.equal(await beside(unit("a"), unit("b", { parentId: "unit_a" })), "201", "beside it")
        assert.equal(await beside(unit("c"), unit("d", { parent: { link: "c" } })), "201", "as a link")
        assert.equal(await beside(unit("f", { parentId: "unit_e" }), unit("e")), missing, "before it")
        assert.equal(await beside(unit("e"), unit("f", { parentId: "unit_g" })), missing, "absent")
        assert.equal(await ask("POST", "/units", unit("g", { parentId: "unit_g" })), "201", "itself")
        assert.equal(await ask("PUT", "/units/h", { leadId: ann, parentId: "unit_h" }), "201", "by PUT")
        const plan = (more: object) => ask("POST", "/plans", { title: "p", ownerId: ann, ...more })
        assert.equal(await plan({ main: { create: unit("i") }, otherId: "i" }), "201", "nested beside it")
        assert.equal(
          await plan({ main: { create: unit("j") }, units: { link: ["unit_j"] } }),
          "201",
          "linked beside it",
        )
        const both = { units: { link: ["unit_k"], create: [unit("k")] } }
        assert.equal(await plan({ mainId: "hers", ...both }), missing, "linked before it")
        const batch = {
          requests: [
            { method: "POST", path: "/units", body: unit("l") },
            { method: "POST", path: "/units", body: unit("m", { parentId: "unit_l" }) },
          ],
        }
        assert.equal(await ask("POST", "/batch", batch), "200", "an earlier operation")
        assert.deepEqual(faults, [])
      })

for (const database of dialects) {
  test(`a hidden record with the key is not told from an absent one, ${database}`, async (context) => {
    const given = { read: { lead: me }, create: { lead: me } }
    const { ask, unit, faults } = await open(context, given, database)
    const beside = (...units: readonly object[]) => ask("POST", "/units", units)
    for (const code of ["his", "none"]) {
      assert.equal(await beside(unit("x"), unit("y", { parentId: `unit_${code}` })), missing)
      assert.equal(await beside(unit("x", { parentId: `unit_${code}` }), unit(code)), missing)
      assert.equal(await beside(unit("x"), unit("y", { parent: { link: code } })), missing)
    }
    // A key that is taken cannot be given, as by itself.
    const taken = await ask("POST", "/units", unit("his"))
    assert.equal(await beside(unit("his"), unit("y", { parentId: "unit_his" })), taken)
    assert.deepEqual(faults, [])
  })

  test(`rules do not see what a chosen key leads to, ${database}`, async (context) => {
    for (const [create, nested] of [
      [{ or: [{ parentId: { isNull: true } }, together("parent")] }, "201"],
      [{ or: [{ parentId: { isNull: true } }, { parent: { open: { eq: true } } }] }, "201"],
    ] as const) {
      const { ask, ann, unit, faults } = await open(context, { read: { lead: me }, create }, database)
      const beside = [unit("a"), unit("b", { parentId: "unit_a" })]
      assert.equal(await ask("POST", "/units", beside), "403 forbidden")
      const children = { create: [unit("d")] }
      assert.equal(await ask("POST", "/units", unit("c", { children })), nested)
      const plan = { title: "p", ownerId: ann, main: { create: unit("e") } }
      const told = { ...plan, units: { create: [unit("f", { parentId: "unit_e" })] } }
      assert.equal(await ask("POST", "/plans", told), "403 forbidden")
      assert.deepEqual(faults, [])
    }
  })
}
