// The benchmark's honest part: the same records everywhere, and equal answers from Bifold and from the hand-written
// servers that it is measured against, each with one statement.
import assert from "node:assert/strict"
import { createHash } from "node:crypto"
import { join } from "node:path"
import { after, describe, it, test } from "node:test"
import {
  type AskJson,
  bifoldSpelling,
  handSpelling,
  sameAnswer,
  withoutCursors,
  withoutIds,
} from "../bench/answers.ts"
import { openHandPostgres } from "../bench/by-hand/postgres.ts"
import { type HandDatabase, startHandServer } from "../bench/by-hand/server.ts"
import { openHandSqlite } from "../bench/by-hand/sqlite.ts"
import { fillCommands, fullSizes, musicData } from "../bench/data.ts"
import declaration from "../bench/service.ts"
import {
  type FaceName,
  faceNames,
  readNames,
  requestOf,
  type Turn,
  turnsOf,
  type WorkloadName,
  writeNames,
} from "../bench/workloads.ts"
import { postgres } from "../src/sql/postgres.ts"
import { sqlite } from "../src/sql/sqlite.ts"
import { openStorage } from "../src/storage/open.ts"
import { setUp } from "../src/storage/set-up.ts"
import { cleanUp, type Hooks, temporaryFolder, temporaryPostgres } from "./support/database.ts"
import { loadOpen } from "./support/everybody.ts"
import { connectFaces, type Database, dialects, type OpenService } from "./support/open-service.ts"

test("the records are the same on every machine", () => {
  const { records, links } = musicData(fullSizes)
  const counts = [...records].map(([name, rows]) => `${rows.length} ${name}`)
  assert.deepEqual(counts, ["1000 artist", "5000 album", "25 genre", "50000 track", "1000 playlist"])
  assert.deepEqual(
    links.map(({ pairs }) => new Set(pairs.map(([from, to]) => `${from} ${to}`)).size),
    [200_000],
  )
  const hash = createHash("sha256")
    .update(JSON.stringify([...records, links]))
    .digest("hex")
  assert.equal(hash, "3bf8a377ca6b33d77bd8387cb5dd8bc48771222000bfb261df7eedc6b50d2b77")
})

const model = loadOpen(declaration)
/** A tenth of the records; every page is as full as with all of them. */
const data = musicData({ artists: 100, genres: 25, playlists: 100, links: 2_000 })
const turnsCompared = 5

for (const database of dialects)
  describe(`on ${database}`, async () => {
    const opened = await openFilled(cleanUp(after), database)
    for (const face of faceNames)
      for (const name of readNames)
        it(`${name} by ${face} is answered alike by Bifold and by hand, each with one statement`, () =>
          compare(opened, face, name))
    for (const face of faceNames)
      for (const name of writeNames)
        it(`${name} by ${face} is answered alike by Bifold and by hand, and done by both`, () =>
          compareWrites(opened, face, name))
  })

test("answers that differ in more than how a cursor is spelt are told apart", () => {
  const answer = (next: string | null, id = "track_1") => ({ data: [{ id }], page: { next, prev: null } })
  assert.ok(sameAnswer(answer("sealed"), answer("17")))
  assert.ok(!sameAnswer(answer("sealed"), answer(null)))
  assert.ok(!sameAnswer(answer("sealed"), answer("sealed", "track_2")))
})

interface Opened {
  readonly bifold: OpenService
  /** How many tracks there are, and of how many bytes together. */
  tracks(): Promise<unknown>
  openByHand(): HandDatabase | Promise<HandDatabase>
}

async function openFilled(hooks: Hooks, database: Database): Promise<Opened> {
  const isSqlite = database === "sqlite"
  const url = isSqlite ? join(await temporaryFolder(hooks), "music.sqlite") : await temporaryPostgres(hooks)
  await setUp(url, fillCommands(model, isSqlite ? sqlite : postgres, data))
  const storage = await openStorage(url, { writes: "unsafe" })
  hooks.after(() => storage.close())
  const bifold = connectFaces(model, storage)
  return {
    bifold,
    tracks: () => askFaces(bifold)({ method: "POST", path: "/graphql", body: tracksQuery }),
    openByHand: () => (isSqlite ? openHandSqlite(url) : openHandPostgres(url)),
  }
}

const tracksQuery = JSON.stringify({ query: "{ tracks { totalCount aggregate { sum { bytes } } } }" })

async function compareWrites(
  { bifold, openByHand, tracks }: Opened,
  face: FaceName,
  name: WorkloadName,
): Promise<void> {
  const server = await startHandServer(face, await openByHand())
  try {
    const seen = new Set<string>([JSON.stringify(await tracks())])
    // Others for each face: what is updated to what it is already would not show.
    const first = faceNames.indexOf(face) * turnsCompared
    for (const turn of turnsOf(name, data).slice(first, first + turnsCompared)) {
      const request = requestOf(name, face, turn, handSpelling)
      const byHand = await askServer(server.url)(request)
      // What an update sets to the same again changes nothing.
      seen.add(JSON.stringify(await tracks()))
      const answer = await askFaces(bifold)(request)
      if (name === "insert") seen.add(JSON.stringify(await tracks()))
      const compared = name === "insert" ? withoutIds : (value: unknown) => value
      assert.deepEqual(compared(byHand), compared(answer))
    }
    assert.equal(seen.size, 1 + turnsCompared * (name === "insert" ? 2 : 1))
  } finally {
    await server.close()
  }
}

async function compare({ bifold, openByHand }: Opened, face: FaceName, name: WorkloadName): Promise<void> {
  const byHand = await openByHand()
  const server = await startHandServer(face, byHand)
  try {
    const [askBifold, askByHand] = [askFaces(bifold), askServer(server.url)]
    const turns = [...turnsOf(name, data).slice(0, turnsCompared), ...lastPages(name)]
    const spelling = await bifoldSpelling(askBifold, name, turns)
    for (const turn of turns) {
      const sent = bifold.storage.sent + byHand.sent
      const answer = await askBifold(requestOf(name, face, turn, spelling))
      const answerByHand = await askByHand(requestOf(name, face, turn, handSpelling))
      assert.deepEqual(withoutCursors(answerByHand), withoutCursors(answer))
      assert.ok(sameAnswer(answer, answerByHand))
      assert.equal(bifold.storage.sent + byHand.sent - sent, 2)
    }
  } finally {
    await server.close()
  }
}

/** Pages that nothing follows: one with a few rows, and one with none. */
function lastPages(name: WorkloadName): readonly Turn[] {
  const counts: Readonly<Partial<Record<WorkloadName, number>>> = {
    W3: data.albums,
    W4: data.sizes.artists,
    W7: data.tracks.length,
  }
  const count = counts[name]
  if (count !== undefined) return [count - 3, count].map((position) => ({ kind: "page", after: position }))
  if (name === "W1") return []
  const ordered = data.tracks
    .filter(({ genreId }) => genreId === 1)
    .toSorted((a, b) => a.milliseconds - b.milliseconds || a.id - b.id)
  return [ordered.at(-4), ordered.at(-1)].flatMap((track): Turn[] =>
    track ? [{ kind: "filtered", genre: 1, after: track.id, milliseconds: track.milliseconds, rank: 0 }] : [],
  )
}

const askFaces =
  (bifold: OpenService): AskJson =>
  async ({ method, path, body }) => {
    const [place = "", query = ""] = path.split("?")
    const headers = { "content-type": "application/json" }
    const given = body === undefined ? {} : { headers, body: Buffer.from(body) }
    const response =
      place === "/graphql"
        ? await bifold.graphql({ body: JSON.parse(body ?? "") as object })
        : await bifold.rest({ method, path: place, query, ...given })
    const text = Buffer.from(response.body).toString()
    assert.equal(response.status, statusOf(method, place), text)
    return JSON.parse(text)
  }

const askServer =
  (url: string): AskJson =>
  async ({ method, path, body }) => {
    const response = await fetch(url + path, { method, ...(body === undefined ? {} : { body }) })
    assert.equal(response.status, statusOf(method, path))
    return response.json()
  }

const statusOf = (method: string, path: string): number =>
  method === "POST" && path !== "/graphql" ? 201 : 200
