// Single cases of who sees what, in their smallest form: what the random services of the proofs once found.
import assert from "node:assert/strict"
import { describe, test } from "node:test"
import type { FieldDeclaration } from "../../src/model/declaration/declaration.ts"
import type { AllowDeclaration, RuleObject } from "../../src/model/policy-declaration.ts"
import type { Row } from "../../src/sql/write/insert.ts"
import type { Hooks } from "../support/database.ts"
import { type Database, dialects } from "../support/open-service.ts"
import type { TextResponse } from "../support/text-face.ts"
import { type Doors, openHouse } from "./doors.ts"
import { type Guarded, guarded, person } from "./guarded.ts"

const anyone = { anyone: true }
const anonymous = person("anonymous", { signedIn: false })

for (const database of dialects)
  describe(`access on ${database}`, () => {
    test("what a record is named by comes with it, also where a rule gives other fields only", async (hooks) => {
      const doors = await openLabels(hooks, database, [
        { fields: ["featured"], when: { featured: { eq: true } } },
        { name: { startsWith: "b" } },
      ])
      const cold = { id: "label_cold", name: "cold", featured: true }
      const list = await doors.rest({ path: "/labels" })
      assert.deepEqual(
        [list.status, JSON.parse(list.body).data],
        [200, [{ id: "label_big", name: "big", featured: false }, cold]],
      )
      assert.deepEqual(JSON.parse((await doors.rest({ path: "/labels/cold" })).body), cold)
      const graphql = await doors.graphql('{ label(id: "cold") { id name featured } }')
      assert.deepEqual(JSON.parse(graphql.body).data.label, cold)
    })

    test("members that stand beside each other are as if they stood in `and`, under `not` as well", async (hooks) => {
      const doors = await openLabels(hooks, database, [
        { not: { id: { eq: { viewer: "id" } }, featured: { eq: true } } },
      ])
      const { status, body } = await doors.rest({ path: "/labels", query: "fields=id" })
      assert.deepEqual([status, JSON.parse(body).data], [200, [{ id: "label_big" }, { id: "label_hot" }]])
    })
  })

test("what nobody like them can make is not made under another record either", async (hooks) => {
  const service = guarded("shelves", {
    declaration: {
      name: "shelves",
      roles: ["chief"],
      resources: {
        shelf: {
          key: ["code"],
          fields: { code: { scalar: "slug", immutable: true } },
          relations: { books: { kind: "many", target: "book", by: "shelf" } },
          allow: { read: anyone, update: anyone },
        },
        book: {
          key: ["name"],
          fields: {
            name: { scalar: "slug", immutable: true },
            pages: { scalar: "integer", write: { role: "chief" } },
          },
          relations: { shelf: { kind: "one", target: "shelf" } },
          allow: { read: anyone, create: anyone },
        },
      },
    },
    records: { records: new Map([["shelf", [{ code: "a" }]]]), links: [] },
    people: [],
  })
  const doors = (await openHouse(hooks, { ...service, database: "sqlite" })).as(anonymous)
  const input = { books: { create: [{ name: "b", pages: 1 }] } }
  const text =
    'mutation ($input: ShelfUpdateInput!) { updateShelf(id: "a", input: $input) { shelf { code } } }'
  const { errors } = JSON.parse((await doors.graphql(text, { input })).body)
  assert.notEqual(errors[0].extensions.code, "internal")
  const { status } = await doors.rest({ method: "PATCH", path: "/shelves/a", body: input })
  assert.ok(status >= 400 && status < 500, `${status}`)
})

const bags = (read: RuleObject): Guarded =>
  guarded("bags", {
    declaration: {
      name: "bags",
      resources: {
        bag: {
          key: ["code"],
          fields: { code: { scalar: "slug", immutable: true } },
          relations: {
            labels: { kind: "many", target: "label", through: "bag_label" },
            coins: { kind: "many", target: "coin", by: "bag", owned: true },
          },
          allow: { read, delete: anyone },
        },
        label: {
          key: ["name"],
          fields: { name: { scalar: "slug", immutable: true } },
          allow: { read: anyone },
        },
        coin: {
          key: ["name"],
          fields: { name: { scalar: "slug", immutable: true } },
          relations: { bag: { kind: "one", target: "bag" } },
          allow: { read: anyone },
        },
      },
    },
    records: {
      records: new Map<string, readonly Row[]>([
        ["bag", [{ code: "one" }, { code: "two" }, { code: "three" }]],
        ["label", [{ name: "red" }]],
        ["coin", ["one", "two", "three"].map((code) => ({ name: `of-${code}`, bagId: code }))],
      ]),
      links: [
        { resource: "bag", relation: "labels", pairs: ["one", "two", "three"].map((code) => [code, "red"]) },
      ],
    },
    people: [],
  })

const deletions: Readonly<Record<string, (doors: Doors) => Promise<TextResponse>>> = {
  deleteBags: (doors) =>
    doors.graphql('mutation { deleteBags(where: { id: { in: ["one"] } }, maxAffected: 5) { affected } }'),
  deleteBag: (doors) => doors.graphql('mutation { deleteBag(id: "one") { deletedId } }'),
  "DELETE of several": (doors) =>
    doors.rest({
      method: "DELETE",
      path: "/bags",
      query: "filter[id][eq]=one",
      headers: { prefer: "max-affected=5" },
    }),
  DELETE: (doors) => doors.rest({ method: "DELETE", path: "/bags/one" }),
}

for (const database of dialects)
  for (const [what, read] of Object.entries({
    labels: { labels: { some: {} } },
    coins: { coins: { some: {} } },
  }))
    for (const [name, ask] of Object.entries(deletions))
      test(`${name} on ${database} deletes a record that is seen for its ${what}, which go with it`, async (hooks) => {
        const house = await openHouse(hooks, { ...bags(read), database })
        const { status, body } = await ask(house.as(anonymous))
        assert.ok(status < 300 && !body.includes("errors"), body)
        const left = await house.everybody.rest({ path: "/bags", query: "fields=id&sort=id" })
        assert.deepEqual(JSON.parse(left.body).data, [{ id: "bag_three" }, { id: "bag_two" }])
      })

for (const database of dialects)
  test(`If-Match asks nothing more of a deletion than its own rule, on ${database}`, async (hooks) => {
    const seen = { code: { startsWith: "t" } }
    const doors = (await openHouse(hooks, { ...bags(seen), database })).as(anonymous)
    const remove = async (code: string, version: string): Promise<number> => {
      const headers = { "if-match": `"${version}"` }
      return (await doors.rest({ method: "DELETE", path: `/bags/${code}`, headers })).status
    }
    // Not seen, seen at another version, seen at this one; no actor may update any.
    assert.deepEqual(
      [await remove("one", "1"), await remove("two", "9"), await remove("two", "1")],
      [404, 412, 204],
    )
  })

for (const database of dialects)
  test(`what comes back of a change of one's own record is what is seen then, on ${database}`, async (hooks) => {
    const service = guarded("teams", {
      declaration: {
        name: "teams",
        viewer: "person",
        resources: {
          person: {
            key: ["name"],
            fields: {
              name: { scalar: "slug", immutable: true },
              team: { scalar: "text" },
              email: { scalar: "text", read: { team: { eq: { viewer: "team" } } } },
            },
            allow: { read: anyone, update: anyone },
          },
        },
      },
      records: {
        records: new Map([["person", [{ name: "ada", team: "red", email: "ada@example.org" }]]]),
        links: [],
      },
      people: [],
    })
    const doors = (await openHouse(hooks, { ...service, database })).as(
      person("ada", { viewer: "person_ada" }),
    )
    const moved = await doors.rest({ method: "PATCH", path: "/people/ada", body: { team: "blue" } })
    const ada = { id: "person_ada", name: "ada", team: "blue", email: "ada@example.org" }
    assert.deepEqual([moved.status, JSON.parse(moved.body)], [200, ada])
  })

async function openLabels(
  hooks: Hooks,
  database: Database,
  read: NonNullable<AllowDeclaration["read"]>,
): Promise<Doors> {
  const fields: Readonly<Record<string, FieldDeclaration>> = {
    name: { scalar: "slug", immutable: true },
    featured: { scalar: "boolean" },
  }
  const labels: readonly Row[] = [
    { name: "big", featured: false },
    { name: "cold", featured: true },
    { name: "hot", featured: false },
  ]
  const service = guarded("labels", {
    declaration: {
      name: "labels",
      viewer: "label",
      resources: { label: { key: ["name"], fields, allow: { read } } },
    },
    records: { records: new Map([["label", labels]]), links: [] },
    people: [],
  })
  return (await openHouse(hooks, { ...service, database })).as(anonymous)
}
