// A service whose callers have roles, scopes and tiers, and make keys and endpoints with them; keys that it makes sign in.
import { randomUUID } from "node:crypto"
import { anyone, f, load, one, resource, role, scope, service, signedIn, viewer } from "bifold"
import { createIdentify } from "../../src/access/identity/identify.ts"
import type { Model } from "../../src/model/model.ts"
import { withSystem } from "../../src/model/system/with-system.ts"
import { actorOf, type Credentials } from "../../src/plan/access/actor.ts"
import { createServer } from "../../src/server/server.ts"
import { createFaces } from "../../src/server/service.ts"
import { openStorage } from "../../src/storage/open.ts"
import { openDatabase } from "../feed/open.ts"
import type { Hooks } from "../support/database.ts"
import type { Database } from "../support/open-service.ts"

const managed = load(
  withSystem(
    service({
      name: "shop",
      roles: ["admin", "support", "staff", "warehouse"],
      scopes: ["reports", "orders"],
      viewer: "person",
      limits: {
        cost: { perMinute: 100_000 },
        tiers: { trial: { perMinute: 1_000 }, pro: { perMinute: 1_000_000 } },
      },
      versions: { "2026-06-01": [{ renamed: "memo.body", to: "text" }], "2026-01-01": [] },
      identity: {
        keys: {
          manage: [
            role("admin"),
            role("support"),
            role("staff"),
            { owner: { boss: { id: { eq: viewer.id } } } },
          ],
          grant: { warehouse: role("staff"), orders: [role("staff"), scope("orders")] },
          expires: "90 days",
        },
      },
      webhooks: {
        manage: [role("admin"), role("support")],
        grant: { warehouse: role("support") },
        expires: "90 days",
      },
      resources: {
        person: resource({
          id: "per",
          fields: { name: f.text() },
          relations: { boss: one("person", { optional: true }) },
          allow: { read: signedIn, create: anyone },
        }),
        memo: resource({
          id: "mem",
          fields: { text: f.text() },
          history: true,
          allow: { read: [role("admin"), scope("reports")], create: role("admin") },
        }),
      },
    }),
  ),
)

export type Caller = Partial<Pick<Credentials, "roles" | "scopes" | "tier" | "viewer">>

interface Answer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>> & { readonly id: string; readonly secret: string }
  /** Codes and texts of what is refused. */
  readonly refused: string
}

export interface Managed {
  /** @param caller claims, or a key that the service has made */
  rest(
    caller: Caller | string,
    method: string,
    path: string,
    body?: unknown,
    headers?: object,
  ): Promise<Answer>
  graphql(caller: Caller | string, query: string, variables?: object): Promise<Answer>
}

export async function openManaged(
  hooks: Hooks,
  database: Database,
  model: Model = managed,
): Promise<Managed> {
  const storage = await openStorage(await openDatabase(hooks, database, model), { writes: "unsafe" })
  hooks.after(() => storage.close())
  const faces = createFaces({ model, storage, secret: "a secret of the tests", base: "" })
  const byKey = createIdentify({ model, answer: faces.answer, writes: true, lifetimes: { keys: 0 } })
  const callers = new Map<string, Caller>()
  const server = await createServer({
    ...faces,
    identify: (headers) => {
      const caller = callers.get(headers["authorization"] ?? "")
      if (!caller) return byKey(headers)
      const actor = actorOf(model, { name: JSON.stringify(caller), roles: [], scopes: [], ...caller })
      return actor ?? byKey({})
    },
    base: "",
    cors: [],
    bodyLimit: 1_000_000,
    loopbackOnly: true,
    observe: () => {},
    host: "127.0.0.1",
    port: 0,
  })
  hooks.after(() => server.close())
  const authorized = (caller: Caller | string): string => {
    if (typeof caller === "string") return `Bearer ${caller}`
    const credential = `Bearer ${randomUUID()}`
    callers.set(credential, caller)
    return credential
  }
  const rest: Managed["rest"] = async (caller, method, path, body, headers = {}) => {
    const answer = await fetch(`${server.url}${path}`, {
      method,
      headers: { authorization: authorized(caller), "content-type": "application/json", ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    const read = text === "" ? {} : JSON.parse(text)
    return { status: answer.status, body: read, refused: refusedIn(read) }
  }
  return {
    rest,
    graphql: (caller, query, variables) => rest(caller, "POST", "/graphql", { query, variables }),
  }
}

interface Told {
  readonly code?: string
  readonly detail?: string
  readonly message?: string
  readonly extensions?: { readonly errors?: readonly Told[]; readonly code?: string }
}

const refusedIn = ({ errors = [] }: { readonly errors?: readonly Told[] }): string =>
  errors
    .flatMap((one) => one.extensions?.errors ?? one)
    .map(({ code, detail, message }) => `${code} ${detail ?? message}`)
    .join("; ")
