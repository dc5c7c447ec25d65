// The shop as `serve` has it, on a database of its own or on that of another process.

import { actorFromText } from "../../src/access/identity/actor-text.ts"
import type { Telemetry } from "../../src/base/telemetry.ts"
import type { ClientTraces } from "../../src/base/tracing.ts"
import { load } from "../../src/model/load.ts"
import { withSystem } from "../../src/model/system/with-system.ts"
import type { Observation, Observe } from "../../src/server/observation.ts"
import { createServer, type RunningServer } from "../../src/server/server.ts"
import { type AssembledService, assembleService } from "../../src/service/assemble-service.ts"
import type { LogRow } from "../../src/storage/log-types.ts"
import { openStorage } from "../../src/storage/open.ts"
import type { Storage } from "../../src/storage/storage.ts"
import { openDatabase } from "../feed/open.ts"
import type { Hooks } from "../support/database.ts"
import type { Database } from "../support/open-service.ts"
import { shop } from "./shop.ts"

export const model = load(withSystem(shop))

export interface TracedShop {
  readonly url: string
  /** Its database. */
  readonly address: string
  readonly observed: readonly Observation[]
  send(
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Sent>
  rows(): Promise<readonly LogRow[]>
  /** For metrics. */
  readonly storage: Storage
  readonly use: RunningServer["use"]
  readonly followed: AssembledService["followed"]
}

interface Sent {
  readonly status: number
  readonly body: Readonly<Record<string, never>>
}

interface Watching {
  readonly telemetry?: Telemetry
  readonly observe?: Observe
  /** Those of clients are joined when absent. */
  readonly clientTraces?: ClientTraces
  /** The address of a sink; none when absent. */
  readonly nats?: string
}

export async function openShop(
  hooks: Hooks,
  database: Database,
  { telemetry, observe: tell, clientTraces = "join", nats }: Watching = {},
): Promise<TracedShop> {
  const address = await openDatabase(hooks, database, model)
  const observed: Observation[] = []
  const observe = (one: Observation): void => {
    observed.push(one)
    tell?.(one)
  }
  const service = await assembleService({
    model,
    access: { kind: "rules", nobody: actorFromText(model, "role:staff") },
    database: address,
    secret: "a secret of the tests",
    base: "",
    acceptDataLoss: true,
    singleFlight: true,
    sink: nats === undefined ? {} : { nats },
    limitsStore: "memory",
    limitsDown: "open",
    clientTraces,
    observe,
    telemetry,
  })
  const { faces, identify, counting } = service
  const server = await createServer({
    ...faces,
    identify,
    counting,
    base: "",
    cors: [],
    bodyLimit: 1_000_000,
    loopbackOnly: true,
    observe,
    host: "127.0.0.1",
    port: 0,
  })
  service.closeFirst(() => server.close())
  hooks.after(() => service.close())
  return {
    url: server.url,
    address,
    observed,
    storage: service.storage,
    use: server.use,
    followed: service.followed,
    async send(method, path, body, headers = {}) {
      const answer = await fetch(`${server.url}${path}`, {
        method,
        headers: { "content-type": "application/json", ...headers },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const text = await answer.text()
      return { status: answer.status, body: text === "" ? {} : JSON.parse(text) }
    },
    async rows() {
      const storage = await openStorage(address, { writes: "unsafe" })
      try {
        return (await storage.log?.read(0n, 10_000)) ?? []
      } finally {
        await storage.close()
      }
    },
  }
}
