// The benchmark's honest part: the same records everywhere, and equal answers from Bifold and from the hand-written
// servers that it is measured against, each with one statement.
import assert from "node:assert/strict"
import { createHash } from "node:crypto"
import { join } from "node:path"
import { after, describe, it, test } from "node:test"
import { type AskJson, bifoldSpelling, handSpelling, sameAnswer } from "../bench/answers.ts"
import { openHandPostgres } from "../bench/by-hand/postgres.ts"
import { type HandDatabase, startHandServer } from "../bench/by-hand/server.ts"
import { openHandSqlite } from "../bench/by-hand/sqlite.ts"
import { fillCommands, fullSizes, musicData } from "../bench/data.ts"
import declaration from "../bench/service.ts"
import { type FaceName, faceNames, requestOf, turnsOf, workloadNames } from "../bench/workloads.ts"
import { load } from "../src/model/load.ts"
import { postgres } from "../src/sql/postgres.ts"
import { sqlite } from "../src/sql/sqlite.ts"
import { openStorage } from "../src/storage/open.ts"
import { setUp } from "../src/storage/set-up.ts"
import { cleanUp, type Hooks, temporaryFolder, temporaryPostgres } from "./support/database.ts"
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

const model = load(declaration)
/** A tenth of the records; every page is as full as with all of them. */
const data = musicData({ artists: 100, genres: 25, playlists: 100, links: 2_000 })
const turnsCompared = 6

for (const database of dialects)
  describe(`on ${database}`, async () => {
    const hooks = cleanUp(after)
    const opened = await openFilled(hooks, database)
    for (const face of faceNames) compareFace(hooks, opened, face)
  })

interface Opened {
  readonly bifold: OpenService
  readonly hand: () => HandDatabase | Promise<HandDatabase>
}

async function openFilled(hooks: Hooks, database: Database): Promise<Opened> {
  const isSqlite = database === "sqlite"
  const url = isSqlite ? join(await temporaryFolder(hooks), "music.sqlite") : await temporaryPostgres(hooks)
  await setUp(url, fillCommands(model, isSqlite ? sqlite : postgres, data))
  const storage = await openStorage(url)
  hooks.after(() => storage.close())
  return {
    bifold: connectFaces(model, storage),
    hand: () => (isSqlite ? openHandSqlite(url) : openHandPostgres(url)),
  }
}

function compareFace(hooks: Hooks, { bifold, hand }: Opened, face: FaceName): void {
  for (const name of workloadNames)
    it(`${name} by ${face} is answered alike by Bifold and by hand, each with one statement`, async () => {
      const handDatabase = await hand()
      const server = await startHandServer(face, handDatabase)
      try {
        const asks = { bifold: askFaces(bifold), hand: askServer(server.url) }
        const turns = turnsOf(name, data).slice(0, turnsCompared)
        const spelling = await bifoldSpelling(asks.bifold, name, turns)
        for (const turn of turns) {
          const sent = bifold.storage.sent + handDatabase.sent
          const own = await asks.bifold(requestOf(name, face, turn, spelling))
          const byHand = await asks.hand(requestOf(name, face, turn, handSpelling))
          assert.ok(
            sameAnswer(own, byHand),
            `${JSON.stringify(own).slice(0, 1000)} is not ${JSON.stringify(byHand).slice(0, 1000)}`,
          )
          assert.equal(bifold.storage.sent + handDatabase.sent - sent, 2)
        }
      } finally {
        await server.close()
      }
    })
  void hooks
}

const askFaces =
  (bifold: OpenService): AskJson =>
  async ({ method, path, body }) => {
    const [place = "", query = ""] = path.split("?")
    const response =
      body === undefined
        ? await bifold.rest({ method, path: place, query })
        : await bifold.graphql({ body: JSON.parse(body) as object })
    assert.equal(response.status, 200, String(response.body))
    return JSON.parse(String(response.body))
  }

const askServer =
  (url: string): AskJson =>
  async ({ method, path, body }) => {
    const response = await fetch(url + path, { method, ...(body === undefined ? {} : { body }) })
    assert.equal(response.status, 200)
    return response.json()
  }
