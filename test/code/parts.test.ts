// Own code that does a part of its transaction, adds to numbers, and locks records, in process and in threads.
import assert from "node:assert/strict"
import { after, test } from "node:test"
import { inspect } from "node:util"
import { cleanUp } from "../support/database.ts"
import { dialects } from "../support/open-service.ts"
import { bank, between } from "./bank.ts"
import { codeAt, places } from "./in-threads.ts"
import { type OpenCode, openCode } from "./open.ts"

interface Invoice {
  readonly number: number
  readonly big: string | null
}

const hooks = cleanUp(after)

for (const [database, where] of dialects.flatMap((one) => places.map((where) => [one, where] as const))) {
  // A thread that has begun serves one test after the other.
  const declaration = codeAt(where, hooks, bank, "bank.ts#bank")
  const it = (name: string, run: (opened: OpenCode) => Promise<void>) =>
    test(`${name} (${database}, ${where})`, async (t) => run(await openCode(t, declaration, database)))
  const invoices = async ({ as }: OpenCode): Promise<readonly Invoice[]> =>
    (await as("anyone").rest<{ data: readonly Invoice[] }>("GET", "/invoices?sort=number")).body.data

  it("a part that throws undoes itself and nothing else", async (opened) => {
    const client = opened.as("anyone")
    const { status, body } = await client.rest<{ told: readonly string[] }>("POST", "/actions/attempts")
    assert.deepEqual([status, body.told], [200, ["no", "conflict", "held"]])
    assert.deepEqual(
      (await invoices(opened)).map(({ number }) => number),
      [1, 4, 6],
    )
    const logged = (await opened.storage.log?.read(0n, 100)) ?? []
    assert.deepEqual(
      logged.map(({ type }) => type).filter((type) => type.endsWith("noticed")),
      ["invoice.noticed"],
    )
  })

  it("a part that is used after its end is a fault of the code, and everything is undone", async (opened) => {
    const { status, body } = await opened.as("anyone").rest<{ code: string }>("POST", "/actions/late")
    assert.deepEqual([status, body.code], [500, "internal"])
    assert.match(inspect(opened.faults), /The transaction of this handle has ended/)
    assert.deepEqual(await invoices(opened), [])
  })

  it("an increment is added to what the record has, within its bounds", async (opened) => {
    const client = opened.as("anyone")
    const { account: [account = ""] = [] } = await opened.add({ account: [{ name: "A", balance: "0.10" }] })
    const adjusted = await client.rest("POST", `/accounts/${account}/actions/adjust`, { by: "-10.05" })
    assert.deepEqual(adjusted.body, { balance: "-9.95" })
    const { invoice: [id = ""] = [] } = await opened.add({
      invoice: [{ number: 1, big: "9007199254740993" }],
    })
    const add = async (member: string, by: string) => {
      const given = await client.rest<{ code?: string; title?: string } | null>(
        "POST",
        `/invoices/${id}/actions/add`,
        { member, by },
      )
      return given.body?.code ?? given.status
    }
    assert.equal(await add("number", "-2"), 204)
    assert.equal(await add("big", "1"), 204)
    assert.deepEqual(
      (await invoices(opened)).map(({ number, big }) => [number, big]),
      [[-1, "9007199254740994"]],
    )
    assert.equal(await add("big", "9223372036854775807"), "invalid_value")
    assert.equal(await add("number", "2000000002"), "invalid_value")
    assert.equal(await add("number", "0.5"), "invalid_value")
    assert.equal(await add("number", "NaN"), "invalid_value")
    assert.equal(await add("secret", "1"), "forbidden")
  })

  it("a list without a bound has all records, however many pages they are", async (opened) => {
    const most = 10_000
    const { invoice: ids = [] } = await opened.add({
      invoice: Array.from({ length: 230 }, (_, number) => ({ number })),
    })
    const count = () => opened.as("anyone").rest<object>("POST", "/actions/counted")
    assert.equal(ids.length, 230)
    assert.deepEqual((await count()).body, { count: 229, distinct: 229, page: 3 })
    if (where === "in threads") return
    for (let made = ids.length; made <= most; made += 1_000)
      await opened.add({ invoice: Array.from({ length: 1_000 }, (_, number) => ({ number: number + 1 })) })
    assert.equal((await count()).status, 500)
    assert.match(inspect(opened.faults[0]), /more than 10000 records/)
  })

  it("records that code locks are given in the order in which it names them", async (opened) => {
    const { account: ids = [] } = await opened.add({
      account: ["A", "B", "C"].map((name) => ({ name, balance: "0" })),
    })
    const client = opened.as("anyone")
    const lock = (given: readonly unknown[]) => client.rest("POST", "/actions/locked", { ids: given })
    assert.deepEqual((await lock([ids[2], ids[0]])).body, { names: ["C", "A"] })
    assert.deepEqual((await lock([])).body, { names: [] })
    assert.equal((await lock([ids[0], "acc_00000000000000000000000000"])).status, 404)
  })

  it("a version that only the code names is not told as the client's", async (opened) => {
    const { invoice: [id = ""] = [] } = await opened.add({ invoice: [{ number: 1 }] })
    const client = opened.as("anyone")
    const without = await client.rest<{ code: string }>("POST", `/invoices/${id}/actions/stale`)
    assert.deepEqual([without.status, without.body.code], [409, "conflict"])
    const { headers } = await client.rest("GET", `/invoices/${id}`)
    const named = await client.rest<{ code: string }>("POST", `/invoices/${id}/actions/stale`, undefined, {
      "if-match": headers["etag"] ?? "",
    })
    assert.deepEqual([named.status, named.body.code], [412, "stale_version"])
  })
}

test("what a plain write has decided by and what code has decided by do not pass each other (postgres)", async (context) => {
  const opened = await openCode(context, bank, "postgres")
  const client = opened.as("anyone")
  const { room: [id = ""] = [] } = await opened.add({ room: [{ name: "One" }] })
  let runs = 0
  let booked: number | undefined
  context.after(() => {
    between.run = async () => {}
  })
  between.run = async () => {
    runs += 1
    booked ??= (await client.rest("POST", "/bookings", { roomId: id })).status
  }
  const { status } = await client.rest("POST", "/actions/close", { room: id })
  assert.deepEqual([booked, status, runs], [201, 409, 2])
})
