// How long a service keeps its log, and whose changes are in it.
import type { CallerRule, RuleDeclaration } from "./policy-declaration.ts"

export interface LogDeclaration {
  /** Such as `"30 days"`; everything is kept when absent. */
  readonly keep?: string
  /**
   * `"database"`: triggers that `bifold migrate` installs log changes by other programs too. For existing tables
   * (`managed: false`) on PostgreSQL.
   */
  readonly capture?: "database"
}

const hour = 3_600_000
const units: Readonly<Record<string, number>> = {
  h: hour,
  d: 24 * hour,
  w: 7 * 24 * hour,
  y: 365 * 24 * hour,
}

/** Milliseconds of `12 hours`, `30 days`, `1 week`, `2 years`, or `12h` and so on; undefined for any other text, and beyond a century. */
export function readDuration(text: string): number | undefined {
  const [, count, short, long] = /^([1-9]\d{0,5})(?:([hdwy])| (hour|day|week|year)s?)$/.exec(text) ?? []
  const time = Number(count) * (units[short ?? long?.[0] ?? ""] ?? Number.NaN)
  return time <= 100 * 365 * 24 * hour ? time : undefined
}

// Webhooks of a service: who looks after all endpoints, and where they may be.

/** The parameters are the names that the service declares. */
export type WebhooksDeclaration<Role extends string = string, Scope extends string = string> =
  | true
  | {
      /** Callers who may see, make, change and remove all endpoints. */
      readonly manage?: RuleDeclaration
      /** Callers that may give endpoints a role or scope, in place of those that have it themselves. */
      readonly grant?: { readonly [Name in Role | Scope]?: CallerRule<Role, Scope> }
      /** The longest lifetime of an endpoint that is written by the API, such as `"90 days"`, and the default one. */
      readonly expires?: string
      /** Networks that endpoints may be in beside the public internet, by http too: `["10.0.0.0/8"]`. */
      readonly networks?: readonly string[]
    }

export interface Webhooks {
  readonly networks: readonly string[]
}

export const buildWebhooks = (declared: WebhooksDeclaration): Webhooks => ({
  networks: declared === true ? [] : (declared.networks ?? []),
})

// A service's facts for its users: the `info` of its OpenAPI description, beside title and description.
export interface AboutDeclaration {
  /** The release of this description, such as "2.3.0": OpenAPI's `info.version`. */
  readonly version?: string
  /** The license of the API: the name, and its text's address or its SPDX identifier. */
  readonly licence?: { readonly name: string; readonly url?: string; readonly identifier?: string }
  /** The contact for questions about the API. */
  readonly contact?: { readonly name?: string; readonly url?: string; readonly email?: string }
}
