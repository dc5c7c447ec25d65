// The table of brokers. A next one is a record of its own, its connection, and its name here.
import { natsBroker } from "./nats-broker.ts"
import type { Broker } from "./sink.ts"

const brokers: readonly Broker[] = [natsBroker]

/** Rows of the list of settings. */
export const brokerSettings = { ...natsBroker.settings }

export type BrokerOptions = { readonly [Key in keyof typeof brokerSettings]?: string | undefined }

/** The broker that settings name, and whether it has ended. */
export function brokerOf(given: BrokerOptions): { broker?: Broker; hasEnded: boolean } {
  const addresses = new Map(Object.entries(given))
  const broker = brokers.find(({ name }) => addresses.get(name) !== undefined)
  return { ...(broker && { broker }), hasEnded: addresses.get(broker?.name ?? "") === "none" }
}

/** Credentials, from the variables that other clients of the brokers read too. */
export const credentialsIn = (environment: NodeJS.ProcessEnv): Readonly<Record<string, string>> =>
  Object.fromEntries(
    brokers
      .flatMap(({ variables }) => Object.entries(variables))
      .flatMap(([name, variable]) => (environment[variable] ? [[name, environment[variable]]] : [])),
  )
