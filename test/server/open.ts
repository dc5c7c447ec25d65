// A small service on a real SQLite file behind a real server, and requests to it byte by byte.
import { once } from "node:events"
import { connect, type Socket } from "node:net"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { f, many, one, resource, service } from "bifold"
import { load } from "../../src/model/load.ts"
import type { Observation } from "../../src/server/observation.ts"
import { createServer, type RunningServer, type ServerOptions } from "../../src/server/server.ts"
import { createFaces } from "../../src/server/service.ts"
import { openStorage } from "../../src/storage/open.ts"
import { type Hooks, temporaryFolder } from "../support/database.ts"

const model = load(
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

const tables = `
  CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT;
  CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL, author_id INTEGER NOT NULL REFERENCES author) STRICT;
  INSERT INTO author VALUES (1, 'Ada'), (2, 'Zoë');
  INSERT INTO book VALUES (1, 'One', 1), (2, 'Two', 1), (3, 'Three', 2);
`

export interface Library extends RunningServer {
  readonly observed: readonly Observation[]
}

/** Closed when the test ends, if it has not been. */
export async function openLibrary(hooks: Hooks, options: Partial<ServerOptions> = {}): Promise<Library> {
  const path = join(await temporaryFolder(hooks), "library.db")
  const database = new DatabaseSync(path)
  database.exec(tables)
  database.close()
  const storage = await openStorage(path)
  hooks.after(() => storage.close())
  const base = options.base ?? ""
  const observed: Observation[] = []
  const server = await createServer({
    ...createFaces({ model, storage, base, secret: "a secret of the tests" }),
    model,
    base,
    cors: [],
    bodyLimit: 1024,
    loopbackOnly: false,
    health: async () => {},
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
