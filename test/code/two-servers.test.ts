// What own code has decided by is still true when it commits, also where two servers run it at one PostgreSQL database.
import assert from "node:assert/strict"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { fileURLToPath } from "node:url"
import { type Serving, serving } from "../cli/run.ts"
import { temporaryFolder, temporaryPostgres } from "../support/database.ts"

const source = fileURLToPath(new URL("./bank.ts", import.meta.url))
const clients = 20
const each = 5
const count = 10

const cents = (amount: string): number => Math.round(Number(amount) * 100)
const sum = (amounts: readonly string[]): number => amounts.reduce((all, amount) => all + cents(amount), 0)

async function ask<Body>({ url }: Serving, path: string, body?: object) {
  const headers = { "content-type": "application/json" }
  const answer = await fetch(url + path, body && { method: "POST", headers, body: JSON.stringify(body) })
  const text = await answer.text()
  return { status: answer.status, body: (text === "" ? {} : JSON.parse(text)) as Body }
}

test("transfers by two servers neither make nor lose money", async (context) => {
  const cwd = await temporaryFolder(context)
  writeFileSync(join(cwd, "service.ts"), `export { bank as default } from ${JSON.stringify(source)}\n`)
  const database = await temporaryPostgres(context)
  const start = async (): Promise<Serving> => {
    const given = ["service.ts", "--database", database, "--accept-data-loss", "--dev"]
    const server = await serving(given, { cwd })
    context.after(async () => void (await server.end()))
    return server
  }
  const first = await start()
  const servers = [first, await start()]
  const ids: string[] = []
  for (let at = 0; at < count; at += 1) {
    const made = await ask<{ id: string }>(first, "/accounts", { name: `${at}`, balance: "100.00" })
    assert.equal(made.status, 201, JSON.stringify(made.body))
    ids.push(made.body.id)
  }
  const statuses = servers.map((): Record<number, number> => ({}))
  await Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      const [server = first, told = {}] = [servers[client % 2], statuses[client % 2]]
      for (let at = 0; at < each; at += 1) {
        const from = (client + at) % count
        // In both directions between the same accounts.
        const to = (from + (client % 2 === 0 ? 1 : count - 1)) % count
        const body = { to: ids[to], amount: `${1 + (client % 7)}.${10 + at}` }
        const { status } = await ask(server, `/accounts/${ids[from]}/actions/send`, body)
        told[status] = (told[status] ?? 0) + 1
      }
    }),
  )
  for (const told of statuses) assert.deepEqual(told, { 204: (clients * each) / 2 })
  const { body: accounts } = await ask<{ data: readonly { id: string; balance: string }[] }>(
    first,
    "/accounts?limit=100",
  )
  assert.equal(sum(accounts.data.map(({ balance }) => balance)), count * 10_000)
  for (const { id, balance } of accounts.data) {
    const filter = encodeURIComponent(JSON.stringify({ accountId: { eq: id } }))
    const { body: own } = await ask<{ data: readonly { amount: string }[] }>(
      first,
      `/entries?limit=100&filter=${filter}`,
    )
    assert.equal(10_000 + sum(own.data.map(({ amount }) => amount)), cents(balance))
  }
})
