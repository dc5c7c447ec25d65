// How far the log is, and how far handlers are behind it: read from the database when metrics are asked for.
import { type Checkpoints, createCheckpoints } from "../../events/checkpoints.ts"
import type { Handler, Model } from "../../model/model.ts"
import type { Log } from "../../storage/log-types.ts"
import type { Storage } from "../../storage/storage.ts"

export interface FollowedLog {
  readonly position: bigint
  readonly handlers: readonly FollowedHandler[]
}

interface FollowedHandler {
  readonly name: string
  readonly position: bigint
  /** Events that it has not come to. */
  readonly behind: number
  /** Seconds. */
  readonly lag: number
  readonly waiting: number
}

/** Undefined where the database has no log. Rejects as `Storage.read` does. */
export type ReadFollowedLog = () => Promise<FollowedLog | undefined>

/** Milliseconds for which it is not read again: there may be several who ask. */
const freshness = 1_000

export function createFollowedLog(storage: Storage, { handlers, resources }: Model): ReadFollowedLog {
  const { log } = storage
  const isLogged = [...resources.values()].some(({ logged }) => logged)
  if (!log || !isLogged) return async () => undefined
  const kept = createCheckpoints(storage)
  let last: { readonly at: number; readonly read: Promise<FollowedLog> } | undefined
  return () => {
    const now = performance.now()
    if (!last || now - last.at > freshness)
      last = { at: now, read: readLog(log, kept, [...(handlers?.values() ?? [])]) }
    return last.read
  }
}

async function readLog(log: Log, kept: Checkpoints, handlers: readonly Handler[]): Promise<FollowedLog> {
  const position = await log.latest()
  if (handlers.length === 0) return { position, handlers: [] }
  const [positions, waiting] = [await kept.positions(), await kept.waiting()]
  const followed = handlers.map(async ({ name, resource, types }): Promise<FollowedHandler> => {
    const filter = { resource, ...(types && { types }) }
    const own = positions.get(name) ?? position
    const [first] = await log.read(own, 1, filter)
    return {
      name,
      position: own,
      behind: first ? await log.count(own, filter) : 0,
      lag: first ? Math.max(0, (Date.now() - Date.parse(first.at)) / 1_000) : 0,
      waiting: waiting.filter(({ handler }) => handler === name).length,
    }
  })
  return { position, handlers: await Promise.all(followed) }
}
