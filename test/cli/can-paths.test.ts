// `bifold can` names the related records that make a rule hold, and the step of its path that has none where it fails.
import assert from "node:assert/strict"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { after, describe, test } from "node:test"
import { load } from "../../src/model/load.ts"
import { withSystem } from "../../src/model/system/with-system.ts"
import { postgres } from "../../src/sql/dialects/postgres.ts"
import { sqlite } from "../../src/sql/dialects/sqlite.ts"
import { createSchema } from "../../src/sql/schema/schema.ts"
import { insertRecords, type Row } from "../../src/sql/write/insert.ts"
import { setUp } from "../../src/storage/migration/set-up.ts"
import { cleanUp, temporaryFolder, temporaryPostgres } from "../support/database.ts"
import { club } from "./can-club.ts"
import { bifold } from "./run.ts"

const hooks = cleanUp(after)
const folder = await temporaryFolder(hooks)
const file = join(folder, "service.ts")
writeFileSync(
  file,
  `export { club as default } from ${JSON.stringify(new URL("can-club.ts", import.meta.url).href)}\n`,
)
const model = load(withSystem(club))

const membership = (id: string, organisationId: string, personId: string, level: string) => ({
  id,
  level,
  organisationId,
  personId,
})
const members = ["bob", "cat", "dan", "eve", "fay"]
const records = new Map<string, readonly Row[]>([
  ["person", ["ann", "sue", ...members].map((id) => ({ id, name: id }))],
  ["organisation", [...["a", "b"].map((id) => ({ id, active: true })), { id: "idle", active: false }]],
  [
    "membership",
    [
      membership("ann1", "a", "ann", "owner"),
      membership("ann2", "a", "ann", "owner"),
      ...members.map((person) => membership(person, "a", person, "member")),
      membership("sue", "b", "sue", "owner"),
      membership("none", "idle", "bob", "member"),
    ],
  ],
])

/** Each rule of the action, its holding and its paths. */
interface Told {
  readonly allowed: boolean
  readonly needs: readonly {
    readonly what: string
    readonly rules: readonly { readonly holds: string; readonly paths?: readonly object[] }[]
  }[]
}

for (const [name, dialect] of [
  ["sqlite", sqlite],
  ["postgres", postgres],
] as const)
  describe(`on ${name}`, async () => {
    const database = name === "sqlite" ? join(folder, "club.db") : await temporaryPostgres(hooks)
    await setUp(database, [
      ...createSchema(model, dialect).map((text) => ({ text, parameters: [] })),
      ...insertRecords(model, dialect, { records, links: [] }),
    ])
    const can = (actor: string, action: string, what: string, ...rest: readonly string[]) =>
      bifold(["can", `person:per_${actor}`, action, what, file, "--database", database, ...rest])
    const rulesOf = async (actor: string, action: string, what: string) => {
      const { stdout, stderr } = await can(actor, action, what, "--json")
      assert.equal(stderr, "")
      const { needs }: Told = JSON.parse(stdout)
      return needs.at(-1)?.rules.map(({ holds, paths }) => [holds, paths])
    }
    const organisation = (id: string) => ({ relation: "organisation", records: [`org_${id}`], more: 0 })
    const isOwner = "level = owner and person.id = viewer.id"

    test("the records that vouch are named", async () => {
      assert.deepEqual(await rulesOf("ann", "update", "membership:mem_bob"), [
        [
          "yes",
          [
            {
              found: [
                organisation("a"),
                { relation: "memberships", records: ["mem_ann1", "mem_ann2"], more: 0 },
              ],
            },
          ],
        ],
        ["no", undefined],
      ])
      const { stdout } = await can("ann", "update", "membership:mem_bob")
      assert.match(stdout, / {3}by organisation org_a; memberships mem_ann1, mem_ann2\n/)
    })

    test("the first step without such a record is named, with those before it", async () => {
      assert.deepEqual((await rulesOf("sue", "update", "membership:mem_bob"))?.[0], [
        "no",
        [{ found: [organisation("a")], none: { relation: "memberships", where: isOwner } }],
      ])
      assert.deepEqual((await rulesOf("bob", "update", "membership:mem_none"))?.[0], [
        "no",
        [{ found: [], none: { relation: "organisation", where: "active = true" } }],
      ])
      const { stdout } = await can("sue", "update", "membership:mem_bob")
      assert.match(
        stdout,
        / {3}organisation org_a; no memberships \(level = owner and person\.id = viewer\.id\)\n?/,
      )
    })

    test("three records are named, and the others counted", async () => {
      assert.deepEqual(await rulesOf("ann", "delete", "organisation:org_a"), [
        [
          "no",
          [
            {
              found: [{ relation: "memberships", records: ["mem_bob", "mem_cat", "mem_dan"], more: 2 }],
              against: true,
            },
          ],
        ],
      ])
      const { stdout } = await can("ann", "delete", "organisation:org_a")
      assert.match(stdout, / {3}against it: memberships mem_bob, mem_cat, mem_dan and 2 more/)
      assert.deepEqual(await rulesOf("sue", "delete", "organisation:org_b"), [
        ["yes", [{ found: [{ relation: "memberships", records: [], more: 0 }] }]],
      ])
    })

    test("records of later steps are those of the records before them", async () => {
      const { 0: rule } = (await rulesOf("ann", "update", "organisation:org_a")) ?? []
      assert.deepEqual(rule, [
        "yes",
        [
          {
            found: [
              { relation: "memberships", records: ["mem_ann1", "mem_ann2"], more: 0 },
              { relation: "person", records: ["per_ann"], more: 0 },
              { relation: "memberships", records: ["mem_ann1", "mem_ann2"], more: 0 },
            ],
          },
        ],
      ])
      assert.deepEqual(await rulesOf("bob", "update", "organisation:org_idle"), [
        [
          "no",
          [
            {
              found: [
                { relation: "memberships", records: ["mem_none"], more: 0 },
                { relation: "person", records: ["per_bob"], more: 0 },
              ],
              none: { relation: "memberships", where: "level = owner" },
            },
          ],
        ],
      ])
    })

    test("of several ways the one is named by which the rule holds", async () => {
      const rules = await rulesOf("sue", "delete", "membership:mem_sue")
      assert.deepEqual(rules, [
        [
          "yes",
          [
            {
              found: [
                { relation: "person", records: ["per_sue"], more: 0 },
                { relation: "memberships", records: ["mem_sue"], more: 0 },
                organisation("b"),
                { relation: "memberships", records: ["mem_sue"], more: 0 },
              ],
            },
          ],
        ],
      ])
    })
  })
