// Other GraphQL servers, each in its usual production settings (bench/peers), and how each is asked the same.
import type { Contestant } from "./servers.ts"

export function findPeers(): { readonly peers: readonly Contestant[]; readonly notes: readonly string[] } {
  return { peers: [], notes: [] }
}
