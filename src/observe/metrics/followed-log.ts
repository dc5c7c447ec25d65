// How far the log is, and how far those that follow it are behind: read from the database when metrics are asked for.
import { type Checkpoints, createCheckpoints, type Lag, lagAt } from "../../events/handlers/checkpoints.ts"
import { type Followed, isSink, isWebhook } from "../../events/handlers/followed.ts"
import type { Model } from "../../model/model.ts"
import type { Log } from "../../storage/log-types.ts"
import type { Storage } from "../../storage/storage.ts"

export interface FollowedLog {
  readonly position: bigint
  readonly handlers: readonly FollowedHandler[]
  /** All active endpoints together: the one furthest behind. Undefined without endpoints. */
  readonly webhooks: Waited | undefined
  readonly sink: Waited | undefined
}

interface Waited extends Lag {
  /** Records whose event has failed. */
  readonly waiting: number
}

interface FollowedHandler extends Waited {
  readonly name: string
  readonly position: bigint
}

/** Undefined where the database has no log. Rejects as `Storage.read` does. */
export type ReadFollowedLog = () => Promise<FollowedLog | undefined>

type Follows = Pick<Followed, "name" | "filter" | "ends">

/** Milliseconds for which it is not read again: there may be several who ask. */
const freshness = 1_000

/** @param subscribers those beside the handlers; absent where this process runs none */
export function createFollowedLog(
  storage: Storage,
  { handlers, resources }: Model,
  subscribers: () => Promise<readonly Follows[]> = async () => [],
): ReadFollowedLog {
  const { log } = storage
  const isLogged = [...resources.values()].some(({ logged }) => logged)
  if (!log || !isLogged) return async () => undefined
  const kept = createCheckpoints(storage)
  const own = [...(handlers?.values() ?? [])].map(
    ({ name, resource, types }): Follows => ({ name, filter: { resource, ...(types && { types }) } }),
  )
  let last: { readonly at: number; readonly read: Promise<FollowedLog> } | undefined
  return () => {
    const now = performance.now()
    if (!last || now - last.at > freshness)
      last = { at: now, read: subscribers().then((others) => readLog(log, kept, { own, others })) }
    return last.read
  }
}

interface All {
  readonly own: readonly Follows[]
  readonly others: readonly Follows[]
}

async function readLog(log: Log, kept: Checkpoints, { own, others }: All): Promise<FollowedLog> {
  const position = await log.latest()
  if (own.length + others.length === 0)
    return { position, handlers: [], webhooks: undefined, sink: undefined }
  const [positions, waiting] = [await kept.positions(), await kept.waiting()]
  const positionOf = ({ name }: Follows): bigint => positions.get(name) ?? position
  const waitingOf = (called: (name: string) => boolean): number =>
    waiting.filter(({ handler }) => called(handler)).length
  const handlers = own.map(async (one): Promise<FollowedHandler> => {
    const { name, filter } = one
    const from = positionOf(one)
    const behind = await lagAt(log, from, filter)
    return { name, position: from, ...behind, waiting: waitingOf((handler) => handler === name) }
  })
  const furthest = async (isOne: (name: string) => boolean): Promise<Waited | undefined> => {
    // Replays begin behind.
    const all = others.filter(({ name, ends }) => isOne(name) && !ends)
    if (all.length === 0) return undefined
    const least = Map.groupBy(all, ({ filter }) => JSON.stringify(filter))
      .values()
      .map((alike) => alike.reduce((one, other) => (positionOf(other) < positionOf(one) ? other : one)))
    const lags = await Promise.all([...least].map((one) => lagAt(log, positionOf(one), one.filter)))
    return {
      behind: Math.max(...lags.map(({ behind }) => behind)),
      lag: Math.max(...lags.map(({ lag }) => lag)),
      waiting: waitingOf(isOne),
    }
  }
  const [webhooks, sink] = [await furthest(isWebhook), await furthest(isSink)]
  return { position, handlers: await Promise.all(handlers), webhooks, sink }
}
