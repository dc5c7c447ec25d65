// Where a NATS server is, and how to get in: addresses with what they hold of credentials, and files.
import { refusal } from "../base/problem.ts"

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

/**
 * @param text `nats://…` or `tls://…`, several of a cluster with commas between them
 * @param given what is not in the text; a user or token in the text wins
 */
export function readNatsAddress(text: string, given: NatsCredentials & NatsTls = {}): NatsAddress {
  const urls = text.split(",").map(readServer)
  const [first] = urls
  const { certFile, keyFile, caFile, ...rest } = given
  const tls = Object.fromEntries(
    Object.entries({ certFile, keyFile, caFile }).filter(([, file]) => file !== undefined),
  )
  const needsTls = urls.some(({ protocol }) => protocol === "tls:") || Object.keys(tls).length > 0
  return {
    servers: urls.map(({ host }) => host),
    shown: urls.map(({ protocol, host }) => `${protocol}//${host}`).join(","),
    credentials: first && first.username !== "" ? credentialsIn(first) : rest,
    tls: needsTls ? tls : undefined,
  }
}

/** The text is not repeated in the refusal: it may hold a password. */
function readServer(text: string): URL {
  const url = URL.parse(text.trim())
  const isServer = url && ["nats:", "tls:"].includes(url.protocol) && url.hostname !== ""
  const hasMore = url && (!["", "/"].includes(url.pathname) || url.search !== "" || url.hash !== "")
  if (isServer && !hasMore && isDecoded(url.username) && isDecoded(url.password)) return url
  throw refusal("invalid_command", "That is no address of a NATS server.", {
    hint: "Give nats://localhost:4222, or tls://…; several of a cluster with commas between them.",
  })
}

function isDecoded(text: string): boolean {
  try {
    return decodeURIComponent(text) !== undefined
  } catch {
    return false
  }
}

/** A name alone is a token, as for other clients of NATS. */
function credentialsIn({ username, password }: URL): NatsCredentials {
  const [first, second] = [username, password].map(decodeURIComponent) as [string, string]
  return second === "" ? { token: first } : { user: first, password: second }
}
