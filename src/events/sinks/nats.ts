// A connection to NATS JetStream: made when something is to be published, and anew after each fault.
import { readFile } from "node:fs/promises"
import type { JetStreamClient, StreamConfig } from "@nats-io/jetstream"
import type { Authenticator, ConnectionOptions, NatsConnection } from "@nats-io/transport-node"
import { refusal } from "../../base/problem.ts"
import type { SinkMessage } from "./message.ts"
import type { BrokerConnection } from "./sink.ts"

export interface NatsCredentials {
  readonly user?: string
  readonly password?: string
  readonly token?: string
  /** A file that `nsc` makes, with a JWT and its seed. */
  readonly credsFile?: string
  /** A file with the seed of an NKey. */
  readonly nkeyFile?: string
}

export interface NatsTls {
  readonly certFile?: string
  readonly keyFile?: string
  /** Beside the authorities that Node trusts anyway. */
  readonly caFile?: string
}

export interface NatsAddress {
  /** `host:port`, without credentials. */
  readonly servers: readonly string[]
  /** As it may be printed. */
  readonly shown: string
  readonly credentials: NatsCredentials
  /** Undefined where the server says whether there is TLS. */
  readonly tls: NatsTls | undefined
}

interface Libraries {
  readonly nats: typeof import("@nats-io/transport-node")
  readonly jetstream: typeof import("@nats-io/jetstream")
}

export interface JetStreamOptions {
  readonly address: NatsAddress
  readonly stream: string
  /** The beginning of all subjects. */
  readonly prefix: string
  /** The service's, for people who look at the server's connections. */
  readonly name: string
}

interface Opened {
  readonly connection: NatsConnection
  readonly client: JetStreamClient
  /** Bytes of a message, headers included. */
  readonly mostBytes: number
  /** Why it is dropped: those who publish by it meanwhile learn this, and not that it was closed. */
  fault?: unknown
}

/** Milliseconds for a connection, and for an answer. */
const patience = 5_000
/** Milliseconds between two pings of a connection; two that are not answered end it. */
const pinging = 15_000
/** Nanoseconds. */
const second = 1_000_000_000
/** Limits of a new stream, in seconds. An existing one is left as it is. */
const streamLimits = { age: 30 * 86_400, duplicates: 600 } as const
/** JSAPI error code (nats-server `errors.json`). */
const streamNotFound = 10_059
/** Bytes of a header beside its name and value, and of all of them. */
const headerBytes = { each: 4, all: 16 } as const

/** Throws a Refusal where the packages are not installed. */
export async function loadNats(): Promise<Libraries> {
  try {
    // Awaited one by one: esbuild takes an import for optional only so.
    const nats = await import("@nats-io/transport-node")
    return { nats, jetstream: await import("@nats-io/jetstream") }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw error
    throw refusal("invalid_command", "The client of NATS is not installed.", {
      hint: "Run npm install @nats-io/transport-node @nats-io/jetstream beside Bifold.",
    })
  }
}

export function createJetStream(libraries: Libraries, options: JetStreamOptions): BrokerConnection {
  const { stream, prefix } = options
  let opening: Promise<Opened> | undefined
  let closed = false
  const forget = (one: Promise<Opened>): void => {
    if (opening === one) opening = undefined
  }
  const opened = (): Promise<Opened> => {
    if (opening) return opening
    if (closed) return Promise.reject(new Error("The connection has ended."))
    const made = open(libraries, options)
    opening = made
    made.then(
      ({ connection }) => void connection.closed().then(() => forget(made)),
      () => forget(made),
    )
    return made
  }
  /** The fault may be due to the stream, which is looked at anew with the next connection. */
  const drop = async (one: Opened): Promise<void> => {
    const current = await opening?.catch(() => undefined)
    if (current === one) opening = undefined
    await one.connection.close().catch(() => {})
  }
  return {
    check: async () => void (await opened()),
    async publish(message) {
      const one = await opened()
      const headers = libraries.nats.headers()
      for (const [name, value] of message.headers) headers.set(name, value)
      try {
        await one.client.publish(`${prefix}.${message.subject}`, bodyFor(message, one.mostBytes), {
          msgID: message.id,
          headers,
          timeout: patience,
          expect: { streamName: stream },
        })
      } catch (fault) {
        one.fault ??= isUnheard(fault)
          ? new Error(
              `The stream ${stream} is gone, or takes no ${prefix}.> any more. Bifold looks for the stream, and makes it if absent.`,
            )
          : fault
        await drop(one)
        throw one.fault
      }
    },
    async close() {
      closed = true
      const one = await opening?.catch(() => undefined)
      await one?.connection.close().catch(() => {})
    },
  }
}

/** The client's words for a subject that no stream takes are about a server without JetStream. */
const isUnheard = (fault: unknown): boolean => fault instanceof Error && fault.name === "JetStreamNotEnabled"

function bodyFor({ id, headers, body, cut }: SinkMessage, most: number): string {
  const taken = headers.reduce(
    (sum, [name, value]) => sum + name.length + value.length + headerBytes.each,
    headerBytes.all + "Nats-Msg-Id".length + id.length + headerBytes.each,
  )
  return taken + Buffer.byteLength(body) <= most ? body : cut
}

async function open(libraries: Libraries, options: JetStreamOptions): Promise<Opened> {
  const connection = await libraries.nats.connect(await connectionOptions(libraries, options))
  try {
    const { max_msg_size: ofStream = -1 } = await ensureStream(libraries, connection, options)
    const ofServer = connection.info?.max_payload ?? Number.POSITIVE_INFINITY
    return {
      connection,
      client: libraries.jetstream.jetstream(connection, { timeout: patience }),
      mostBytes: ofStream > 0 ? Math.min(ofServer, ofStream) : ofServer,
    }
  } catch (fault) {
    await connection.close().catch(() => {})
    throw fault
  }
}

async function ensureStream(
  { jetstream }: Libraries,
  connection: NatsConnection,
  { stream, prefix, name }: JetStreamOptions,
): Promise<StreamConfig> {
  const manager = await jetstream.jetstreamManager(connection, { checkAPI: false, timeout: patience })
  try {
    return (await manager.streams.info(stream)).config
  } catch (fault) {
    if (!(fault instanceof jetstream.JetStreamApiError) || fault.code !== streamNotFound) throw fault
  }
  const made = await manager.streams.add({
    name: stream,
    description: `Events of ${name}, from Bifold`,
    subjects: [`${prefix}.>`],
    storage: jetstream.StorageType.File,
    // A full stream refuses: events wait in the log, instead of removing unread ones.
    discard: jetstream.DiscardPolicy.New,
    max_age: streamLimits.age * second,
    duplicate_window: streamLimits.duplicates * second,
  })
  return made.config
}

/** Files are read each time: what they hold may have been renewed. */
async function connectionOptions(
  { nats }: Libraries,
  { address, name }: JetStreamOptions,
): Promise<ConnectionOptions> {
  const { servers, credentials, tls } = address
  const { user, password, token } = credentials
  const authenticator = await fileAuthenticator(nats, credentials)
  return {
    servers: [...servers],
    name: `bifold ${name}`,
    // A lost connection is made anew by who publishes next.
    reconnect: false,
    timeout: patience,
    pingInterval: pinging,
    maxPingOut: 2,
    noAsyncTraces: true,
    ...(tls && { tls: { ...tls } }),
    ...(user !== undefined && { user }),
    ...(password !== undefined && { pass: password }),
    ...(token !== undefined && { token }),
    ...(authenticator && { authenticator }),
  }
}

async function fileAuthenticator(
  nats: Libraries["nats"],
  { credsFile, nkeyFile }: NatsCredentials,
): Promise<Authenticator | undefined> {
  if (credsFile !== undefined) return nats.credsAuthenticator(await readFile(credsFile))
  if (nkeyFile === undefined) return undefined
  return nats.nkeyAuthenticator(Buffer.from((await readFile(nkeyFile, "utf8")).trim()))
}
