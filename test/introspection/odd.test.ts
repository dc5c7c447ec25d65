// The two odd databases as a whole: what they become, that it is read back as the same, and that all of it is served.
import assert from "node:assert/strict"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { after, before, describe, test } from "node:test"
import type { Note } from "../../src/model/introspection/catalog.ts"
import { printDeclaration } from "../../src/model/language/print.ts"
import type { Model, Resource } from "../../src/model/model.ts"
import { isSortable } from "../../src/model/operators.ts"
import { cleanUp } from "../support/database.ts"
import { loadOpen } from "../support/everybody.ts"
import { dialects, type OpenService } from "../support/open-service.ts"
import { type Inspected, inspectService, makeDatabase, oddSql, serve } from "./databases.ts"

const update = process.env["BIFOLD_UPDATE"] === "1"

/** Compares with the golden file, or writes it when asked to. */
function golden(file: string, text: string): string {
  const path = join(import.meta.dirname, file)
  if (update) writeFileSync(path, text)
  assert.equal(text, existsSync(path) ? readFileSync(path, "utf8") : undefined, file)
  return path
}

const noteLine = ({ place, what, reason, hint }: Note): string =>
  `${place.join(".")}: ${what}, because ${reason}.${hint === undefined ? "" : ` ${hint}`}`

for (const database of dialects) {
  describe(`the odd ${database} database`, () => {
    let odd: Inspected
    let service: OpenService
    const hooks = cleanUp(after)
    before(async () => {
      odd = await inspectService(await makeDatabase(hooks, database, oddSql(database)), "odd")
      service = await serve(hooks, odd)
    })

    test("becomes the service that is written beside it, which reads back to the same Model", async () => {
      const path = golden(`odd.${database}.golden.ts`, printDeclaration(odd.declaration))
      const { default: printed } = await import(path)
      assert.deepEqual(loadOpen(printed), odd.model)
    })

    test("says what is not served, or served otherwise", () => {
      golden(`odd.${database}.notes.golden.txt`, `${odd.notes.map(noteLine).join("\n")}\n`)
    })

    test("is inspected to the same twice", async () => {
      assert.deepEqual(await inspectService(odd.url, "odd"), odd)
    })

    test("answers every member of every resource alike by both faces", async () => {
      assert.ok(odd.model.resources.size > 40)
      for (const resource of odd.model.resources.values()) {
        const records = await listByGraphql(service, resource)
        const { data } = await getByRest(service, `/${resource.path}`)
        assert.deepEqual(data, records, resource.name)
        if (resource.key)
          for (const record of records) {
            const path = `/${resource.path}/${encodeURIComponent(String(record["id"]))}`
            assert.deepEqual(await getByRest(service, path), record, path)
          }
      }
    })

    test("finds records by what is shown of them, and orders by all that can be ordered by", async () => {
      let found = 0
      for (const resource of odd.model.resources.values()) {
        const records = await listByGraphql(service, resource)
        for (const field of resource.fields.values()) {
          if (field.list || field.scalar === "json" || field.scalar === "bytes") continue
          if (isSortable(field)) {
            const sorted = await getByRest(service, `/${resource.path}`, `sort=-${field.name}`)
            assert.equal(
              (sorted["data"] as unknown[]).length,
              records.length,
              `${resource.name}.${field.name}`,
            )
          }
          for (const record of records) {
            const value = record[field.name]
            if (value === null) continue
            const filter = encodeURIComponent(JSON.stringify({ [field.name]: { eq: value } }))
            const { data } = await getByRest(service, `/${resource.path}`, `filter=${filter}`)
            const said = `${resource.name}.${field.name} = ${value}`
            assert.ok(
              (data as Row[]).some((other) => JSON.stringify(other) === JSON.stringify(record)),
              said,
            )
            found += 1
          }
        }
      }
      assert.ok(found > 100, `${found}`)
    })

    test("follows every relation, in both directions to the same pairs", async () => {
      let pairs = 0
      for (const resource of odd.model.resources.values())
        for (const relation of resource.relations.values()) {
          const back = wayBack(odd.model, resource, relation.name)
          const there = await pairsOf(service, odd.model, resource, relation.name)
          pairs += there.length
          if (back === undefined) continue
          const target = odd.model.resources.get(relation.target)
          assert.ok(target)
          const again = await pairsOf(service, odd.model, target, back)
          const said = `${resource.name}.${relation.name} and ${target.name}.${back}`
          assert.deepEqual(
            again.map(([a, b]) => `${b} ${a}`).sort(),
            there.map(([a, b]) => `${a} ${b}`).sort(),
            said,
          )
        }
      assert.ok(pairs > 40, `${pairs}`)
    })
  })
}

type Row = Readonly<Record<string, unknown>>

const scalarsOf = (resource: Resource): readonly string[] => [
  ...(resource.key ? ["id"] : []),
  ...resource.fields.keys(),
  ...[...resource.relations.values()].flatMap((relation) =>
    relation.kind === "one" && relation.reference !== undefined ? [relation.reference] : [],
  ),
]

async function ask(service: OpenService, query: string): Promise<Record<string, unknown>> {
  const response = await service.graphql({ body: { query } })
  const { data, errors } = JSON.parse(response.body)
  assert.deepEqual({ errors, fault: response.fault }, { errors: undefined, fault: undefined }, query)
  return data
}

async function listByGraphql(service: OpenService, resource: Resource): Promise<readonly Row[]> {
  const data = await ask(service, `{ ${resource.collection} { nodes { ${scalarsOf(resource).join(" ")} } } }`)
  return (data[resource.collection] as { nodes: Row[] }).nodes
}

async function getByRest(service: OpenService, path: string, query = ""): Promise<Record<string, unknown>> {
  const response = await service.rest({ method: "GET", path, query })
  assert.equal(response.status, 200, `${path}?${query} ${response.body} ${response.fault}`)
  return JSON.parse(response.body)
}

/** Pairs of ids that the relation leads from and to. */
async function pairsOf(
  service: OpenService,
  { resources }: Model,
  { collection, key, relations }: Resource,
  name: string,
): Promise<readonly (readonly [string, string])[]> {
  const relation = relations.get(name)
  const target = resources.get(relation?.target ?? "")
  assert.ok(relation && target)
  const own = key ? "id" : "__typename"
  const wanted = relation.kind === "one" ? "{ id }" : `{ nodes { ${target.key ? "id" : "__typename"} } }`
  const data = await ask(service, `{ ${collection} { nodes { ${own} ${name} ${wanted} } } }`)
  return (data[collection] as { nodes: Row[] }).nodes.flatMap((record) => {
    const found = record[name] as { nodes?: readonly Row[] } | Row | null
    const many = found === null ? [] : "nodes" in found ? (found.nodes as readonly Row[]) : [found as Row]
    return many.map((other) => [String(record[own]), String(other["id"])] as const)
  })
}

/** The relation of the target that leads the same way back; none where the records have no key. */
function wayBack({ resources }: Model, resource: Resource, name: string): string | undefined {
  const relation = resource.relations.get(name)
  const target = resources.get(relation?.target ?? "")
  if (!relation || !target || !resource.key) return undefined
  const columns = (pairs: readonly { from: string; to: string }[], turned: boolean) =>
    pairs
      .map(({ from, to }) => (turned ? `${to}=${from}` : `${from}=${to}`))
      .sort()
      .join()
  const found = [...target.relations.values()].find((other) => {
    if (other.target !== resource.name || (other.name === name && target === resource)) return false
    if (relation.kind === "many" && relation.through)
      return (
        other.kind === "many" &&
        other.through?.table.name === relation.through.table.name &&
        columns(other.through.near, true) === columns(relation.through.far, false)
      )
    const isThrough = other.kind === "many" && other.through !== undefined
    return !isThrough && columns(other.join, true) === columns(relation.join, false)
  })
  assert.ok(found, `no way back from ${resource.name}.${name}`)
  return found.name
}
