// The id that a request, its answer and our log share. https://http.dev/x-request-id
import { randomUUID } from "node:crypto"

const sane = /^[A-Za-z0-9][A-Za-z0-9._~:+/=@-]{0,127}$/

/** The client's own id when it is short and harmless in a log, else a new one. */
export function requestIdOf(given: string | undefined): string {
  return given !== undefined && sane.test(given) ? given : randomUUID()
}
