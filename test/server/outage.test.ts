// A database that goes away under a running server, and comes back.
import assert from "node:assert/strict"
import { describe, it } from "node:test"
import pg from "pg"
import { temporaryPostgres } from "../support/database.ts"
import { openLibrary } from "./open.ts"

async function administer(url: string, command: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(command)
  await client.end()
}

describe("a database that goes away", () => {
  it("is 503 in both faces and in the health check, names nothing of it, and is found again", async (test) => {
    const database = await temporaryPostgres(test)
    const { url, observed } = await openLibrary(test, {}, database)
    const name = new URL(database).pathname.slice(1)
    const server = Object.assign(new URL(database), { pathname: "/postgres" }).href
    const ask = (): Promise<readonly Response[]> =>
      Promise.all(
        ["/authors/1", "/graphql?query={author(id:1){name}}", "/health"].map((path) =>
          fetch(`${url}${path}`),
        ),
      )

    assert.deepEqual(
      (await ask()).map(({ status }) => status),
      [200, 200, 200],
    )
    await administer(server, `ALTER DATABASE "${name}" ALLOW_CONNECTIONS false`)
    await administer(
      server,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`,
    )
    const away = await ask()
    const [rest, graphql] = await Promise.all(away.slice(0, 2).map((answer) => answer.text()))
    assert.deepEqual([away[0]?.status, away[2]?.status], [503, 503])
    assert.equal(away[0]?.headers.get("retry-after"), "5")
    assert.equal(JSON.parse(rest ?? "").code, "storage_unavailable")
    assert.equal(JSON.parse(graphql ?? "").errors[0].extensions.code, "storage_unavailable")
    assert.doesNotMatch(`${rest}${graphql}`, new RegExp(`${name}|terminat|127\\.0\\.0\\.1`))
    const [said, ...more] = observed
    assert.deepEqual(more, [], "the same is not said for each request")
    assert.ok(said?.kind === "unanswered" && said.problem.code === "storage_unavailable")
    assert.match(String(said.cause), new RegExp(`${name}|terminat`))

    await administer(server, `ALTER DATABASE "${name}" ALLOW_CONNECTIONS true`)
    assert.deepEqual(
      (await ask()).map(({ status }) => status),
      [200, 200, 200],
    )
  })
})
