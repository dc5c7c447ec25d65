// The identity of a request that is sent again (draft-ietf-httpapi-idempotency-key-header-07).

export interface Idempotency {
  /** As the client gave it. */
  readonly key: string
  /** Tells requests apart that come with one key: a digest of everything that decides what is done. */
  readonly fingerprint: string
}
