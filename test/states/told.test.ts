// What a record says of its transitions: the same in both faces, and true: what is allowed is done, and what is not is
// refused with one of the reasons.
import assert from "node:assert/strict"
import { after, before, describe, test } from "node:test"
import { cleanUp } from "../support/database.ts"
import { dialects, type OpenService } from "../support/open-service.ts"
import { readMessage } from "../support/spelling.ts"
import { ada, agent, boss, type Desk, id, openDesk } from "./asking.ts"

interface Possible {
  readonly name: string
  readonly allowed: boolean
  readonly reasons: readonly { readonly code: string; readonly message: string }[]
}

const everybody = [ada, agent, boss, `${ada}+role:boss`, "signedIn+role:agent"]
const numbers = [11, 12, 13, 14, 15, 16, 17]
const members = "name to machine allowed reasons { code message } description input"

const all = new Map<string, string>()

async function byGraphql(service: OpenService, number: number): Promise<readonly Possible[] | undefined> {
  const query = `{ ticket(id: "${id(number)}") { transitions { ${members} } } }`
  const { data } = JSON.parse((await service.graphql({ body: { query } })).body)
  return data.ticket?.transitions
}

for (const database of dialects)
  describe(`what is possible on ${database}`, () => {
    const hooks = cleanUp(after)
    let desk: Desk
    before(async () => {
      desk = await openDesk(hooks, database)
    })
    const rest = (words: string, message: string) => desk.as(words).rest(readMessage(message))

    test("is told alike by both faces, and by each way to ask", async () => {
      for (const words of everybody)
        for (const number of numbers) {
          const told = await byGraphql(desk.as(words), number)
          const own = await rest(words, `GET /tickets/${id(number)}/transitions`)
          if (told === undefined) {
            assert.equal(own.status, 404)
            assert.equal(JSON.parse(own.body).code, "not_found")
            continue
          }
          assert.equal(own.status, 200, own.body)
          assert.deepEqual(JSON.parse(own.body), { data: told })
          const record = await rest(words, `GET /tickets/${id(number)}?fields=state,transitions`)
          assert.deepEqual(JSON.parse(record.body).transitions, told)
          all.set(`${database} ${words} ${number}`, JSON.stringify(told))
        }
    })

    test("is what happens", async () => {
      let done = 0
      for (const words of everybody)
        for (const number of numbers)
          for (const { name, allowed, reasons } of (await byGraphql(desk.as(words), number)) ?? []) {
            assert.equal(allowed, reasons.length === 0, `${words} ${name} ${number}`)
            const expected = allowed ? "undone" : refusal(reasons)
            const codes = await attempted(desk.as(words), number, name)
            assert.deepEqual(codes, [expected, expected], `${words} ${name} ${number}`)
            done += allowed ? 1 : 0
          }
      assert.ok(done > 20, `${done}`)
    })

    test("of the whole list is in it, and in CSV", async () => {
      const { body } = await rest(agent, "GET /tickets?fields=transitions&sort=id")
      const told = JSON.parse(body).data.map(({ transitions }: { transitions: readonly Possible[] }) =>
        transitions.filter(({ allowed }) => allowed).map(({ name }) => name),
      )
      assert.deepEqual(told, [["start"], [], ["start", "solve"], ["reopen"], [], ["start"], ["start"]])
      const csv = await rest(agent, "GET /tickets?fields=transitions&sort=id&limit=1\naccept: text/csv")
      assert.match(csv.body, /^id,transitions\r\ntic_0+11,"\[\{""name"":""start"",""to"":""working""/)
      const plain = await rest(agent, "GET /tickets?limit=1")
      assert.equal("transitions" in JSON.parse(plain.body).data[0], false)
    })

    test("goes with what is included, by its own names and several times", async () => {
      const query = `{ person(id: "${id(1)}") { tickets(first: 1, orderBy: { field: id }) { nodes { __typename
        can: transitions { __typename name } why: transitions { reasons { __typename why: message } on: allowed } } } } }`
      const { body } = await desk.as(boss).graphql({ body: { query } })
      const unmet = "This ticket does not meet the condition of `bill`."
      const type = "TicketTransition"
      assert.deepEqual(JSON.parse(body).data.person.tickets.nodes, [
        {
          __typename: "Ticket",
          can: [
            { __typename: type, name: "close" },
            { __typename: type, name: "bill" },
            { __typename: type, name: "settle" },
          ],
          why: [
            { reasons: [], on: true },
            { reasons: [{ __typename: "TransitionReason", why: unmet }], on: false },
            {
              reasons: [
                {
                  __typename: "TransitionReason",
                  why: "`settle` is possible only where `billing` is billed.",
                },
              ],
              on: false,
            },
          ],
        },
      ])
      const included = await rest(
        boss,
        `GET /people/${id(1)}?fields=name&include=tickets&include[tickets][fields]=transitions&include[tickets][limit]=1`,
      )
      const [{ transitions }] = JSON.parse(included.body).tickets.data
      assert.deepEqual(transitions, await byGraphql(desk.as(boss), 11))
    })

    test("after it was done comes with the answer", async () => {
      const answer = await rest(ada, `POST /tickets/${id(17)}/transitions/close`)
      assert.equal(answer.status, 404)
      const query = `mutation { startTicket(id: "${id(17)}") { ticket { transitions { name allowed } } } }`
      const { data } = JSON.parse((await desk.as(agent).graphql({ body: { query } })).body)
      assert.deepEqual(data.startTicket.ticket.transitions, [
        { name: "start", allowed: false },
        { name: "solve", allowed: false },
        { name: "reopen", allowed: false },
        { name: "close", allowed: false },
      ])
    })
  })

/** The one that decides: whoever may not is told nothing else. */
const refusal = (reasons: Possible["reasons"]): string =>
  reasons.some(({ code }) => code === "forbidden") ? "forbidden" : (reasons[0]?.code ?? "no reason")

/** What each face says to it, with something behind it that cannot be done, so that all of it is undone. */
async function attempted(service: OpenService, number: number, name: string): Promise<string[]> {
  const input = name === "solve" ? { answer: "x" } : undefined
  const query = `mutation { it: ${name}Ticket(id: "${id(number)}"${input ? ', input: { answer: "x" }' : ""}) { ticket { id } }
    then: ${name}Ticket(id: "${id(99)}"${input ? ', input: { answer: "x" }' : ""}) { ticket { id } } }`
  const { errors } = JSON.parse((await service.graphql({ body: { query } })).body)
  const [{ path, extensions }] = errors
  const batch = {
    requests: [
      { method: "POST", path: `/tickets/${id(number)}/transitions/${name}`, ...(input && { body: input }) },
      { method: "GET", path: `/tickets/${id(99)}` },
    ],
  }
  const { body } = await service.rest(readMessage(`POST /batch\n\n${JSON.stringify(batch)}`))
  const problem = JSON.parse(body)
  const [{ pointer }] = problem.errors
  return [
    path[0] === "then" ? "undone" : extensions.code,
    pointer.startsWith("/requests/1/") ? "undone" : problem.code,
  ]
}

test("what is possible is the same on either database", () => {
  const names = [...all.keys()].filter((name) => name.startsWith("sqlite"))
  assert.ok(names.length > 20)
  for (const name of names) assert.equal(all.get(name.replace("sqlite", "postgres")), all.get(name), name)
})
