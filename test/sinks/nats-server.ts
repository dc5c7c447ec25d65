// A real NATS server for a test, which can be killed and started again with what it has stored.

import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { jetstreamManager } from "@nats-io/jetstream"
import { type ConnectionOptions, connect, type NatsConnection } from "@nats-io/transport-node"
import { type Hooks, temporaryFolder } from "../support/database.ts"
import { freePort } from "../support/free-port.ts"

/** Why a test that needs the server is skipped; false where it is not. */
export const missing: string | false = (() => {
  try {
    execFileSync("nats-server", ["--version"], { stdio: "ignore" })
    return false
  } catch {
    return "nats-server is not installed"
  }
})()

interface NatsServer {
  readonly port: number
  /** Without credentials. */
  readonly url: string
  connect(options?: ConnectionOptions): Promise<NatsConnection>
  kill(): Promise<void>
  /** @param configuration as the file has it, beside the address; that of before when absent */
  start(configuration?: string): Promise<void>
}

/** The part of a configuration that gives it JetStream with a store in the folder. */
export const jetStreamIn = (folder: string, more = ""): string =>
  `jetstream { store_dir: ${JSON.stringify(folder)}, max_file_store: 1GB ${more} }\n`

/** @param configuration JetStream in a folder of its own when absent; `""` for none */
export async function startNats(hooks: Hooks, configuration?: string): Promise<NatsServer> {
  const folder = await temporaryFolder(hooks)
  const port = await freePort()
  const file = join(folder, "nats.conf")
  let child: ChildProcess | undefined
  let configured = configuration ?? jetStreamIn(folder)
  const start = async (given = configured): Promise<void> => {
    configured = given
    writeFileSync(file, `listen: "127.0.0.1:${port}"\n${given}`)
    const started = spawn("nats-server", ["--config", file], { stdio: ["ignore", "ignore", "pipe"] })
    child = started
    // Read to its end: a server that cannot say what is wrong ends.
    await new Promise<void>((resolve, reject) => {
      let said = ""
      started.stderr.on("data", (chunk: Buffer) => {
        said += String(chunk)
        if (said.includes("Server is ready")) resolve()
      })
      started.once("exit", () => reject(new Error(said)))
    })
  }
  const kill = async (): Promise<void> => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, "exit")
    child.kill("SIGKILL")
    await ended
  }
  await start()
  const connections: NatsConnection[] = []
  hooks.after(async () => {
    for (const connection of connections) await connection.close()
    await kill()
  })
  const url = `nats://127.0.0.1:${port}`
  return {
    port,
    url,
    async connect(options = {}) {
      const connection = await connect({
        servers: url,
        maxReconnectAttempts: -1,
        reconnectTimeWait: 50,
        ...options,
      })
      connections.push(connection)
      return connection
    },
    kill,
    start,
  }
}

export interface StoredMessage {
  readonly subject: string
  readonly id: string | undefined
  readonly headers: ReadonlyMap<string, string>
  readonly body: Readonly<Record<string, unknown>>
}

/** All that the stream has, in its order. */
export async function readStream(
  connection: NatsConnection,
  stream: string,
): Promise<readonly StoredMessage[]> {
  const manager = await jetstreamManager(connection)
  const { first_seq: first, last_seq: last, messages } = (await manager.streams.info(stream)).state
  const all: StoredMessage[] = []
  for (let seq = first; messages > 0 && seq <= last; seq += 1) {
    const found = await manager.streams.getMessage(stream, { seq })
    if (!found) continue
    const headers = new Map(found.header.keys().map((name) => [name, found.header.get(name)] as const))
    all.push({ subject: found.subject, id: headers.get("Nats-Msg-Id"), headers, body: found.json() })
  }
  return all
}

/** Throws with the text when it does not come true for long. */
export async function comesTrue(what: string, isTrue: () => boolean | Promise<boolean>): Promise<void> {
  for (let waited = 0; !(await isTrue()); waited += 20) {
    if (waited > 30_000) throw new Error(`This did not come true: ${what}`)
    await sleep(20)
  }
}
