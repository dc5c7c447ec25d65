// Requests that arrive on one connection without waiting for answers: in their order where one of them writes.
import assert from "node:assert/strict"
import { describe, it } from "node:test"
import { type Hooks, temporaryPostgres } from "../support/database.ts"
import { dialects } from "../support/open-service.ts"
import { exchange, type Library, openLibrary } from "./open.ts"

const open = async (hooks: Hooks, database: (typeof dialects)[number]): Promise<Library> => {
  const address = database === "sqlite" ? undefined : await temporaryPostgres(hooks)
  return openLibrary(hooks, {}, address, { writes: "unsafe" })
}

function message(method: string, path: string, body?: object, more = ""): string {
  const text = body === undefined ? "" : JSON.stringify(body)
  const about = body ? `Content-Type: application/json\r\nContent-Length: ${text.length}\r\n` : ""
  return `${method} ${path} HTTP/1.1\r\nHost: localhost\r\n${about}${more}\r\n${text}`
}
const last = "Connection: close\r\n"
const read = (more = ""): string => message("GET", "/authors/1?fields=name", undefined, more)
const rename = (name: string): string => message("PATCH", "/authors/1?fields=name", { name })

/** The names that the answers tell, in their order. */
const namesIn = (received: string): readonly string[] =>
  [...received.matchAll(/"name":"([^"]*)"/g)].map(([, name = ""]) => name)

for (const database of dialects)
  describe(`requests that arrive together on ${database}`, () => {
    it("read what those before them wrote, and not what those after them write", async (test) => {
      const { port } = await open(test, database)
      const sent = Array.from({ length: 20 }, (_, index) => `${read()}${rename(`n${index}`)}${read()}`)
      const received = await exchange(port, `${sent.join("")}${read(last)}`)
      const names = Array.from({ length: 20 }, (_, index) => [
        index === 0 ? "Ada" : `n${index - 1}`,
        `n${index}`,
        `n${index}`,
      ])
      assert.deepEqual(namesIn(received), [...names.flat(), "n19"])
    })

    it("do so by either face", async (test) => {
      const { port } = await open(test, database)
      const query = 'mutation { updateAuthor(id: "1", input: { name: "Eve" }) { author { name } } }'
      const ask = message("POST", "/graphql", { query: "{ author(id: 1) { name } }" })
      const sent = [ask, message("POST", "/graphql", { query }), ask, read(last)]
      assert.deepEqual(namesIn(await exchange(port, sent.join(""))), ["Ada", "Eve", "Eve", "Eve"])
    })
  })

describe("requests that arrive together", () => {
  it("are done at the same time when all are safe", async (test) => {
    const under: string[] = []
    let most = 0
    let besideWrites = 0
    const { port } = await openLibrary(test, {
      facesFor: () => {
        const face = async ({ method }: { readonly method: string }) => {
          under.push(method)
          most = Math.max(most, under.length)
          if (under.includes("DELETE")) besideWrites = Math.max(besideWrites, under.length - 1)
          await new Promise((resolve) => setTimeout(resolve, 20))
          under.splice(under.indexOf(method), 1)
          return { status: 204, headers: {}, body: "" }
        }
        return { graphql: face, rest: face }
      },
    })
    await exchange(port, `${read()}${read()}${read(last)}`)
    assert.equal(most, 3)
    most = 0
    await exchange(port, `${read()}${message("DELETE", "/authors/1")}${read()}${read(last)}`)
    assert.equal(besideWrites, 0)
    // Those that follow it.
    assert.equal(most, 2)
  })

  it("are not done when the connection ends before their turn", async (test) => {
    const done: string[] = []
    const { port } = await openLibrary(test, {
      facesFor: () => {
        const face = async ({ method }: { readonly method: string }) => {
          done.push(method)
          await new Promise((resolve) => setTimeout(resolve, 20))
          return { status: 204, headers: { connection: "close" }, body: "" }
        }
        return { graphql: face, rest: face }
      },
    })
    await exchange(
      port,
      `${message("DELETE", "/authors/1")}${message("DELETE", "/authors/2", undefined, last)}`,
    )
    assert.deepEqual(done, ["DELETE"])
  })
})
