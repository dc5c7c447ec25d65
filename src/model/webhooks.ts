// Webhooks of a service: who looks after all endpoints, and where they may be.
import type { CallerRule, RuleDeclaration } from "./policy-declaration.ts"

/** The parameters are the names that the service declares. */
export type WebhooksDeclaration<Role extends string = string, Scope extends string = string> =
  | true
  | {
      /** Those who may see, make, change and remove all endpoints. */
      readonly manage?: RuleDeclaration
      /** Callers that may give endpoints a role or scope, in place of those that have it themselves. */
      readonly grant?: { readonly [Name in Role | Scope]?: CallerRule<Role, Scope> }
      /** The longest time until the end of an endpoint that is written by the API, such as `"90 days"`, and its end when none is given. */
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
