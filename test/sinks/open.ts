// A service whose events go to a broker, in this process: a database, what follows the log, and a sink.

import { actorFromText } from "../../src/access/identity/actor-text.ts"
import { startHandlers } from "../../src/events/handlers/runner.ts"
import { createJetStream, loadNats, type NatsCredentials, type NatsTls } from "../../src/events/sinks/nats.ts"
import { readNatsAddress } from "../../src/events/sinks/nats-broker.ts"
import type { SinkObservation } from "../../src/events/sinks/sink.ts"
import { createSink } from "../../src/events/sinks/sink.ts"
import { load } from "../../src/model/load.ts"
import type { Model } from "../../src/model/model.ts"
import { withSystem } from "../../src/model/system/with-system.ts"
import { createFaces } from "../../src/server/service.ts"
import { openStorage } from "../../src/storage/open.ts"
import { notes } from "../feed/notes.ts"
import { openDatabase } from "../feed/open.ts"
import type { Hooks } from "../support/database.ts"
import { createFaceClient } from "../support/face-client.ts"
import type { Database } from "../support/open-service.ts"

export interface SinkService {
  /** What was told of the sink, in words of the test. */
  readonly told: readonly string[]
  /** Throws where it is refused. */
  write(method: string, path: string, body?: object): Promise<string>
  close(): Promise<void>
}

interface Given {
  readonly address: string
  readonly credentials?: NatsCredentials & NatsTls
  readonly stream?: string
  readonly database?: Database
  readonly model?: Model
}

export async function openSinkService(
  hooks: Hooks,
  {
    address,
    credentials = {},
    stream = "notes",
    database = "sqlite",
    model = load(withSystem(notes)),
  }: Given,
): Promise<SinkService> {
  const secret = "a secret of the tests"
  const storage = await openStorage(await openDatabase(hooks, database, model), { writes: "unsafe" })
  const { facesFor, handleFor, answer, watch } = createFaces({ model, storage, secret, base: "" })
  const told: string[] = []
  const { shown, ...at } = readNatsAddress(address, credentials)
  const sink = createSink({
    model,
    secret,
    name: "nats",
    stream,
    shown,
    broker: createJetStream(await loadNats(), {
      address: { shown, ...at },
      stream,
      prefix: "notes",
      name: model.name,
    }),
    tell: (one) => void told.push(textOf(one)),
  })
  const handlers = await startHandlers({
    model,
    open: false,
    storage,
    handleFor,
    answer,
    tell: () => {},
    subscribers: sink,
  })
  watch(() => handlers.wake())
  const client = createFaceClient({
    actor: actorFromText(model, "role:staff"),
    facesFor,
    nextRequestId: () => "test",
  })
  let closed: Promise<void> | undefined
  const end = async (): Promise<void> => {
    sink.release()
    await handlers.close()
    await sink.close()
    await storage.close()
  }
  const close = (): Promise<void> => (closed ??= end())
  hooks.after(close)
  return {
    told,
    close,
    async write(method, path, body) {
      const { status, body: answered } = await client.rest<{ id: string } | undefined>(method, path, body)
      if (status > 299) throw new Error(`${method} ${path} is refused: ${JSON.stringify(answered)}`)
      return answered?.id ?? ""
    },
  }
}

const textOf = (one: SinkObservation): string =>
  one.kind === "sent" ? "sent" : `unsent: ${String((one.error as Error).message)}`
