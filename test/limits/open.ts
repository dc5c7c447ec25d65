// A service with limits over time behind a real server: callers are named by a header, as if they had signed in.
import { join } from "node:path"
import type { Budget } from "../../src/access/limits/budget.ts"
import { memoryBudget } from "../../src/access/limits/budget.ts"
import { anyone, f, many, one, resource, service, signedIn } from "../../src/index.ts"
import type { LimitsDeclaration } from "../../src/model/declaration/declaration.ts"
import { load } from "../../src/model/load.ts"
import type { Model } from "../../src/model/model.ts"
import { actorOf, strangerTo } from "../../src/plan/access/actor.ts"
import type { Observation } from "../../src/server/observation.ts"
import { createServer, type ServerOptions } from "../../src/server/server.ts"
import { createFaces } from "../../src/server/service.ts"
import { postgres } from "../../src/sql/dialects/postgres.ts"
import { sqlite } from "../../src/sql/dialects/sqlite.ts"
import { createSchema } from "../../src/sql/schema/schema.ts"
import { insertRecords, type Row } from "../../src/sql/write/insert.ts"
import { setUp } from "../../src/storage/migration/set-up.ts"
import { openStorage } from "../../src/storage/open.ts"
import { type Hooks, temporaryFolder, temporaryPostgres } from "../support/database.ts"

export const counted = (limits: LimitsDeclaration) =>
  service({
    name: "counted",
    viewer: "person",
    roles: ["staff"],
    limits,
    resources: {
      person: resource({
        key: { column: "id", type: "integer" },
        fields: { name: f.text() },
        relations: { things: many("thing", { by: "owner" }) },
        allow: { read: anyone },
      }),
      thing: resource({
        key: { column: "id", type: "integer" },
        fields: { name: f.text({ max: 40 }) },
        relations: { owner: one("person") },
        allow: { read: anyone, create: signedIn, update: signedIn, delete: signedIn },
      }),
    },
  })

const people = ["Ada", "Zoë"].map((name, index): Row => ({ id: index + 1, name }))
const things = ["one", "two", "three"].map(
  (name, index): Row => ({ id: index + 1, name, ownerId: index < 2 ? 1 : 2 }),
)

export interface Counted {
  readonly url: string
  readonly model: Model
  readonly observed: readonly Observation[]
  get(path: string, as?: string, headers?: Readonly<Record<string, string>>): Promise<Answered>
  ask(query: string, as?: string, headers?: Readonly<Record<string, string>>): Promise<Answered>
  send(method: string, path: string, body: unknown, as?: string): Promise<Answered>
}

export interface Answered {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: JSON of any form
  readonly body: any
  readonly headers: Headers
  /** Of the header `Cost`. */
  readonly cost: { readonly requested: number; readonly used: number } | undefined
  /** Of the header `RateLimit`. */
  readonly remaining: number | undefined
}

interface Options extends Partial<ServerOptions> {
  readonly database?: "sqlite" | "postgres"
  readonly budget?: Budget
  readonly whenDown?: "open" | "closed"
  readonly now?: () => number
}

/** Callers: `name`, or `name/tier`, of the person 1. */
export async function openCounted(
  hooks: Hooks,
  limits: LimitsDeclaration,
  { database = "sqlite", budget = memoryBudget(), whenDown = "open", now, ...options }: Options = {},
): Promise<Counted> {
  const model = load(counted(limits))
  const dialect = database === "sqlite" ? sqlite : postgres
  const address =
    database === "sqlite" ? join(await temporaryFolder(hooks), "counted.db") : await temporaryPostgres(hooks)
  const tables = createSchema(model, dialect).map((text) => ({ text, parameters: [] }))
  const records = new Map([
    ["person", people],
    ["thing", things],
  ])
  await setUp(address, [...tables, ...insertRecords(model, dialect, { records, links: [] })])
  const storage = await openStorage(address, { writes: "unsafe" })
  hooks.after(() => storage.close())
  const observed: Observation[] = []
  const stranger = strangerTo(model)
  const server = await createServer({
    ...createFaces({ model, storage, base: "", secret: "a secret of the tests" }),
    identify({ authorization }) {
      if (authorization === undefined) return stranger
      const [name = "", tier] = authorization.split("/")
      const actor = actorOf(model, {
        name,
        viewer: "person_1",
        roles: [],
        scopes: [],
        ...(tier !== undefined && { tier }),
      })
      if (!actor) throw new Error("a person signs in")
      return actor
    },
    base: "",
    cors: [],
    bodyLimit: 1024 * 1024,
    loopbackOnly: false,
    bundling: 0,
    observe: (observation) => void observed.push(observation),
    host: "127.0.0.1",
    port: 0,
    counting: { limits: model.limits, budget, whenDown, ...(now && { now }) },
    ...options,
  })
  hooks.after(() => server.close())
  const request = async (
    method: string,
    path: string,
    given: {
      readonly body?: unknown
      readonly as?: string | undefined
      readonly headers?: Readonly<Record<string, string>> | undefined
    },
  ): Promise<Answered> => {
    const response = await fetch(`${server.url}${path}`, {
      method,
      headers: {
        ...(given.body !== undefined && { "content-type": "application/json" }),
        ...(given.as !== undefined && { authorization: given.as }),
        ...given.headers,
      },
      ...(given.body !== undefined && { body: JSON.stringify(given.body) }),
    })
    const text = await response.text()
    const [, requested, used] = /^requested=(\d+), used=(\d+)$/.exec(response.headers.get("cost") ?? "") ?? []
    const [, remaining] = /^"points";r=(\d+);t=\d+$/.exec(response.headers.get("ratelimit") ?? "") ?? []
    return {
      status: response.status,
      body: text === "" ? undefined : JSON.parse(text),
      headers: response.headers,
      cost: requested === undefined ? undefined : { requested: Number(requested), used: Number(used) },
      remaining: remaining === undefined ? undefined : Number(remaining),
    }
  }
  return {
    url: server.url,
    model,
    observed,
    get: (path, as, headers) => request("GET", path, { as, headers }),
    ask: (query, as, headers) => request("POST", "/graphql", { body: { query }, as, headers }),
    send: (method, path, body, as) => request(method, path, { body, as }),
  }
}
