// Observations of sinks: one union, rendered elsewhere (the command line writes it to stderr).

/** `sink` names it: the stream, and where it is. */
export type SinkObservation =
  /** Events cannot be sent for now. They wait in the log, and it is tried again until it works; told once. */
  | { readonly kind: "unsent"; readonly sink: string; readonly error: unknown }
  /** They are sent again. */
  | { readonly kind: "sent"; readonly sink: string }

export type TellSinks = (told: SinkObservation) => void
