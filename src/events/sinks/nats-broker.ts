// NATS JetStream as a broker: its settings, where its servers are, and how to get in.
import * as z from "zod"
import { refusal } from "../../base/problem.ts"
import type { NatsAddress, NatsCredentials, NatsTls } from "./nats.ts"
import type { Broker } from "./sink.ts"

const address =
  "Give nats://localhost:4222, or tls://…; several of a cluster with commas between them; or none."
const isServer = (given: string): boolean => /^(nats|tls):\/\/[^/]/.test(given) && URL.canParse(given)
const spelt = (form: RegExp, expected: string) => z.string(expected).max(200, expected).regex(form, expected)

export const natsBroker = {
  name: "nats",
  title: "NATS",
  settings: {
    nats: {
      flags: "--nats <url>",
      description: "sends all events to NATS JetStream: nats://… or tls://…; none after that has ended",
      form: "text",
      schema: z
        .string(address)
        .min(1, address)
        .refine(
          (given) => given === "none" || given.split(",").every((one) => isServer(one.trim())),
          address,
        ),
      secret: "address",
    },
    natsStream: {
      flags: "--nats-stream <name>",
      description: "its stream, created if missing; the service's name when absent",
      form: "text",
      schema: spelt(/^[\w-]+$/, "Give letters, digits, hyphens and underscores."),
    },
    natsSubject: {
      flags: "--nats-subject <prefix>",
      description: "prefix of its subjects; the service's name when absent",
      form: "text",
      schema: spelt(/^[\w-]+(\.[\w-]+)*$/, "Give a subject such as shop, or events.shop."),
    },
  },
  // As the `nats` command has them.
  variables: {
    user: "NATS_USER",
    password: "NATS_PASSWORD",
    token: "NATS_TOKEN",
    credsFile: "NATS_CREDS",
    nkeyFile: "NATS_NKEY",
    certFile: "NATS_CERT",
    keyFile: "NATS_KEY",
    caFile: "NATS_CA",
  },
  placeOf({ nats = "", natsStream, natsSubject }, variables, name) {
    const address = readNatsAddress(nats, variables)
    const stream = natsStream ?? name
    return {
      stream,
      shown: address.shown,
      async open() {
        const { createJetStream, loadNats } = await import("./nats.ts")
        return createJetStream(await loadNats(), { address, stream, prefix: natsSubject ?? name, name })
      },
    }
  },
} as const satisfies Broker

/**
 * @param text `nats://…` or `tls://…`, several of a cluster with commas between them
 * @param given credentials beside the text; a user or token in the text wins
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
  throw refusal("invalid_command", "The text is no address of a NATS server.", {
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
