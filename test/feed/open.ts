// A server of the notes for a test, as `serve` has it, on a database of its own; more of them share it.

import { join } from "node:path"
import { actorFromText } from "../../src/access/identity/actor-text.ts"
import { createIdentify } from "../../src/access/identity/identify.ts"
import { refusal } from "../../src/base/problem.ts"
import { startHandlers } from "../../src/events/handlers/runner.ts"
import { createWebhooks, type WebhooksOptions } from "../../src/events/webhooks/webhooks.ts"
import { load } from "../../src/model/load.ts"
import type { Model } from "../../src/model/model.ts"
import { withSystem } from "../../src/model/system/with-system.ts"
import type { Actor } from "../../src/plan/access/actor.ts"
import type { Observation } from "../../src/server/observation.ts"
import { createServer, type ServerOptions } from "../../src/server/server.ts"
import { createFaces, type ServiceOptions } from "../../src/server/service.ts"
import { postgres } from "../../src/sql/dialects/postgres.ts"
import { sqlite } from "../../src/sql/dialects/sqlite.ts"
import { createSchema } from "../../src/sql/schema/schema.ts"
import { setUp } from "../../src/storage/migration/set-up.ts"
import { openStorage } from "../../src/storage/open.ts"
import { type Hooks, temporaryFolder, temporaryPostgres } from "../support/database.ts"
import type { Database } from "../support/open-service.ts"
import { notes } from "./notes.ts"

export { type Frame, openStream, type Stream, until } from "./stream.ts"

export interface FeedServer {
  readonly url: string
  readonly observed: readonly Observation[]
  /**
   * Resources as some actor: the text of `Authorization` is `Bearer` and the actor's text, until it is revoked. The
   * name of the credential and its tier may come after it: `role:staff~x1~small`.
   */
  readonly revoke: (actor: string) => void
  /** From now on the first text means the second actor. */
  readonly become: (actor: string, other: string) => void
  send(method: string, path: string, actor: string, body?: unknown): Promise<Sent>
  /** Removes all of the log but its last row. */
  forget(): Promise<void>
  end(): Promise<void>
}

interface Sent {
  readonly status: number
  readonly body: { readonly id: string } & Readonly<Record<string, unknown>>
}

export async function openDatabase(
  hooks: Hooks,
  database: Database,
  model: Model = load(withSystem(notes)),
): Promise<string> {
  const url =
    database === "sqlite"
      ? join(await temporaryFolder(hooks), "notes.sqlite")
      : await temporaryPostgres(hooks)
  const tables = createSchema(model, database === "sqlite" ? sqlite : postgres)
  await setUp(
    url,
    tables.map((text) => ({ text, parameters: [] })),
  )
  return url
}

export async function openServer(
  hooks: Hooks,
  url: string,
  model: Model = load(withSystem(notes)),
  {
    fresh,
    look,
    drift,
    ...webhookOptions
  }: Partial<WebhooksOptions & Pick<ServiceOptions, "fresh" | "look" | "drift">> = {},
  more: Partial<ServerOptions> = {},
): Promise<FeedServer> {
  const observed: Observation[] = []
  const storage = await openStorage(url, { writes: "unsafe" })
  const secret = "a secret of the tests"
  const faces = createFaces({
    model,
    storage,
    secret,
    base: "",
    ...(fresh && { fresh }),
    ...(look !== undefined && { look }),
    ...(drift && { drift }),
  })
  const { log } = storage
  const { answer, handleFor } = faces
  const webhooks =
    model.webhooks &&
    log &&
    createWebhooks({ model, declared: model, open: false, log, answer, handleFor, secret, ...webhookOptions })
  const handlers =
    webhooks &&
    (await startHandlers({
      model,
      open: false,
      storage,
      handleFor,
      answer,
      tell: (observation) => void observed.push(observation),
      subscribers: webhooks,
      ...(faces.schema && { schema: faces.schema }),
      ...(webhookOptions.elapsed && { now: webhookOptions.now, elapsed: webhookOptions.elapsed }),
    }))
  if (handlers) faces.watch(() => handlers.wake())
  const revoked = new Set<string>()
  const meanings = new Map<string, string>()
  const nobody = createIdentify({ model, answer: faces.answer, writes: false })
  const identify = ({
    authorization,
  }: Readonly<Record<string, string | undefined>>): Actor | Promise<Actor> => {
    if (authorization === undefined) return nobody({})
    const given = authorization.replace("Bearer ", "")
    const text = meanings.get(given) ?? given
    if (revoked.has(text)) throw refusal("invalid_credentials", "These credentials are not accepted.")
    const [who = "", name, tier] = text.split("~")
    const named = { ...(name !== undefined && { name }), ...(tier !== undefined && { tier }) }
    return { ...actorFromText(model, who), ...named }
  }
  const server = await createServer({
    ...faces,
    identify,
    base: "",
    cors: [],
    bodyLimit: 1_000_000,
    loopbackOnly: true,
    observe: (observation) => observed.push(observation),
    host: "127.0.0.1",
    port: 0,
    ...more,
  })
  let ended: Promise<void> | undefined
  const end = async (): Promise<void> => {
    faces.endStreams()
    await server.close()
    await handlers?.close()
    await webhooks?.close()
    await storage.close()
  }
  const once = (): Promise<void> => (ended ??= end())
  hooks.after(once)
  return {
    url: server.url,
    observed,
    revoke: (actor) => void revoked.add(actor),
    become: (actor, other) => void meanings.set(actor, other),
    async send(method, path, actor, body) {
      const answer = await fetch(`${server.url}${path}`, {
        method,
        headers: { authorization: `Bearer ${actor}`, "content-type": "application/json" },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const text = await answer.text()
      return { status: answer.status, body: text === "" ? null : JSON.parse(text) }
    },
    async forget() {
      while (await storage.log?.forget({ before: "9999-01-01T00:00:00.000000Z" }, 1_000));
    },
    end: once,
  }
}
