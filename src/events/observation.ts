// Observations of handlers: one union, rendered elsewhere (the command line writes it to stderr).

export interface FailedEvent {
  /** The name under which its position is kept: a handler's, or an endpoint's id behind the prefix of subscribers. */
  readonly handler: string
  readonly event: string
  /** The record's public id. */
  readonly record: string
  readonly error: unknown
  /** How often it has been tried. */
  readonly attempts: number
  /** Milliseconds since 1970; null when it is not tried again by itself. */
  readonly due: number | null
  /** Further ones of one cause, reported together, of which this is the last; 1 when absent. */
  readonly count?: number
}

export type HandlerObservation =
  /** An event could not be handled. The later events of its record wait for it. */
  | ({ readonly kind: "unhandled" } & FailedEvent)
  /** A fault of Bifold or of the database kept an event from being made into a message of an endpoint. */
  | ({ readonly kind: "undelivered" } & FailedEvent)
  /** No handler runs for now, because the database cannot be asked; it is tried again until it can. */
  | { readonly kind: "halted"; readonly error: unknown }
  /** They run again. */
  | { readonly kind: "resumed" }
  /** The log was emptied or replaced without what is kept of these: they go back to its start. By the names under which positions are kept. */
  | { readonly kind: "replaced"; readonly handlers: readonly string[] }
  /** Events that need not be kept stay in the log, because a handler has not come to them. `since`: the first event, in milliseconds since 1970. */
  | { readonly kind: "held"; readonly handler: string; readonly since: number }
  /** Events that need not be kept could not be removed; it is tried again. */
  | { readonly kind: "unforgotten"; readonly error: unknown }

export type TellHandlers = (told: HandlerObservation) => void
