// A small service on a real database behind a real server, and requests to it byte by byte.
import { once } from "node:events"
import { connect, type Socket } from "node:net"
import { join } from "node:path"
import { f, many, one, resource, service } from "bifold"
import { everybodyIn } from "../../src/access/identity/identify.ts"
import { everybodyOf } from "../../src/plan/access/actor.ts"
import type { Observation } from "../../src/server/observation.ts"
import { createServer, type RunningServer, type ServerOptions } from "../../src/server/server.ts"
import { createFaces } from "../../src/server/service.ts"
import { postgres } from "../../src/sql/dialects/postgres.ts"
import { sqlite } from "../../src/sql/dialects/sqlite.ts"
import { createSchema } from "../../src/sql/schema/schema.ts"
import { insertRecords, type Records, type Row } from "../../src/sql/write/insert.ts"
import { setUp } from "../../src/storage/migration/set-up.ts"
import { openStorage } from "../../src/storage/open.ts"
import type { StorageOptions } from "../../src/storage/storage.ts"
import { type Hooks, temporaryFolder } from "../support/database.ts"
import { loadOpen } from "../support/everybody.ts"

const model = loadOpen(
  service({
    name: "library",
    title: "Library & <Co>",
    resources: {
      author: resource({
        key: { column: "id", type: "integer" },
        fields: { name: f.text() },
        relations: { books: many("book", { by: "author" }) },
      }),
      book: resource({
        key: { column: "id", type: "integer" },
        fields: { title: f.text() },
        relations: { author: one("author") },
      }),
    },
  }),
)

/** Everybody, of the library. */
export const anyone = everybodyOf(model)

const records: Records = {
  records: new Map<string, readonly Row[]>([
    [
      "author",
      [
        { id: 1, name: "Ada" },
        { id: 2, name: "Zoë" },
      ],
    ],
    [
      "book",
      [
        { id: 1, title: "One", authorId: 1 },
        { id: 2, title: "Two", authorId: 1 },
        { id: 3, title: "Three", authorId: 2 },
      ],
    ],
  ]),
  links: [],
}

export interface Library extends RunningServer {
  readonly observed: readonly Observation[]
}

/** Closed when the test ends, if it has not been. Without an address the records are in a SQLite file. */
export async function openLibrary(
  hooks: Hooks,
  options: Partial<ServerOptions> = {},
  database?: string,
  stored: Partial<StorageOptions> = {},
): Promise<Library> {
  const address = database ?? join(await temporaryFolder(hooks), "library.db")
  const dialect = database === undefined ? sqlite : postgres
  const tables = createSchema(model, dialect).map((text) => ({ text, parameters: [] }))
  await setUp(address, [...tables, ...insertRecords(model, dialect, records)])
  const storage = await openStorage(address, stored)
  hooks.after(() => storage.close())
  const base = options.base ?? ""
  const observed: Observation[] = []
  const server = await createServer({
    ...createFaces({ model, storage, base, secret: "a secret of the tests" }),
    identify: everybodyIn(model),
    base,
    cors: [],
    bodyLimit: 1024,
    loopbackOnly: false,
    observe: (observation) => void observed.push(observation),
    host: "127.0.0.1",
    port: 0,
    ...options,
  })
  let closed: Promise<void> | undefined
  const close = (): Promise<void> => (closed ??= server.close())
  hooks.after(close)
  return { ...server, close, observed }
}

/** Sends bytes as they are and gives all that comes back until the server ends the connection. */
export async function exchange(port: number, request: string | Uint8Array): Promise<string> {
  const socket = await dial(port)
  socket.write(request)
  return received(socket)
}

export async function dial(port: number): Promise<Socket> {
  const socket = connect(port, "127.0.0.1")
  socket.on("error", () => {}) // shows in what was received
  await once(socket, "connect")
  return socket
}

export async function received(socket: Socket): Promise<string> {
  const chunks: Buffer[] = []
  socket.on("data", (chunk) => chunks.push(chunk))
  if (!socket.closed) await once(socket, "close")
  return Buffer.concat(chunks).toString()
}
