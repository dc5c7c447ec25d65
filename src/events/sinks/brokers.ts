// The table of brokers. A next one is a record of its own, its connection, and its name here.
import { refusal } from "../../base/problem.ts"
import { natsBroker } from "./nats-broker.ts"
import type { Broker } from "./sink.ts"

const brokers: readonly Broker[] = [natsBroker]

/** Rows of the list of settings. */
export const brokerSettings = { ...natsBroker.settings }

export type BrokerOptions = { readonly [Key in keyof typeof brokerSettings]?: string | undefined }

/**
 * The broker that settings name, before those that have ended, and whether none is left. Throws a Refusal for two.
 * @param of all that there are
 */
export function brokerOf(
  given: BrokerOptions,
  of: readonly Broker[] = brokers,
): { broker?: Broker; hasEnded: boolean } {
  const addresses = new Map(Object.entries(given))
  const named = of.filter(({ name }) => addresses.get(name) !== undefined)
  const [broker, other] = named.filter(({ name }) => addresses.get(name) !== "none")
  if (broker && other)
    throw refusal(
      "invalid_command",
      `Events go to one broker, and ${broker.title} and ${other.title} are set.`,
      {
        hint: `Set one of \`${broker.name}\` and \`${other.name}\`.`,
      },
    )
  const [ended] = named
  return { ...(broker ? { broker } : ended && { broker: ended }), hasEnded: !broker && ended !== undefined }
}

/** Credentials, from the variables that other clients of the brokers read too. */
export const credentialsIn = (environment: NodeJS.ProcessEnv): Readonly<Record<string, string>> =>
  Object.fromEntries(
    brokers
      .flatMap(({ variables }) => Object.entries(variables))
      .flatMap(([name, variable]) => (environment[variable] ? [[name, environment[variable]]] : [])),
  )
