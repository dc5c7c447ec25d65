// A request before anything of it is read: who sends it, and for which face.
import { clientAddress, type Proxies } from "../../limits/client-address.ts"
import type { Arrival } from "../admission.ts"
import type { Incoming } from "../incoming.ts"

/** Credentials are not checked yet: that takes work, too. */
export function arrivalOf(request: Incoming, proxies: Proxies): Arrival {
  const { authorization } = request.headers
  return authorization === undefined
    ? { client: clientAddress(request, proxies), hasCredentials: false }
    : { client: authorization, hasCredentials: true }
}

export const isGraphql = ({ url = "" }: Pick<Incoming, "url">, base: string): boolean =>
  url === `${base}/graphql` || url.startsWith(`${base}/graphql?`)
