// A request before anything of it is read: who sends it, and for which face.
import { clientAddress, type Proxies } from "../../limits/client-address.ts"
import type { Accepted, Arrival } from "../admission.ts"
import type { Incoming } from "../incoming.ts"

interface ArrivalOptions {
  readonly proxies?: Proxies | undefined
  readonly accepted: Accepted
}

/** Checking credentials takes work, too: they count once they were accepted, and until then the request is anonymous. */
export function arrivalOf(request: Incoming, { proxies = 0, accepted }: ArrivalOptions): Arrival {
  const { authorization } = request.headers
  return authorization !== undefined && accepted.has(authorization)
    ? { client: authorization, isSignedIn: true }
    : { client: clientAddress(request, proxies), isSignedIn: false }
}

export const isGraphql = ({ url = "" }: Pick<Incoming, "url">, base: string): boolean =>
  url === `${base}/graphql` || url.startsWith(`${base}/graphql?`)
