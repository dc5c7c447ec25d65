// What a running server tells whoever watches it: one union, rendered elsewhere (the command line writes it to stderr).

export type Observation =
  /** A fault of ours while a request was answered; the client saw `internal` and the same request id. */
  | { readonly kind: "failed"; readonly requestId: string; readonly error: unknown }
  /** Closing took longer than it may; what was still running has been cut off. */
  | { readonly kind: "cut"; readonly connections: number }

export type Observe = (observation: Observation) => void
