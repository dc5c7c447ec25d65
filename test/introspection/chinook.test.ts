// Chinook in PascalCase on SQLite and in snake_case on PostgreSQL is one API.
import assert from "node:assert/strict"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { after, before, describe, test } from "node:test"
import { readServiceFile } from "../../src/cli/service-file.ts"
import { printGraphql } from "../../src/faces/graphql/schema.ts"
import { openapi } from "../../src/faces/rest/openapi.ts"
import { printDeclaration } from "../../src/model/print.ts"
import { cleanUp, temporaryFolder } from "../support/database.ts"
import { loadOpen } from "../support/everybody.ts"
import type { Database, OpenService } from "../support/open-service.ts"
import { type Inspected, inspectService, logical, makeDatabase, serve } from "./databases.ts"

const data = join(import.meta.dirname, "../../../shared/data")
const skip = existsSync(data) ? false : "../shared is not there"

/** What psql would have made of the head of the file: it drops, makes and enters a database. */
const withoutDatabase = (sql: string): string =>
  sql.replace(/^(DROP DATABASE|CREATE DATABASE|\\c)\b.*$/gm, "")

describe("Chinook on both databases", { skip }, () => {
  const inspected = new Map<Database, Inspected>()
  const services = new Map<Database, OpenService>()
  const hooks = cleanUp(after)
  before(async () => {
    const sql = withoutDatabase(readFileSync(join(data, "chinook-postgres.sql"), "utf8"))
    inspected.set("sqlite", await inspectService(join(data, "chinook.sqlite"), "chinook"))
    inspected.set("postgres", await inspectService(await makeDatabase(hooks, "postgres", sql), "chinook"))
    for (const [database, service] of inspected) services.set(database, await serve(hooks, service))
  })

  const both = <Made>(make: (service: Inspected) => Made): readonly [Made, Made] => {
    const [sqlite, postgres] = [inspected.get("sqlite"), inspected.get("postgres")]
    assert.ok(sqlite && postgres)
    return [make(sqlite), make(postgres)]
  }

  test("has the same declaration but for the names of tables and columns, and how they store", () => {
    const [sqlite, postgres] = both(({ declaration }) => logical(declaration))
    assert.equal(JSON.stringify(postgres, null, 1), JSON.stringify(sqlite, null, 1))
  })

  test("has the resources, relations and references that a person would give it", () => {
    const members = both(({ model }) =>
      [...model.resources.values()].map(({ name, fields, relations }) => [
        name,
        ...fields.keys(),
        ...[...relations.values()].map((it) => `${it.name}: ${it.kind} ${it.target}`),
      ]),
    )
    for (const of of members) {
      const resources = of.map(([name]) => name)
      assert.deepEqual(resources, [
        "album",
        "artist",
        "customer",
        "employee",
        "genre",
        "invoice",
        "invoiceLine",
        "mediaType",
        "playlist",
        "track",
      ])
      assert.deepEqual(of[0], ["album", "title", "artist: one artist", "tracks: many track"])
      assert.deepEqual(of[3]?.slice(-3), [
        "reportsTo: one employee",
        "customers: many customer",
        "employeesByReportsTo: many employee",
      ])
      assert.deepEqual(of[8], ["playlist", "name", "tracks: many track"])
    }
  })

  test("says the same of both, which is that the join table is a relation", () => {
    const [sqlite, postgres] = both(({ notes }) => notes.map(({ place: _, ...note }) => note))
    assert.deepEqual(postgres, sqlite)
    assert.deepEqual(
      sqlite.map(({ what }) => what),
      ["served as the relations playlist.tracks and track.playlists"],
    )
  })

  test("has the same GraphQL schema, byte for byte", () => {
    const [sqlite, postgres] = both(({ model }) => printGraphql(model))
    assert.equal(postgres, sqlite)
    assert.match(sqlite, /^type Album implements Node \{$/m)
  })

  test("has the same OpenAPI document, byte for byte", () => {
    const [sqlite, postgres] = both(({ model }) => JSON.stringify(openapi(model, { base: "/" })))
    assert.equal(postgres, sqlite)
    assert.match(sqlite, /"\/invoice-lines"/)
  })

  test("is written as a file that reads back to the same Model", async () => {
    const folder = await temporaryFolder(hooks)
    for (const [database, { declaration, model }] of inspected) {
      const file = join(folder, `${database}.ts`)
      writeFileSync(file, printDeclaration(declaration))
      assert.deepEqual(loadOpen(await readServiceFile(file)), model)
    }
  })

  test("gives artists with albums and tracks alike, from both databases and by both faces", async () => {
    const query = `{ artists(first: 20, after: null) { nodes { id name albums(first: 5) { nodes { id title artistId
      tracks(first: 5) { nodes { id name albumId mediaTypeId genreId composer milliseconds bytes unitPrice } } } } } } }`
    const rest = "limit=20&include=albums.tracks&include[albums][limit]=5&include[albums.tracks][limit]=5"
    const answers: string[] = []
    for (const service of services.values()) {
      const graphql = JSON.parse((await service.graphql({ body: { query } })).body)
      const response = await service.rest({ method: "GET", path: "/artists", query: rest })
      assert.equal(response.status, 200, response.body)
      answers.push(
        JSON.stringify(flat(graphql.data.artists)),
        JSON.stringify(flat(JSON.parse(response.body))),
      )
    }
    assert.equal(answers.length, 4)
    assert.equal(new Set(answers.map((text) => JSON.stringify(sortedKeys(JSON.parse(text))))).size, 1)
    assert.match(answers[0] ?? "", /"AC\/DC"/)
  })

  test("gives every record alike, with its times and prices", async () => {
    for (const resource of inspected.get("sqlite")?.model.resources.values() ?? []) {
      const pages = await Promise.all(
        [...services.values()].map((service) =>
          service.rest({ method: "GET", path: `/${resource.path}`, query: "limit=100&sort=-id&total=true" }),
        ),
      )
      const [sqlite, postgres] = pages.map(({ body }) => JSON.parse(body))
      for (const [index, record] of sqlite.data.entries()) {
        // The two files differ in white space at the end of some texts.
        const [one, other] = [record, postgres.data[index]].map((it) =>
          JSON.stringify(it).replace(/ +"/g, '"'),
        )
        assert.equal(other, one, resource.name)
      }
      assert.equal(postgres.page.total, sqlite.page.total, resource.name)
    }
  })
})

/** Lists of both faces as plain arrays. */
function flat(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(flat)
  if (typeof value !== "object" || value === null) return value
  if ("nodes" in value) return flat(value.nodes)
  if ("data" in value) return flat(value.data)
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, flat(member)]))
}

function sortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedKeys)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, member]) => [name, sortedKeys(member)] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )
}
