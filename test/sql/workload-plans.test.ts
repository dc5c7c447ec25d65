// The questions of the benchmark on tables of two sizes: both databases look at as many rows of the larger ones as of the
// smaller, since a page is where the work ends. And the forms that this takes.
import assert from "node:assert/strict"
import { join } from "node:path"
import { after, before, describe, test } from "node:test"
import pg from "pg"
import { fillCommands, musicData } from "../../bench/data.ts"
import music from "../../bench/service.ts"
import { type ReadName, readNames, workloads } from "../../bench/workloads.ts"
import { planQuery } from "../../src/graphql/planning/plan.ts"
import type { ReadPlan } from "../../src/plan/read-plan.ts"
import { postgres } from "../../src/sql/dialects/postgres.ts"
import { sqlite } from "../../src/sql/dialects/sqlite.ts"
import { compile } from "../../src/sql/read/compile.ts"
import { setUp } from "../../src/storage/migration/set-up.ts"
import { openStorage } from "../../src/storage/open.ts"
import { cleanUp, temporaryFolder, temporaryPostgres } from "../support/database.ts"
import { loadOpen } from "../support/everybody.ts"
import { connectFaces, type OpenService } from "../support/open-service.ts"
import { openSqliteReader, readPostgres, type SqliteReader } from "../support/reading.ts"

const model = loadOpen(music)

interface Tables {
  readonly service: OpenService
  readonly sqlite: SqliteReader
  readonly postgres: pg.Client
}

/** Albums have the same tracks whatever the number of artists: all that a page takes stays as it is. */
const sizes = [200, 400]

describe("whatever the size of the tables", () => {
  const hooks = cleanUp(after)
  const opened: Tables[] = []
  before(async () => {
    for (const artists of sizes) opened.push(await open(artists))
  })

  async function open(artists: number): Promise<Tables> {
    const data = musicData({ artists, genres: 25, playlists: artists, links: artists * 50 })
    const [path, url] = [join(await temporaryFolder(hooks), "music.sqlite"), await temporaryPostgres(hooks)]
    await setUp(path, fillCommands(model, sqlite, data))
    await setUp(url, fillCommands(model, postgres, data))
    const storage = await openStorage(path)
    hooks.after(() => storage.close())
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    hooks.after(() => client.end())
    // As in plans.test.ts: what is small is read whole, whatever there is.
    await client.query("SET enable_seqscan = off")
    return { service: connectFaces(model, storage), sqlite: openSqliteReader(hooks, path), postgres: client }
  }

  const plan = ({ service }: Tables, query: string, variables: Record<string, unknown> = {}): ReadPlan =>
    planQuery(service.context, { query, variables })

  async function endOf({ service }: Tables, list: string): Promise<string> {
    const { body } = await service.graphql({
      body: { query: `{ list: ${list} { pageInfo { endCursor } } }` },
    })
    return JSON.parse(body).data.list.pageInfo.endCursor
  }

  const given: Readonly<Record<ReadName, (tables: Tables) => Promise<Record<string, unknown>>>> = {
    W1: async () => ({ id: "track_500" }),
    W2: async (tables) => ({
      genre: "genre_5",
      after: await endOf(
        tables,
        "tracks(first: 100, where: {genreId: {eq: 5}}, orderBy: [{field: milliseconds}])",
      ),
    }),
    W3: async (tables) => ({ after: await endOf(tables, "albums(first: 100)") }),
    W4: async (tables) => ({ after: await endOf(tables, "artists(first: 100)") }),
    W7: async (tables) => ({ after: await endOf(tables, "tracks(first: 1000)") }),
  }

  /** SQLite's count leaves joined parents and the record by id out; PostgreSQL's has everything. */
  const most: Readonly<Record<ReadName, readonly [sqlite: number, postgres: number]>> = {
    // The track.
    W1: [0, 1],
    // 20, these again and the one that follows; on SQLite again for the end. Ties of one length are read to their end.
    W2: [66, 44],
    // 20 albums, up to 10 tracks each; PostgreSQL: and an artist each.
    W3: [220, 240],
    // 10 artists, 5 albums each, up to 10 tracks each; PostgreSQL: and a genre each.
    W4: [560, 1_060],
    W7: [1_000, 1_000],
  }

  async function read(tables: Tables, plan: ReadPlan) {
    return { sqlite: tables.sqlite.read(plan), postgres: await readPostgres(tables.postgres, plan) }
  }

  /** On the smaller tables and on the larger ones. */
  const readBoth = (query: string, variables?: Record<string, unknown>) =>
    Promise.all(opened.map((tables) => read(tables, plan(tables, query, variables))))

  for (const name of readNames)
    test(`${name}, ${workloads[name].title}, looks at its own rows only`, async () => {
      for (const tables of opened) {
        const found = await read(tables, plan(tables, workloads[name].document, await given[name](tables)))
        assert.deepEqual([found.sqlite.scanned, found.postgres.scanned], [[], []])
        const rows = [found.sqlite.rows, found.postgres.rows]
        assert.ok(
          rows.every((count, index) => count <= (most[name][index] ?? 0)),
          `${rows}`,
        )
        assert.ok(name === "W2" || !found.sqlite.steps.some((step) => step.includes("TEMP B-TREE")))
      }
    })

  const pages: Readonly<Record<string, string>> = {
    "a page": "{ tracks(first: 10) { nodes { id } pageInfo { hasNextPage endCursor } } }",
    "the last page": "{ tracks(last: 10) { nodes { id } pageInfo { hasPreviousPage } } }",
    "a page of an index":
      "{ tracks(first: 10, where: {genreId: {eq: 5}}, orderBy: [{field: milliseconds}]) { nodes { id } } }",
    "a page of an index, by the parent's unique name":
      '{ tracks(first: 10, where: {genre: {name: {eq: "Fire 5"}}}, orderBy: [{field: milliseconds}]) { nodes { id } } }',
    "each with its parent": "{ tracks(first: 10) { nodes { id album { title artist { name } } } } }",
    "each with its first children":
      "{ albums(first: 10) { nodes { id tracks(first: 3) { nodes { id } } } } }",
    "children of a named grandparent":
      '{ tracks(first: 10, where: {album: {artistId: {eq: "7"}}}) { nodes { id } } }',
    "the owner of a named child": '{ albums(where: {tracks: {some: {id: {eq: "400"}}}}) { nodes { id } } }',
    "a child that many have":
      "{ albums(first: 10, where: {tracks: {some: {position: {gt: 2}}}}) { nodes { id } } }",
    "a parent as most have it":
      '{ tracks(first: 10, where: {album: {releasedOn: {gt: "1961-01-01"}}}) { nodes { id } } }',
    "no child of a kind":
      "{ albums(first: 10, where: {tracks: {none: {position: {gt: 9}}}}) { nodes { id } } }",
  }
  for (const [asked, query] of Object.entries(pages))
    test(`what is looked at does not grow with them: ${asked}`, async () => {
      const [smaller, larger] = await readBoth(query)
      assert.ok(smaller && larger)
      const rows = ({ sqlite, postgres }: typeof smaller): readonly number[] => [sqlite.rows, postgres.rows]
      for (const [index, count] of rows(larger).entries())
        assert.ok(
          count <= (rows(smaller)[index] ?? 0) * 1.2 + 10 && count < 1_000,
          `${rows(smaller)} and ${rows(larger)}`,
        )
      assert.ok(larger.sqlite.rows > 0 && larger.postgres.rows > 0)
    })

  test("what has to be sorted does: the count that these tests compare tells them apart", async () => {
    const [smaller, larger] = await readBoth(
      "{ tracks(first: 10, orderBy: [{field: bytes}]) { nodes { id } } }",
    )
    assert.ok(smaller && larger)
    assert.ok(larger.sqlite.rows >= smaller.sqlite.rows * 1.9 && larger.sqlite.rows >= 10_000)
    assert.ok(larger.postgres.rows >= smaller.postgres.rows * 1.9)
  })

  const everything = 'where: {name: {ne: ""}}'
  test("records are counted only when the total is asked for", async () => {
    const [asked] = await readBoth(`{ tracks(first: 3, ${everything}) { nodes { id } totalCount } }`)
    const [unasked] = await readBoth(
      `{ tracks(first: 3, ${everything}) { nodes { id } pageInfo { hasNextPage } } }`,
    )
    assert.ok(asked && unasked)
    for (const database of ["sqlite", "postgres"] as const) {
      assert.ok(unasked[database].rows <= 4, `${unasked[database].rows} rows`)
      assert.ok(asked[database].rows >= 9_000, `${asked[database].rows} rows`)
    }
  })

  test("a to-one record is a join, not a query for each row", async () => {
    const [tables] = opened
    assert.ok(tables)
    const count = (text: string, part: RegExp): number => [...text.matchAll(part)].length
    const alone = plan(tables, "{ tracks(first: 10) { nodes { id name } } }")
    const joined = plan(
      tables,
      "{ tracks(first: 10) { nodes { id name genre { name } album { artist { name } } } } }",
    )
    for (const dialect of [sqlite, postgres]) {
      const [without, together] = [compile(alone, dialect).text, compile(joined, dialect).text]
      assert.equal(count(together, /LEFT JOIN/g) - count(without, /LEFT JOIN/g), 3)
      assert.equal(count(together, /SELECT/g), count(without, /SELECT/g))
    }
    const found = await read(tables, joined)
    assert.ok(!found.sqlite.steps.some((step) => step.includes("CORRELATED")), found.sqlite.steps.join("\n"))
    assert.equal(found.sqlite.steps.filter((step) => /^SEARCH .* LEFT-JOIN/.test(step)).length, 3)
    assert.deepEqual(found.postgres.perRow, [])
  })

  interface SemiJoin {
    readonly query: string
    /** The inner side is found once, and an index is searched with it; otherwise it is asked for at each row. */
    readonly once: boolean
    /** SQLite asks at each row if that many meet the condition. */
    readonly orEach?: true
    readonly inner: string
  }
  const semiJoins: Readonly<Record<string, SemiJoin>> = {
    "of a parent by its key": {
      query: '{ albums(first: 5, where: {artist: {id: {eq: "7"}}}) { nodes { id } } }',
      once: true,
      inner: "artist",
    },
    "of a parent by a unique value": {
      query: '{ tracks(first: 5, where: {genre: {name: {eq: "Fire 5"}}}) { nodes { id } } }',
      once: true,
      inner: "genre",
    },
    "of a child by a reference": {
      query:
        '{ artists(first: 5, where: {albums: {some: {tracks: {some: {albumId: {eq: "9"}}}}}}) { nodes { id } } }',
      once: true,
      orEach: true,
      inner: "track",
    },
    "through a join table": {
      query: '{ playlists(first: 5, where: {tracks: {some: {id: {eq: "400"}}}}) { nodes { id } } }',
      once: true,
      orEach: true,
      inner: "track",
    },
    "of a child by any value": {
      query: "{ albums(first: 5, where: {tracks: {some: {bytes: {gt: 19000000}}}}) { nodes { id } } }",
      once: false,
      inner: "track",
    },
    "that there is none of": {
      query: "{ albums(first: 5, where: {tracks: {none: {bytes: {gt: 19000000}}}}) { nodes { id } } }",
      once: false,
      inner: "track",
    },
  }
  for (const [name, { query, once, orEach, inner }] of Object.entries(semiJoins))
    test(`a condition on related records is a semi-join: ${name}`, async () => {
      const [, tables] = opened
      assert.ok(tables)
      const { sqlite: steps, postgres: found } = await read(tables, plan(tables, query))
      const isAsked = steps.steps.some((step) => /CORRELATED| EXISTS /.test(step))
      assert.equal(isAsked, !once || orEach === true, steps.steps.join("\n"))
      // The page is a subquery of its own.
      const subqueries = steps.steps.filter((step) => /^(LIST|SCALAR) SUBQUERY/.test(step))
      assert.equal(subqueries.length > 1, once, steps.steps.join("\n"))
      // Of 20,000 tracks PostgreSQL may take the first that are of the genre, which is one in 25.
      if (once) assert.ok(steps.rows <= 100 && found.rows <= 250, `${steps.rows} and ${found.rows} rows`)
      assert.ok(!found.perRow.includes(inner), `PostgreSQL asks for ${inner} at each row`)
    })
})
