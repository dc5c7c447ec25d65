// What HTTP has to say of transitions: bodies, tags, preferences, keys that make a request one, and batches.
import assert from "node:assert/strict"
import { after, before, describe, test } from "node:test"
import { cleanUp } from "../support/database.ts"
import { dialects } from "../support/open-service.ts"
import { readMessage } from "../support/spelling.ts"
import type { TextResponse } from "../support/text-face.ts"
import { agent, boss, type Desk, id, openDesk } from "./asking.ts"

for (const database of dialects)
  describe(`requests that fire transitions on ${database}`, () => {
    const hooks = cleanUp(after)
    let desk: Desk
    before(async () => {
      desk = await openDesk(hooks, database)
    })
    const ask = (message: string, words = agent): Promise<TextResponse> =>
      desk.as(words).rest(readMessage(message))
    const codeOf = ({ body }: TextResponse): string => JSON.parse(body).code
    const stateOf = async (number: number): Promise<string> =>
      JSON.parse((await ask(`GET /tickets/${id(number)}?fields=state`)).body).state

    test("the answer is the record with its tag, which a change takes", async () => {
      const { status, headers, body } = await ask(
        `POST /tickets/${id(11)}/transitions/start?include=assignee`,
      )
      assert.equal(status, 200)
      assert.equal(JSON.parse(body).assignee.name, "Bob")
      assert.equal(headers["cache-control"], "no-store")
      const tag = headers["etag"] ?? ""
      assert.match(tag, /^"2\./)
      const change = await ask(`PATCH /tickets/${id(11)}\nif-match: ${tag}\n\n{"title":"Other"}`)
      assert.equal(change.status, 200)
      const late = await ask(`POST /tickets/${id(11)}/transitions/close\nif-match: ${tag}`, boss)
      assert.equal(late.status, 412)
      assert.deepEqual(
        [codeOf(late), JSON.parse(late.body).errors[0].parameter],
        ["stale_version", "If-Match"],
      )
      const none = await ask(`POST /tickets/${id(11)}/transitions/close\nif-none-match: *`, boss)
      assert.equal(none.status, 412)
    })

    test("statuses are those of what is wrong", async () => {
      const fire = (number: number, name: string, words = agent, body = ""): Promise<TextResponse> =>
        ask(`POST /tickets/${id(number)}/transitions/${name}\n\n${body}`, words)
      const status = async (response: Promise<TextResponse>) => (await response).status
      assert.equal(await status(fire(12, "start")), 409)
      assert.equal(await status(fire(12, "solve", agent, '{"answer":"x"}')), 409)
      assert.equal(await status(fire(12, "close")), 403)
      assert.equal(await status(fire(12, "bill")), 403)
      assert.equal(await status(fire(99, "start")), 404)
      assert.equal(await status(fire(12, "start", "anyone")), 401)
      assert.equal(await status(fire(12, "solve", agent, '{"answer":""}')), 400)
    })

    test("what is wrong with the record is said of it, and of nothing in the request", async () => {
      const answer = '{"answer":"x"}'
      const unmet = await ask(`POST /tickets/${id(12)}/transitions/solve\n\n${answer}`)
      assert.deepEqual(JSON.parse(unmet.body).errors, [
        { code: "condition_not_met", detail: "A ticket is solved with a note that says how." },
      ])
      const argumentsOf = async (field: string) => {
        const query = `mutation { ${field} }`
        const { errors } = JSON.parse((await desk.as(agent).graphql({ body: { query } })).body)
        const [{ extensions, locations }] = errors
        const [{ argument, pointer }] = extensions.errors
        return [extensions.code, argument, pointer, query.slice(locations[0].column - 1).split(":")[0]]
      }
      const solve = (which: string) => argumentsOf(`solveTicket${which} { __typename }`)
      assert.deepEqual(await solve(`(input: { answer: "x" }, id: "${id(12)}")`), [
        "condition_not_met",
        "id",
        "",
        "id",
      ])
      assert.deepEqual(
        await solve(`s(input: { answer: "x" }, maxAffected: 1, where: { title: { eq: "Ticket 14" } })`),
        ["illegal_transition", "where", "", "where"],
      )
      assert.deepEqual(await solve(`s(input: { answer: "x" }, ids: ["${id(13)}", "${id(12)}"])`), [
        "condition_not_met",
        "ids",
        "/1",
        `"${id(12)}"])  { __typename } }`.replace("  ", " "),
      ])
    })

    test("a body is needed where something has to be given, and JSON if there is one", async () => {
      const solve = `POST /tickets/${id(13)}/transitions/solve`
      assert.deepEqual(JSON.parse((await ask(solve)).body).errors, [
        { code: "missing_field", detail: "`answer` must be given.", pointer: "/answer" },
      ])
      assert.equal((await ask(`${solve}\ncontent-type: text/plain\n\n{"answer":"x"}`)).status, 415)
      assert.equal(codeOf(await ask(`${solve}\n\n{"answer":`)), "malformed_request")
      assert.equal(codeOf(await ask(`${solve}\n\n{"answer":"x","answer":"y"}`)), "malformed_request")
      for (const body of ["null", "[]", '"x"', "7"])
        assert.equal(codeOf(await ask(`${solve}\n\n${body}`)), "invalid_value", body)
      const start = `POST /tickets/${id(13)}/transitions/start`
      assert.deepEqual(JSON.parse((await ask(`${start}\n\n{"answer":"x"}`)).body).errors, [
        {
          code: "unknown_field",
          detail: '`start` of a ticket takes no "answer".',
          hint: "It takes nothing.",
          pointer: "/answer",
        },
      ])
      assert.equal(await stateOf(13), "open")
      assert.equal((await ask(`${start}\n\n{}`)).status, 200)
    })

    test("what is preferred is heeded", async () => {
      const minimal = await ask(`POST /tickets/${id(14)}/transitions/reopen\nprefer: return=minimal`)
      assert.deepEqual([minimal.status, minimal.body], [204, ""])
      assert.deepEqual(
        [minimal.headers["etag"], minimal.headers["preference-applied"]],
        ['"2"', "return=minimal"],
      )
      const bulk = (more: string, query: string) =>
        ask(`POST /tickets/transitions/start?${query}\nprefer: ${more}`)
      const filter = `filter[title]=Ticket 14`
      const many = await bulk("max-affected=3", `${filter}&fields=state`)
      assert.equal(many.status, 200, many.body)
      assert.equal(many.headers["preference-applied"], "max-affected=3")
      assert.deepEqual(JSON.parse(many.body), {
        data: [{ id: `tic_${id(14)}`, state: "working" }],
        page: { next: null, prev: null, total: 1 },
      })
      const nobody = await bulk("return=minimal, max-affected=3", "filter[title]=nobody")
      assert.deepEqual([nobody.status, nobody.body], [204, ""])
      assert.equal(codeOf(await bulk("max-affected=1", "filter[title]=nobody&limit=3")), "unknown_parameter")
      assert.equal(codeOf(await bulk("x", `ids=${id(14)}&${filter}`)), "invalid_value")
      assert.equal(codeOf(await bulk("x", `ids=${id(14)}&ids[]=${id(15)}`)), "invalid_value")
      assert.equal(codeOf(await bulk("x", "")), "missing_field")
      for (const names of [["ids"], ["ids", "ids"], ["ids[]", "ids[]"], ["ids[0]", "ids[1]"]] as const) {
        const [name, other] = names
        const second = other === undefined ? "," : `&${other}=`
        const one = await bulk("x", `${name}=${id(14)}${second}tic_${id(16)}`)
        assert.equal(one.status, 409)
        assert.match(JSON.parse(one.body).detail, /^0+14: .*working\.$/)
        assert.equal(JSON.parse(one.body).errors[0].parameter, name)
      }
      assert.equal(await stateOf(16), "open")
    })

    test("what has a key is done once", async () => {
      const message = `POST /tickets/${id(16)}/transitions/start\nidempotency-key: one`
      const first = await ask(message)
      const again = await ask(message)
      assert.equal(first.status, 200)
      assert.deepEqual([again.status, again.body], [first.status, first.body])
      assert.equal(again.headers["idempotency-replayed"], "true")
      const other = await ask(`POST /tickets/${id(16)}/transitions/close\nidempotency-key: one`, agent)
      assert.equal(codeOf(other), "idempotency_mismatch")
      const without = await ask(`POST /tickets/${id(16)}/transitions/start`)
      assert.equal(without.status, 409)
    })

    test("a batch makes a record and sees it through, or nothing of it", async () => {
      const made = { title: "New", reporterId: id(1), notes: { create: [{ text: "Because." }] } }
      const batch = (last: object) =>
        ask(
          `POST /batch\n\n${JSON.stringify({
            requests: [
              { id: "t", method: "POST", path: "/tickets?fields=state", body: made },
              { method: "POST", path: "/tickets/$t.id/transitions/start?fields=state" },
              { method: "GET", path: "/tickets/$t.id/transitions" },
              { method: "POST", path: "/tickets/$t.id/transitions/solve?fields=state", ...last },
            ],
          })}`,
        )
      const count = async () => JSON.parse((await ask("GET /tickets?total=true&limit=0")).body).page.total
      const before = await count()
      const refused = await batch({ body: { answer: 7 } })
      assert.equal(refused.status, 400)
      assert.equal(JSON.parse(refused.body).errors[0].pointer, "/requests/3/body/answer")
      const late = await batch({ body: { answer: "x" }, headers: { "if-match": '"1"' } })
      assert.equal(late.status, 412)
      assert.equal(await count(), before)
      const { status, body } = await batch({ body: { answer: "x" } })
      assert.equal(status, 200, body)
      const { responses } = JSON.parse(body)
      assert.deepEqual(
        responses.map((each: { status: number; body: { state?: string } }) => [each.status, each.body.state]),
        [
          [201, "open"],
          [200, "working"],
          [200, undefined],
          [200, "solved"],
        ],
      )
      assert.deepEqual(Object.keys(responses[2].body), ["data"])
      assert.deepEqual(responses[2].headers, {})
      assert.equal(await count(), before + 1)
    })

    test("what is possible has no tag and is not kept, HEAD included", async () => {
      const path = `/tickets/${id(11)}/transitions`
      const { status, headers, body } = await ask(`GET ${path}`)
      assert.equal(status, 200)
      assert.equal(headers["etag"], undefined)
      assert.equal(headers["cache-control"], "no-store")
      assert.deepEqual(await ask(`HEAD ${path}`), { status, headers, body })
      assert.equal(headers["content-length"], String(Buffer.byteLength(body)))
      assert.equal((await ask(`GET ${path}\naccept: text/csv`)).status, 406)
      assert.equal((await ask(`GET /tickets/nothing/transitions`)).status, 404)
      assert.equal((await ask(`GET /tickets/${id(99)}/transitions`)).status, 404)
    })

    test("what is unknown in a document is told by the schema", async () => {
      const graphql = async (query: string) =>
        JSON.parse((await desk.as(agent).graphql({ body: { query } })).body)
      for (const query of [
        `mutation { solvTicket(id: 1) { ticket { id } } }`,
        `mutation { startTicket(id: 1, input: {}) { ticket { id } } }`,
        `mutation { solveTicket(id: 1) { ticket { id } } }`,
        `mutation { solveTicket(id: 1, input: { answer: 7 }) { ticket { id } } }`,
        `mutation { billTicket(id: 1) { ticket { id } } }`,
        "{ tickets { nodes { transitions { from } } } }",
        "{ tickets { nodes { transitions } } }",
      ]) {
        const { data, errors } = await graphql(query)
        assert.equal(data, null, query)
        assert.equal(errors[0].extensions.code, "invalid_document", query)
      }
      const { errors } = await graphql(`mutation { startTicket(id: "${id(99)}") { ticket { id } } }`)
      assert.equal(errors[0].extensions.code, "not_found")
      assert.deepEqual(errors[0].extensions.errors[0].argument, "id")
      const both = await graphql(
        `mutation { startTickets(ids: [1], where: { title: { eq: "x" } }) { affected } }`,
      )
      assert.equal(both.errors[0].extensions.code, "invalid_value")
    })
  })
