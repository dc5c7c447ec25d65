// Webhooks of a service: who looks after all endpoints, and where they may be.
import type { RuleDeclaration } from "./policy-declaration.ts"

export type WebhooksDeclaration =
  | true
  | {
      /** Those who may see, make, change and remove all endpoints. */
      readonly manage?: RuleDeclaration
      /** Networks that endpoints may be in beside the public internet, by http too: `["10.0.0.0/8"]`. */
      readonly networks?: readonly string[]
    }

export interface Webhooks {
  readonly networks: readonly string[]
}

export const buildWebhooks = (declared: WebhooksDeclaration): Webhooks => ({
  networks: declared === true ? [] : (declared.networks ?? []),
})
