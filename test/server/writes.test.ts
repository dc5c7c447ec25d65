// Writes over the network: what is sent several times with one key is done once, also at the same moment, and what was
// acknowledged is read by whoever asks next.
import assert from "node:assert/strict"
import { describe, it } from "node:test"
import { setTimeout as sleep } from "node:timers/promises"
import { type Hooks, temporaryPostgres } from "../support/database.ts"
import { dialects } from "../support/open-service.ts"
import { type Library, openLibrary } from "./open.ts"

const keys = 40
const tries = 5

const open = async (hooks: Hooks, database: (typeof dialects)[number]): Promise<Library> =>
  openLibrary(hooks, {}, database === "sqlite" ? undefined : await temporaryPostgres(hooks), {
    writes: "unsafe",
  })

/** As a client does: a server that sheds requests on a slow machine is asked again. */
async function ask(url: string, init?: RequestInit): Promise<Response> {
  for (;;) {
    const response = await fetch(url, init)
    if (response.status !== 503) return response
    await response.text()
    await sleep(50)
  }
}

const json = { "content-type": "application/json" }

interface Answer {
  readonly status: number
  readonly replayed: boolean
  readonly body: string
}

async function answerOf(response: Response): Promise<Answer> {
  const replayed = response.headers.get("idempotency-replayed") === "true"
  return { status: response.status, replayed, body: await response.text() }
}

/** The same author by one face or the other, with the same key each time. */
const faces: Readonly<Record<string, (url: string, name: string) => Promise<Answer>>> = {
  REST: async (url, name) =>
    answerOf(
      await ask(`${url}/authors`, {
        method: "POST",
        headers: { ...json, "idempotency-key": `rest-${name}` },
        body: JSON.stringify({ name }),
      }),
    ),
  GraphQL: async (url, name) =>
    answerOf(
      await ask(`${url}/graphql`, {
        method: "POST",
        headers: { ...json, "idempotency-key": `graphql-${name}` },
        body: JSON.stringify({
          query: "mutation ($name: String!) { createAuthor(input: { name: $name }) { author { id name } } }",
          variables: { name },
        }),
      }),
    ),
}

const isDone = ({ body }: Answer, name: string): boolean =>
  body.includes(`"name":"${name}"`) && !body.includes('"errors"')

async function authorsCalled(url: string, name: string): Promise<number> {
  const response = await ask(`${url}/authors?filter[name]=${name}&limit=0&total=true`)
  const { page } = (await response.json()) as { page: { total: number } }
  return page.total
}

for (const database of dialects)
  describe(`writes over the network (${database})`, () => {
    for (const [face, send] of Object.entries(faces))
      it(`are done once for each key, by ${face}`, async (test) => {
        const { url } = await open(test, database)
        await Promise.all(
          Array.from({ length: keys }, async (_, index) => {
            const name = `${face}${index}`
            const answers = await Promise.all(Array.from({ length: tries }, () => send(url, name)))
            const done = answers.filter((answer) => isDone(answer, name))
            assert.ok(done.length >= 1, JSON.stringify(answers))
            for (const other of answers.filter((answer) => !isDone(answer, name)))
              assert.ok(other.body.includes("idempotency_in_progress"), other.body)
            assert.equal(done.filter(({ replayed }) => !replayed).length, 1)
            const again = await send(url, name)
            assert.deepEqual(again, { ...done[0], replayed: true })
            assert.equal(await authorsCalled(url, name), 1)
          }),
        )
      })

    it("are seen by every read that comes after them", async (test) => {
      const { url } = await open(test, database)
      await Promise.all(
        Array.from({ length: 8 }, async (_, client) => {
          for (let round = 0; round < 25; round += 1) {
            const name = `${client}-${round}`
            const headers = json
            const changed = await ask(`${url}/authors/1`, {
              method: "PATCH",
              headers,
              body: JSON.stringify({ name }),
            })
            assert.equal(changed.status, 200)
            const { etag: written } = Object.fromEntries(changed.headers)
            const read = await ask(`${url}/authors/1`)
            const { etag: found } = Object.fromEntries(read.headers)
            assert.ok(versionIn(found) >= versionIn(written), `${found} after ${written}`)
          }
        }),
      )
      const { etag } = Object.fromEntries((await ask(`${url}/authors/1`)).headers)
      assert.equal(versionIn(etag), 1 + 8 * 25)
    })
  })

const versionIn = (etag: string | undefined): number => Number(/^"(\d+)/.exec(etag ?? "")?.[1])
