// Observations of handlers: one union, rendered elsewhere (the command line writes it to stderr).

export type HandlerObservation =
  /** An event could not be handled. The later events of its record wait for it. */
  | {
      readonly kind: "unhandled"
      readonly handler: string
      readonly event: string
      /** The record's public id. */
      readonly record: string
      readonly error: unknown
      /** How often it has been tried. */
      readonly attempts: number
      /** Milliseconds since 1970; null when it is not tried again by itself. */
      readonly due: number | null
    }
  /** No handler runs for now, because the database cannot be asked; it is tried again until it can. */
  | { readonly kind: "halted"; readonly error: unknown }
  /** They run again. */
  | { readonly kind: "resumed" }

export type TellHandlers = (told: HandlerObservation) => void
