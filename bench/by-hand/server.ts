// A server written by hand for the benchmark's questions: node:http, one statement per request whose result is the body.
// The server has no limits or checks, and one rule at most: a yardstick for a product, not a product.
import { once } from "node:events"
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { readLiterals, templateOf } from "../literals.ts"
import { type FaceName, workloads } from "../workloads.ts"
import { type Given, type HandStatement, type Spellings, statementsFor } from "./statements.ts"
import { fullWire, type Wire } from "./wire.ts"

/** Runs one prepared statement; nothing is found when there is no such record. */
export type Ask = (given: Given, answer: (body: string | Uint8Array | undefined) => void) => void

export interface HandDatabase {
  readonly spellings: Spellings
  /** How many statements have been sent. */
  readonly sent: number
  prepare(statement: HandStatement): Promise<Ask>
  close(): Promise<void>
}

export interface HandServer {
  readonly url: string
  close(): Promise<void>
}

export interface HandOptions {
  /** Whose records there are alone; everybody's when absent. */
  readonly label?: number
  /** Answers carry the same headers as Bifold's. */
  readonly full?: boolean
}

export async function startHandServer(
  face: FaceName,
  database: HandDatabase,
  { label, full = false }: HandOptions = {},
): Promise<HandServer> {
  const asks = await Promise.all(
    statementsFor(face, database.spellings, label).map(
      async (statement) => [statement, await database.prepare(statement)] as const,
    ),
  )
  const answer = answerBy(full ? fullWire(face, label !== undefined) : undefined)
  const server = createServer(face === "graphql" ? graphqlListener(asks, answer) : restListener(asks, answer))
  await once(server.listen(0, "127.0.0.1"), "listening")
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await database.close()
    },
  }
}

type Asks = readonly (readonly [HandStatement, Ask])[]

/** The statement is found by the document's text, or by what stands in it around its values. */
function graphqlListener(asks: Asks, answer: Answer): RequestListener {
  const known = new Map(asks.map(([{ name }, ask]) => [workloads[name].document, ask]))
  const templates = asks.map(([{ name }, ask]) => [templateOf(workloads[name].document), ask] as const)
  const find = (query: string, variables: Given | undefined): readonly [Ask, Given] | undefined => {
    const ask = variables && known.get(query)
    if (ask) return [ask, variables]
    for (const [template, other] of templates) {
      const given = readLiterals(template, query)
      if (given) return [other, given]
    }
    return undefined
  }
  return (request, response) => {
    readBody(request, (text) => {
      const { query, variables } = JSON.parse(text) as { query: string; variables?: Given }
      const found = find(query, variables)
      if (!found) return answer(response, 400, '{"errors":[{"message":"unknown document"}]}')
      const [ask, given] = found
      ask(given, (body) => answer(response, 200, body ?? '{"data":{"track":null}}'))
    })
  }
}

function readBody(request: IncomingMessage, done: (text: string) => void): void {
  let first: Buffer | undefined
  const rest: Buffer[] = []
  request.on("data", (chunk: Buffer) => {
    if (first) rest.push(chunk)
    else first = chunk
  })
  request.on("end", () => {
    if (!first) return done("{}")
    done(rest.length === 0 ? first.toString() : Buffer.concat([first, ...rest]).toString())
  })
}

/** The statement is found by the path and the parameters that never change, which stand before those that do. */
function restListener(asks: Asks, answer: Answer): RequestListener {
  const known = new Map<string, Ask>()
  for (const [{ name }, ask] of asks) {
    const { method = "GET", path, parameters } = workloads[name].rest
    known.set(`${method} ${path}?${new URLSearchParams(parameters)}`, ask)
  }
  return (request, response) => {
    const { method, url = "" } = request
    if (method !== "GET")
      return readBody(request, (text) => {
        const { shape, given } = method === "PATCH" ? readTarget(url) : { shape: url, given: {} }
        const ask = known.get(`${method} ${shape}`)
        if (!ask) return answer(response, 404, '{"title":"There is no such thing."}')
        ask({ ...given, input: JSON.parse(text) as NonNullable<Given["input"]> }, (body) =>
          body === undefined
            ? answer(response, 409, '{"title":"It was not written."}')
            : answer(response, method === "POST" ? 201 : 200, body),
        )
      })
    const { shape, given } = readTarget(url)
    const ask = known.get(`GET ${shape}`)
    if (!ask) return answer(response, 404, '{"title":"There is no such thing."}')
    ask(given, (body) =>
      answer(response, body === undefined ? 404 : 200, body ?? '{"title":"No such record."}'),
    )
  }
}

const genreMark = "&filter%5BgenreId%5D="
const afterMark = "&after="

function readTarget(url: string): { readonly shape: string; readonly given: Given } {
  const after = url.indexOf(afterMark)
  if (after < 0) {
    const [from, to] = [url.indexOf("/", 1), url.indexOf("?")]
    return { shape: url.slice(0, from) + url.slice(to), given: { id: url.slice(from + 1, to) } }
  }
  const position = url.slice(after + afterMark.length)
  const genre = url.indexOf(genreMark)
  if (genre < 0) return { shape: url.slice(0, after), given: { after: position } }
  const filter = url.slice(genre + genreMark.length, after)
  return { shape: url.slice(0, genre), given: { genre: filter, after: position } }
}

type Answer = (response: ServerResponse, status: number, body: string | Uint8Array) => void

/** @param wire adds headers */
const answerBy =
  (wire: Wire | undefined): Answer =>
  (response, status, body) => {
    const type = "application/json; charset=utf-8"
    const length = Buffer.byteLength(body)
    if (wire)
      response.writeHead(status, [
        "content-type",
        type,
        "content-length",
        String(length),
        ...wire(response.req, body),
      ])
    else response.writeHead(status, { "content-type": type, "content-length": length })
    response.end(body)
  }
