// The benchmark's honest part: the same records everywhere, and equal answers from Bifold and from the hand-written
// servers that it is measured against, each with one statement; also where a record label signs in and sees its own.
import assert from "node:assert/strict"
import { execFile } from "node:child_process"
import { createHash } from "node:crypto"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { after, describe, it, test } from "node:test"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import {
  type AskJson,
  bifoldSpelling,
  handSpelling,
  sameAnswer,
  withoutCursors,
  withoutIds,
} from "../bench/answers.ts"
import { openPipelinedPostgres } from "../bench/by-hand/pipelined.ts"
import { openHandPostgres } from "../bench/by-hand/postgres.ts"
import { type HandDatabase, startHandServer } from "../bench/by-hand/server.ts"
import { openHandSqlite } from "../bench/by-hand/sqlite.ts"
import { statementsFor } from "../bench/by-hand/statements.ts"
import { chartSvg } from "../bench/chart.ts"
import {
  askingLabel,
  fillCommands,
  fullSizes,
  type MusicData,
  musicData,
  quickSizes,
  withLabels,
} from "../bench/data.ts"
import { curves, expectedLine } from "../bench/growth.ts"
import { readLiterals, templateOf, withLiterals } from "../bench/literals.ts"
import { readOptions } from "../bench/options.ts"
import type { Report } from "../bench/report.ts"
import ruled from "../bench/ruled/service.ts"
import { keysVariable, signToken, tokenIdentity } from "../bench/ruled/token.ts"
import { askOver } from "../bench/servers.ts"
import declaration from "../bench/service.ts"
import {
  type FaceName,
  faceNames,
  type HttpRequest,
  type ReadName,
  readNames,
  requestOf,
  type Turn,
  turnsOf,
  type WorkloadName,
  workloadNames,
  workloads,
  writeNames,
} from "../bench/workloads.ts"
import { createIdentify } from "../src/access/identity/identify.ts"
import { present } from "../src/base/invariant.ts"
import { textOf } from "../src/base/json.ts"
import { wholeBody } from "../src/http/answer.ts"
import { load } from "../src/model/load.ts"
import type { Model } from "../src/model/model.ts"
import { type Actor, actorOf, everybodyOf } from "../src/plan/access/actor.ts"
import { createFaces } from "../src/server/service.ts"
import { postgres } from "../src/sql/dialects/postgres.ts"
import { sqlite } from "../src/sql/dialects/sqlite.ts"
import { setUp } from "../src/storage/migration/set-up.ts"
import { openStorage } from "../src/storage/open.ts"
import { registerColumnTypes } from "../src/storage/sqlite/connection.ts"
import type { Storage } from "../src/storage/storage.ts"
import { type Serving, serving } from "./cli/run.ts"
import { cleanUp, type Hooks, temporaryFolder, temporaryPostgres } from "./support/database.ts"
import { loadOpen } from "./support/everybody.ts"
import { type Database, dialects } from "./support/open-service.ts"

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

const [plainService, ruledService] = ["service.ts", "ruled/service.ts"].map((file) =>
  fileURLToPath(new URL(`../bench/${file}`, import.meta.url)),
) as [string, string]

const model = loadOpen(declaration)
const data = musicData(quickSizes)
const turnsCompared = 5

for (const database of dialects)
  describe(`on ${database}`, async () => {
    const opened = openPlain(await openFilled(cleanUp(after), database, { model, data }))
    for (const face of faceNames)
      for (const name of readNames)
        it(`${name} by ${face} is answered alike by Bifold and by hand, each with one statement`, () =>
          compare(opened, face, name))
    for (const face of faceNames)
      for (const name of writeNames)
        it(`${name} by ${face} is answered alike by Bifold and by hand, and done by both`, () =>
          compareWrites(opened, face, name))
    for (const name of workloadNames)
      it(`${name} is answered alike when its document has the values in its text`, () =>
        compareLiterals(opened, name))
    if (database === "postgres") {
      const pipelined = { ...opened, openByHand: () => openPipelinedPostgres(opened.url) }
      for (const face of faceNames)
        it(`a server by hand without a driver gives the same answers by ${face}`, async () => {
          for (const name of readNames) await compare(pipelined, face, name)
          for (const name of writeNames) await compareWrites(pipelined, face, name, faceNames.length)
        })
      it("a write that is refused leaves those that shared its transaction as they are", () =>
        refusedAlone(pipelined))
    }
    if (database === "sqlite")
      it("a server by hand with the same headers has those of Bifold", async (context) => {
        const served = await serving([plainService, "--database", opened.url, "--open", "write"])
        context.after(() => served.end())
        await compareHeaders(opened, served, workloadNames)
      })
  })

const labelled = withLabels(data)
const ruledModel = load(ruled)
const labelOf = (label: number): Actor =>
  present(
    actorOf(ruledModel, { name: `label ${label}`, viewer: String(label), roles: [], scopes: [] }),
    "a label's id is a number",
  )

for (const database of dialects)
  describe(`on ${database}, where a label signs in`, async () => {
    const filled = await openFilled(cleanUp(after), database, { model: ruledModel, data: labelled })
    const { opened, statements, nobody } = openRuled(filled)
    const statementOf = async (face: FaceName, name: ReadName): Promise<string> => {
      const turns = turnsOf(name, labelled).slice(0, 1)
      const spelling = await bifoldSpelling(opened.ask, name, turns)
      statements.splice(0)
      for (const turn of turns) await opened.ask(requestOf(name, face, turn, spelling))
      assert.equal(statements.length, 1)
      return statements.join()
    }
    for (const face of faceNames)
      for (const name of readNames) {
        it(`${name} by ${face} is answered alike by Bifold and by hand, each with one statement`, () =>
          compare(opened, face, name))
        it(`${name} by ${face} has the label's rule wherever a table has one`, async () => {
          assert.deepEqual(ruledTables(await statementOf(face, name)), tablesOf[name])
        })
        it(`${name} by ${face} gives nothing to a label that has nothing, also by hand`, () =>
          seesNothing(opened, nobody, { face, name }))
      }
    it("all that the label has is read in the order of the key, not cut out first", async () => {
      assert.doesNotMatch(await statementOf("rest", "W7"), /MATERIALIZED/)
    })
    if (database === "sqlite")
      it("a server by hand with the same headers has those of Bifold", async (context) => {
        const served = await serving([ruledService, "--database", filled.url, "--as", `label:${askingLabel}`])
        context.after(() => served.end())
        await compareHeaders(opened, served, readNames)
      })
    if (database === "sqlite")
      it("a table with a rule is joined to the rows of a page, and not gone through whole", async () => {
        const statement = (await statementOf("graphql", "W3")).replaceAll("?", "1")
        const asked = new DatabaseSync(filled.url, { readOnly: true })
        registerColumnTypes(asked)
        const steps = asked.prepare(`EXPLAIN QUERY PLAN ${statement}`).all()
        asked.close()
        assert.doesNotMatch(JSON.stringify(steps), /BLOOM FILTER ON t\d/)
      })
    it("statements by hand have the same rule at each of these tables", async () => {
      const byHand = await filled.openByHand()
      const count = (text: string, what: RegExp): number => [...text.matchAll(what)].length
      for (const face of faceNames)
        for (const { text } of statementsFor(face, byHand.spellings, askingLabel))
          assert.equal(count(text, /label_id = /g), count(text, /(FROM|JOIN) (artist|album|track)\b/g), text)
      await byHand.close()
    })
  })

/** Which of those that have a rule each question reads. */
const tablesOf: Readonly<Record<ReadName, readonly string[]>> = {
  W1: ["track"],
  W2: ["track"],
  W3: ["album", "artist", "track"],
  W4: ["album", "artist", "track"],
  W7: ["track"],
}

/** The tables with a rule that a statement names; fails where one stands without. */
function ruledTables(text: string): readonly string[] {
  const named = [...text.matchAll(/"(artist|album|track)" AS ("t\d+")/g)]
  for (const [reference, , alias] of named) assert.ok(text.includes(`${alias}."label_id" = `), reference)
  return [...new Set(named.map(([, table = ""]) => table))].toSorted()
}

test("a token of a run says which label asks, and one of another run is not accepted", async () => {
  const [one, other] = [await signToken(askingLabel), await signToken(askingLabel)]
  const signing = load({ ...ruled, ...tokenIdentity(one.env[keysVariable]) })
  const identify = createIdentify({
    model: signing,
    answer: () => assert.fail("a token is not looked up"),
    writes: false,
  })
  const { key } = await identify({ authorization: one.authorization })
  assert.deepEqual(key, labelOf(askingLabel).key)
  await assert.rejects(
    async () => identify({ authorization: other.authorization }),
    /credentials are not accepted/,
  )
})

test("rules are measured with reads alone", async () => {
  assert.deepEqual(readOptions(["--rules"]).workload, readNames)
  const main = join(import.meta.dirname, "..", "bench", "main.ts")
  const run = (...args: string[]): Promise<unknown> =>
    promisify(execFile)(process.execPath, [main, "--rules", ...args])
  await assert.rejects(run("--workload", "W1,insert"), /leave out insert: --workload W1,W2,W3,W4,W7/)
  await assert.rejects(run("--peers"), /--rules and --peers cannot be measured together/)
})

test("values that never come again are as many as there are records, and each is another one", () => {
  const counts = workloadNames.map((name) => {
    const turns = turnsOf(name, data, { values: "fresh", length: 4_000 })
    assert.equal(new Set(turns.map((turn) => JSON.stringify(turn))).size, turns.length, name)
    return turns.length
  })
  // Lists have as many pages as there are places that a whole page stands after.
  assert.deepEqual(counts, [4_000, 4_000, 480, 90, 4_000, 4_000, 4_000])
  assert.equal(turnsOf("W1", data).length, workloads.W1.repeated)
})

test("a document's literals are read as they were written", () => {
  const template = templateOf(workloads.update.document)
  const variables = { id: "track_1", input: { name: 'An "odd": name: \\ 夜', bytes: 5, composer: null } }
  const body = JSON.stringify({ query: workloads.update.document, variables })
  const [{ body: sent = "" } = { body: "" }] = withLiterals([{ method: "POST", path: "/graphql", body }])
  const { query } = JSON.parse(sent) as { query: string }
  assert.match(query, /^mutation Change \{ updateTrack\(id: "track_1", input: \{name: "An /)
  assert.deepEqual(readLiterals(template, query), variables)
  assert.equal(readLiterals(templateOf(workloads.W1.document), query), undefined)
})

for (const [database, face, servers] of [
  ["sqlite", "graphql", ["by hand", "Bifold", "Bifold, everything on"]],
  [
    "postgres",
    "rest",
    ["by hand", "by hand, same headers", "by hand, pipelined", "Bifold", "Bifold, everything on"],
  ],
] as const)
  test(`a run in small compares and measures all servers by ${face} on ${database}`, async (context) => {
    const file = join(await temporaryFolder(context), "figures.json")
    const main = join(import.meta.dirname, "..", "bench", "main.ts")
    const asked = ["--quick", "--database", database, "--face", face, "--json", file]
    const { stdout } = await promisify(execFile)(process.execPath, [main, ...asked], {
      env: {
        ...process.env,
        // That of the tests does not wait for its disk.
        BIFOLD_ACCEPT_DATA_LOSS: "true",
        ...(database === "postgres" && { BIFOLD_BENCH_POSTGRES: await temporaryPostgres(context) }),
      },
    })
    assert.match(stdout, /Bifold : by hand/)
    const { measured } = JSON.parse(await readFile(file, "utf8")) as Report
    const cells = Map.groupBy(measured, ({ workload, values }) => `${workload} ${values}`)
    const literals = face === "graphql" ? ["W1 literals"] : []
    assert.deepEqual([...cells.keys()], ["W1 fresh", ...literals, "insert fresh"])
    for (const cell of cells.values())
      assert.deepEqual(
        cell.map(({ server }) => server),
        servers,
      )
    for (const { perSecond, failed, server } of measured) {
      assert.ok(perSecond > 0, server)
      assert.equal(failed, 0, server)
    }
  })

test("answers that differ in more than how a cursor is spelt are told apart", () => {
  const answer = (next: string | null, id = "track_1") => ({ data: [{ id }], page: { next, prev: null } })
  assert.ok(sameAnswer(answer("sealed"), answer("17")))
  assert.ok(!sameAnswer(answer("sealed"), answer(null)))
  assert.ok(!sameAnswer(answer("sealed"), answer("sealed", "track_2")))
})

interface Filled {
  readonly url: string
  readonly model: Model
  readonly storage: Storage
  openByHand(): HandDatabase | Promise<HandDatabase>
}

interface Opened extends Filled {
  readonly ask: AskJson
  /** Whose the records of the servers by hand are; everybody's when absent. */
  readonly label?: number
}

async function openFilled(
  hooks: Hooks,
  database: Database,
  { model, data }: { readonly model: Model; readonly data: MusicData },
): Promise<Filled> {
  const isSqlite = database === "sqlite"
  const url = isSqlite ? join(await temporaryFolder(hooks), "music.sqlite") : await temporaryPostgres(hooks)
  await setUp(url, fillCommands(model, isSqlite ? sqlite : postgres, data))
  const storage = await openStorage(url, { writes: "unsafe" })
  hooks.after(() => storage.close())
  return { url, model, storage, openByHand: () => (isSqlite ? openHandSqlite(url) : openHandPostgres(url)) }
}

function openPlain(filled: Filled): Opened {
  return { ...filled, ask: succeeding(exchangeAs(filled, everybodyOf(filled.model))) }
}

/** What is another one in each answer, or each server's own. */
const varying = ["content-length", "date", "etag", "keep-alive", "link", "location", "x-request-id"]

/** Of an answer that is asked for by HTTP: the names alone of those that vary. */
async function headersOf(url: string, request: HttpRequest): Promise<readonly string[]> {
  const { method, path, body } = request
  const type = body === undefined ? {} : { "content-type": "application/json" }
  // As the client of the bench, which takes answers as they are.
  const headers = { "accept-encoding": "identity", ...type }
  const response = await fetch(url + path, { method, headers, ...(body !== undefined && { body }) })
  const text = await response.text()
  assert.ok(response.ok, text)
  return [...response.headers]
    .map(([name, value]) => (varying.includes(name) ? name : `${name}: ${value}`))
    .sort()
}

async function compareHeaders(
  { openByHand, label }: Opened,
  served: Serving,
  names: readonly WorkloadName[],
): Promise<void> {
  for (const face of faceNames) {
    const server = await startHandServer(face, await openByHand(), {
      full: true,
      ...(label !== undefined && { label }),
    })
    try {
      for (const name of names) {
        const turns = turnsOf(name, data).slice(0, 1)
        const spelling = await bifoldSpelling(askOver(served.url), name, turns)
        for (const turn of turns)
          assert.deepEqual(
            await headersOf(server.url, requestOf(name, face, turn, handSpelling)),
            await headersOf(served.url, requestOf(name, face, turn, spelling)),
            `${name} by ${face}`,
          )
      }
    } finally {
      await server.close()
    }
  }
}

/** The label that has everything, with the statements sent for it, and one that has nothing. */
function openRuled(filled: Filled): { opened: Opened; statements: string[]; nobody: Exchange } {
  const statements: string[] = []
  const read: Storage["read"] = (statement, ...rest) => {
    statements.push(statement.text)
    return filled.storage.read(statement, ...rest)
  }
  const own = { read: { value: read }, readTogether: { value: undefined } }
  const storage = Object.create(filled.storage, own) as Storage
  const ask = succeeding(exchangeAs({ ...filled, storage }, labelOf(askingLabel)))
  const nobody = exchangeAs(filled, labelOf(askingLabel + 1))
  return { opened: { ...filled, ask, label: askingLabel }, statements, nobody }
}

async function seesNothing(
  { ask, openByHand }: Opened,
  nobody: Exchange,
  { face, name }: { readonly face: FaceName; readonly name: ReadName },
): Promise<void> {
  const server = await startHandServer(face, await openByHand(), { label: askingLabel + 1 })
  try {
    const turns = turnsOf(name, labelled).slice(0, turnsCompared)
    // Places in the lists of somebody who sees them.
    const spelling = await bifoldSpelling(ask, name, turns)
    for (const turn of turns) {
      assert.deepEqual(recordsIn(await nobody(requestOf(name, face, turn, spelling))), [])
      const request = requestOf(name, face, turn, handSpelling)
      assert.deepEqual(recordsIn(await exchangeOver(server.url)(request)), [])
    }
  } finally {
    await server.close()
  }
}

/** Of a record that is not there, none. */
function recordsIn({ status, json }: Exchanged): unknown {
  if (status === 404) return []
  assert.equal(status, 200)
  const { data } = json as { readonly data: unknown }
  if (Array.isArray(data)) return data
  const [root] = Object.values(data as Readonly<Record<string, { readonly nodes: unknown } | null>>)
  return root === null ? [] : root?.nodes
}

const tracksQuery = JSON.stringify({ query: "{ tracks { totalCount aggregate { sum { bytes } } } }" })

/** @param before how many have written before, each with other turns */
async function compareWrites(
  { ask, openByHand }: Opened,
  face: FaceName,
  name: WorkloadName,
  before = 0,
): Promise<void> {
  // How many tracks there are, and of how many bytes together.
  const tracks = (): Promise<unknown> => ask({ method: "POST", path: "/graphql", body: tracksQuery })
  const server = await startHandServer(face, await openByHand())
  try {
    const seen = new Set<string>([JSON.stringify(await tracks())])
    // Others for each face: what is updated to what it is already would not show.
    const first = (before + faceNames.indexOf(face)) * turnsCompared
    for (const turn of turnsOf(name, data).slice(first, first + turnsCompared)) {
      const request = requestOf(name, face, turn, handSpelling)
      const byHand = await askServer(server.url)(request)
      // What an update sets to the same again changes nothing.
      seen.add(JSON.stringify(await tracks()))
      const answer = await ask(request)
      if (name === "insert") seen.add(JSON.stringify(await tracks()))
      const compared = name === "insert" ? withoutIds : (value: unknown) => value
      assert.deepEqual(compared(byHand), compared(answer))
    }
    assert.equal(seen.size, 1 + turnsCompared * (name === "insert" ? 2 : 1))
  } finally {
    await server.close()
  }
}

async function compare(opened: Opened, face: FaceName, name: WorkloadName): Promise<void> {
  const { ask, storage, label } = opened
  const byHand = await opened.openByHand()
  const server = await startHandServer(face, byHand, label === undefined ? {} : { label })
  try {
    const askByHand = askServer(server.url)
    const turns = [...turnsOf(name, data).slice(0, turnsCompared), ...lastPages(name)]
    const spelling = await bifoldSpelling(ask, name, turns)
    for (const turn of turns) {
      const sent = storage.sent + byHand.sent
      const answer = await ask(requestOf(name, face, turn, spelling))
      const answerByHand = await askByHand(requestOf(name, face, turn, handSpelling))
      assert.deepEqual(withoutCursors(answerByHand), withoutCursors(answer))
      assert.ok(sameAnswer(answer, answerByHand))
      assert.equal(storage.sent + byHand.sent - sent, 2)
    }
  } finally {
    await server.close()
  }
}

async function compareLiterals({ ask, openByHand }: Opened, name: WorkloadName): Promise<void> {
  const server = await startHandServer("graphql", await openByHand())
  try {
    const turns = turnsOf(name, data, { values: "fresh", length: turnsCompared })
    const spelling = await bifoldSpelling(ask, name, turns)
    const asked = (spelt: typeof handSpelling): readonly HttpRequest[] =>
      withLiterals(turns.map((turn) => requestOf(name, "graphql", turn, spelt)))
    const own = asked(spelling)
    assert.equal(new Set(own.map(({ body }) => body)).size, turns.length)
    const compared = name === "insert" ? withoutIds : (value: unknown) => value
    for (const [index, request] of asked(handSpelling).entries()) {
      const byHand = await askServer(server.url)(request)
      assert.ok(sameAnswer(compared(await ask(present(own[index], "as many"))), compared(byHand)))
    }
  } finally {
    await server.close()
  }
}

async function refusedAlone({ openByHand }: Opened): Promise<void> {
  const server = await startHandServer("rest", await openByHand())
  try {
    const statuses = await Promise.all(
      turnsOf("insert", data, { length: 9 }).map(async (turn, index) => {
        const input = turn.kind === "insert" ? turn.input : undefined
        // There is no such album.
        const other = { ...input, ...(index === 4 && { albumId: "999999" }) }
        const request = requestOf("insert", "rest", turn, handSpelling)
        const { status } = await exchangeOver(server.url)({ ...request, body: JSON.stringify(other) })
        return status
      }),
    )
    assert.deepEqual(statuses, [201, 201, 201, 201, 409, 201, 201, 201, 201])
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

interface Exchanged {
  readonly status: number
  readonly json: unknown
}
type Exchange = (request: HttpRequest) => Promise<Exchanged>

function exchangeAs({ model, storage }: Filled, actor: Actor): Exchange {
  const { facesFor } = createFaces({ model, storage, secret: "a secret of the tests", base: "" })
  const { graphql, rest } = facesFor(actor)
  return async ({ method, path, body = "" }) => {
    const [place = "", query = ""] = path.split("?")
    const isGraphql = place === "/graphql"
    const { status, body: answer } = await (isGraphql ? graphql : rest)({
      actor,
      method,
      path: isGraphql ? "" : place,
      query,
      headers: body === "" ? {} : { "content-type": "application/json" },
      body: Buffer.from(body),
      requestId: "test",
    })
    return { status, json: JSON.parse(textOf(await wholeBody(answer))) }
  }
}

const exchangeOver =
  (url: string): Exchange =>
  async ({ method, path, body }) => {
    const response = await fetch(url + path, { method, ...(body === undefined ? {} : { body }) })
    return { status: response.status, json: await response.json() }
  }

const succeeding =
  (exchange: Exchange): AskJson =>
  async (request) => {
    const { status, json } = await exchange(request)
    const isCreated = request.method === "POST" && request.path !== "/graphql"
    assert.equal(status, isCreated ? 201 : 200, JSON.stringify(json))
    return json
  }

const askServer = (url: string): AskJson => succeeding(exchangeOver(url))

describe("curves of growth", () => {
  test("have the line that their points follow, and show where they leave it", () => {
    const [flat, straight] = (["flat", "straight"] as const).map((line) =>
      present(
        curves.find((one) => one.line === line),
        line,
      ),
    )
    const along = expectedLine(
      present(straight, "straight"),
      [1, 10, 100].map((at) => [at, 40 + 3 * at]),
    )
    for (const at of [1, 50, 1_000]) assert.ok(Math.abs(along(at) - (40 + 3 * at)) < 1e-6, String(along(at)))
    const level = expectedLine(present(flat, "flat"), [
      [1_000, 50],
      [10_000, 52],
      [100_000, 90],
    ])
    assert.equal(level(100_000), 52)
  })

  test("are drawn: a dashed line and a whole one for each database, and a dot for each point", () => {
    const line = (name: string) => ({
      name,
      points: [
        [1, 40],
        [1_000, 900],
      ] as const,
      expected: (at: number) => 40 + at,
    })
    const svg = chartSvg({ title: "a page", x: "rows", y: "µs", lines: [line("SQLite"), line("PostgreSQL")] })
    assert.equal(svg.match(/<circle /g)?.length, 4)
    assert.equal(svg.match(/stroke-dasharray/g)?.length, 2)
    assert.doesNotMatch(svg, /NaN|undefined|Infinity/)
  })
})
