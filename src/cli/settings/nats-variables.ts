// Credentials of the sink from the variables that other clients of NATS read too.
import type { NatsCredentials, NatsTls } from "../../sinks/nats-address.ts"

/** As the `nats` command has them. */
export function natsVariables(): NatsCredentials & NatsTls {
  const names = {
    user: "NATS_USER",
    password: "NATS_PASSWORD",
    token: "NATS_TOKEN",
    credsFile: "NATS_CREDS",
    nkeyFile: "NATS_NKEY",
    certFile: "NATS_CERT",
    keyFile: "NATS_KEY",
    caFile: "NATS_CA",
  }
  return Object.fromEntries(
    Object.entries(names).flatMap(([name, variable]) => {
      const value = process.env[variable]
      return value === undefined || value === "" ? [] : [[name, value]]
    }),
  )
}
