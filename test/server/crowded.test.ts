// Many slow reads at once, over HTTP: one client leaves places to others, what is too much is refused at once, and what is
// prompt is answered beside it.
import assert from "node:assert/strict"
import { request } from "node:http"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { text } from "node:stream/consumers"
import { it } from "node:test"
import { serving } from "../cli/run.ts"
import { temporaryFolder } from "../support/database.ts"

/** Each is compared with each in the slowest question: some hundred milliards of pairs. */
const books = 6_000

function makeLibrary(path: string): void {
  const database = new DatabaseSync(path)
  database.exec(`
    CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
    CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL, author_id INTEGER NOT NULL REFERENCES author);
    CREATE INDEX book_author ON book (author_id);
    INSERT INTO author VALUES (1, 'Ada');
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${books})
      INSERT INTO book SELECT i, 'Book ' || i, 1 FROM n;
    ANALYZE`)
  database.close()
}

interface Answered {
  readonly status: number | undefined
  readonly retryAfter: string | undefined
  readonly body: string
}

type Client = (path: string) => Promise<Answered>

/** Those of different addresses are different clients. */
const clientAt =
  (localAddress: string, url: string): Client =>
  (path) =>
    new Promise((resolve, reject) => {
      const asked = request(`${url}${path}`, { localAddress, agent: false })
      asked.on("error", reject)
      asked.on("response", (response) => {
        const { statusCode: status, headers } = response
        text(response).then((body) => resolve({ status, retryAfter: headers["retry-after"], body }), reject)
      })
      asked.end()
    })

const question = (query: string): string => `/graphql?query=${encodeURIComponent(query)}`

/** Equal reads would share one execution. */
const endless = (number: number): string =>
  question(
    `{ authors(where: { books: { some: { author: { books: { some: { author: { books: { some: { title: { contains: "no ${number}!" } } } } } } } } } }) { nodes { name } } }`,
  )
const slow = (number: number): string =>
  question(`{ books(first: 1, where: { title: { contains: "${number}" } }) { totalCount } }`)

/** What one client may have: half of the 2 places, and of the 100 that may wait. */
const own = 1 + 50
const beyond = 9

it("slow reads of one client leave places to others, and too many are refused at once", {
  timeout: 180_000,
}, async (t) => {
  const path = join(await temporaryFolder(t), "library.db")
  makeLibrary(path)
  const server = await serving([path, "--open", "read", "--deadline", "60"])
  t.after(async () => void (await server.end("SIGKILL")))
  const [one, another, third] = [1, 2, 3].map((last) => clientAt(`127.0.0.${last}`, server.url)) as [
    Client,
    Client,
    Client,
  ]

  const answered: Answered[] = []
  const crowd = async (client: Client): Promise<void> => {
    const before = answered.length
    const refused = Promise.withResolvers<void>()
    for (let number = 0; number < own + beyond; number += 1)
      client(endless(number + before * 1_000)).then(
        (answer) => {
          answered.push(answer)
          if (answered.length === before + beyond) refused.resolve()
        },
        () => {}, // the server is ended
      )
    await refused.promise
  }
  const assertPrompt = async (client: Client): Promise<void> => {
    const health = await client("/health")
    assert.deepEqual([health.status, health.body], [200, '{"status":"ok"}'])
    const read = await client("/authors/1?fields=name")
    assert.equal(read.status, 200, read.body)
  }

  await crowd(one)
  await assertPrompt(one)
  for (let number = 1; number <= 5; number += 1) {
    const { status, body } = await another(slow(number))
    assert.equal(status, 200, body)
    assert.ok(JSON.parse(body).data.books.totalCount > 0, body)
  }
  assert.equal(answered.length, beyond, "the first client has what it may have, and waits")

  await crowd(another)
  const late = await third(slow(6))
  for (const { status, retryAfter, body } of [...answered, late]) {
    assert.equal(status, 503, body)
    assert.ok(Number(retryAfter) > 0)
    assert.equal(JSON.parse(body).errors[0].extensions.code, "overloaded")
  }
  for (const client of [one, another, third]) await assertPrompt(client)
  assert.equal(answered.length, 2 * beyond, "all others wait still")
})
