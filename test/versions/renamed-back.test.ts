// Everything that has a name is renamed and renamed back, with records and a log from each of the three versions.
import assert from "node:assert/strict"
import { after, test } from "node:test"
import { actorFromText } from "../../src/access/identity/actor-text.ts"
import { withVersions } from "../../src/access/identity/identify.ts"
import { anyone, f, given, one, resource, service } from "../../src/index.ts"
import { load } from "../../src/model/load.ts"
import { differencesBetween } from "../../src/model/versions/diff.ts"
import { modelAt } from "../../src/model/versions/model-at.ts"
import { migrate } from "../../src/storage/migration/migrate.ts"
import { openServer } from "../feed/open.ts"
import { emptyDatabase } from "../log/versions.ts"
import { cleanUp } from "../support/database.ts"
import { dialects } from "../support/open-service.ts"

const hooks = cleanUp(after)
const everybody = { read: anyone, create: anyone, update: anyone, delete: anyone }

interface Names {
  readonly resource: string
  readonly field: string
  readonly relation: string
  readonly value: string
  readonly transition: string
  readonly input: string
}

const early: Names = {
  resource: "order",
  field: "title",
  relation: "buyer",
  value: "small",
  transition: "pay",
  input: "card",
}
const middle: Names = {
  resource: "purchase",
  field: "label",
  relation: "owner",
  value: "little",
  transition: "settle",
  input: "number",
}

function shop(names: Names, before: Names | undefined, versions?: object) {
  const { resource: called, field, relation, value, transition, input } = names
  const was = (name: keyof Names) => (before ? { was: before[name] } : {})
  const formerly = before ? { formerly: { [value]: before.value } } : {}
  return service({
    name: "shop",
    ...(versions && { versions }),
    resources: {
      person: resource({ id: "per", plural: "people", fields: { name: f.text() }, allow: everybody }),
      [called]: resource({
        id: "ord",
        ...was("resource"),
        fields: {
          [field]: f.text(was("field")),
          size: f.oneOf([value, "large"], formerly as object),
          paidWith: f.text({ optional: true, readonly: true }),
        },
        relations: { [relation]: one("person", { optional: true, ...was("relation") }) },
        states: {
          initial: "open",
          transitions: {
            [transition]: {
              from: "open",
              to: "paid",
              input: { [input]: f.text() },
              set: { paidWith: given(input) },
            },
          },
        },
        history: true,
        allow: everybody,
      }),
    },
  } as never)
}

/** Changes of a version, undone from the last to the first: the resource has its later name in all but its own. */
const renamings = (from: Names, to: Names): readonly object[] => [
  { renamed: from.resource, to: to.resource },
  { renamed: `${to.resource}.${from.field}`, to: to.field },
  { renamed: `${to.resource}.${from.relation}`, to: to.relation },
  { renamed: `${to.resource}.size.${from.value}`, to: to.value },
  { renamed: `${to.resource}.${from.transition}`, to: to.transition },
  { renamed: `${to.resource}.${to.transition}.${from.input}`, to: to.input },
]

const [third, second, first] = ["2026-06-01", "2026-03-01", "2026-01-01"] as const
const once = { [second]: renamings(early, middle), [first]: [] }
const twice = { [third]: renamings(middle, early), ...once }
const generations = [
  shop(early, undefined, { [first]: [] }),
  shop(middle, early, once),
  shop(early, middle, twice),
] as const

test("each version is what it was, and no name that is used again is deprecated", () => {
  const now = load(generations[2])
  for (const [version, names] of [
    [second, middle],
    [first, early],
  ] as const) {
    const old = modelAt(now, version)
    const before = load(shop(names, undefined))
    assert.deepEqual(differencesBetween(before, old), [])
    assert.deepEqual(differencesBetween(old, before), [])
  }
  const titleIn = (version: string) => {
    const { fields } = modelAt(now, version).resources.get("order") ?? {}
    return fields?.get(version === second ? "label" : "title")?.deprecated
  }
  assert.equal(titleIn(second), `Since ${third} it is called title.`)
  assert.equal(titleIn(first), undefined)
})

for (const database of dialects)
  test(`records, histories and events have the names of their version (${database})`, async () => {
    const url = await emptyDatabase(hooks, database)
    const ids: string[] = []
    const versions = [
      [first, early],
      [second, middle],
      [third, early],
    ] as const
    for (const [index, declared] of generations.entries()) {
      const model = load(declared)
      await migrate(url, model, { allow: [] })
      const identify = withVersions(() => actorFromText(model, "anyone"), model)
      const server = await openServer(hooks, url, model, {}, { identify })
      const send = async (version: string, method: string, path: string, body?: object) => {
        const answered = await fetch(`${server.url}${path}`, {
          method,
          headers: { "content-type": "application/json", "api-version": version },
          ...(body && { body: JSON.stringify(body) }),
        })
        const found = JSON.parse((await answered.text()) || "{}")
        assert.ok(answered.ok, `${version} ${method} ${path} ${JSON.stringify(found)}`)
        return found
      }
      for (const [version, { resource: called, field, relation, value, transition, input }] of versions.slice(
        0,
        index + 1,
      )) {
        const { id: person } = await send(version, "POST", "/people", { name: version })
        const record = { [field]: version, size: value, [`${relation}Id`]: person }
        const { id } = await send(version, "POST", `/${called}s`, record)
        await send(version, "POST", `/${called}s/${id}/transitions/${transition}`, { [input]: "77" })
        await send(version, "PATCH", `/${called}s/${id}`, { [field]: "changed", [`${relation}Id`]: null })
        await send(version, "PUT", `/${called}s/${id}`, record)
        ids.push(id)
      }
      if (index === generations.length - 1)
        for (const [version, { resource: called, field, relation, value, transition, input }] of versions) {
          const found = await send(
            version,
            "GET",
            `/${called}s?filter[size]=${value}&sort=id&include=${relation}`,
          )
          assert.deepEqual(
            found.data.map((one: Record<string, unknown>) => [
              one["id"],
              one["size"],
              one["paidWith"],
              one["state"],
              (one[relation] as { name: string }).name === one[field],
            ]),
            ids.toSorted().map((id) => [id, value, "77", "paid", true]),
          )
          const happened = ["created", "paid", "updated", "updated"].map((kind) => `${called}.${kind}`)
          for (const [place, id] of ids.entries()) {
            const { data } = await send(version, "GET", `/${called}s/${id}/history`)
            assert.deepEqual(
              data.map(({ type }: { type: string }) => type),
              happened,
            )
            // Transitions have no former names: those of the generation between are declared no more.
            const isKnown = ![1, 2].includes(place)
            assert.deepEqual(data[1].input, isKnown ? { [input]: "77" } : null)
            assert.equal(data[1].transition, isKnown ? transition : middle.transition)
            const names = data.map(({ changes }: { changes: readonly { field: string }[] }) =>
              changes.map((one) => one.field).toSorted(),
            )
            assert.deepEqual(names[0], [`${relation}Id`, field, "size", "state"].toSorted())
            assert.deepEqual(names[3], [`${relation}Id`, field].toSorted())
            const created = data[0].changes.find((one: { field: string }) => one.field === "size")
            assert.equal(created.to, value)
          }
          const events = await send(version, "GET", `/events?types=${called}.paid&limit=100`)
          assert.deepEqual(
            events.data.map((one: Record<string, unknown>) => [one["type"], one["recordId"], one["to"]]),
            ids.map((id) => [`${called}.paid`, id, "paid"]),
          )
        }
      await server.end()
    }
  })
