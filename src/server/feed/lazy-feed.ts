// The feed of a service beside its REST face: loaded when somebody asks for it first.
import { alreadyPaid } from "../../base/asker.ts"
import { expectModules, lateModule, lazily } from "../../base/lazily.ts"
import type { Engine } from "../../engine/engine.ts"
import type { Feed } from "../../feed/feed.ts"
import {
  type AwaitWrites,
  type FollowChanges,
  hasEvents,
  isFeedPath,
  type ReadEvents,
} from "../../http/changes.ts"
import type { AnswerPlan, Face, FaceResponse } from "../../http/face.ts"
import type { Model } from "../../model/model.ts"
import type { Log } from "../../storage/log-types.ts"
import type { Storage } from "../../storage/storage.ts"
import { asksLive, type LiveRequest } from "./live-request.ts"

interface LazyFeedOptions {
  readonly model: Model
  readonly storage: Storage
  readonly secret: string
  readonly answer: AnswerPlan
  readonly watch: Engine["watch"]
  /** Milliseconds between looks for what other processes wrote; the feed's own when absent. */
  readonly look?: number
}

interface Loaded {
  readonly face: Face
  readonly follow: FollowChanges
  readonly events: ReadEvents
  readonly writes: AwaitWrites
  readonly live: (request: LiveRequest, rest: Face) => Promise<FaceResponse>
}

export interface LazyFeed {
  /** The face with the paths of the feed, where the audience has events. */
  beside(rest: Face, audience: Model): Face
  /** Undefined where the database has no log. */
  readonly follow: FollowChanges | undefined
  readonly events: ReadEvents | undefined
  readonly writes: AwaitWrites | undefined
  close(): void
}

const feedModules = lateModule(() =>
  Promise.all([
    import("../../feed/feed.ts"),
    import("../../feed/follow-changes.ts"),
    import("../../feed/read-events.ts"),
    import("./events-face.ts"),
    import("./live-face.ts"),
  ]),
)

export function createLazyFeed({
  model,
  storage,
  secret,
  answer,
  watch,
  ...looking
}: LazyFeedOptions): LazyFeed {
  const { log } = storage
  if (log) expectModules(feedModules)
  let opened: Feed | undefined
  let ended = false
  const load = async (log: Log): Promise<Loaded> => {
    const [{ createFeed }, { followChanges }, { readEvents }, { createEventsFace }, { answerLive }] =
      await feedModules()
    // Pages, streams and subscriptions have prices of their own, whatever the feed has to read for them.
    const paid: AnswerPlan = (plan, actor) => alreadyPaid(() => answer(plan, actor))
    const feed = createFeed({ model, log, secret, answer: paid, ...looking })
    opened = feed
    watch(() => feed.wake())
    if (ended) feed.close()
    const { writes } = feed
    return {
      face: createEventsFace(feed, answer),
      follow: followChanges(feed),
      events: (question) => readEvents(feed, question),
      writes,
      live: (request, rest) => answerLive(request, { rest, writes }),
    }
  }
  const loaded = log && lazily(() => load(log))
  return {
    beside(rest, audience) {
      if (!loaded || !hasEvents(audience)) return rest
      return async (request) => {
        if (isFeedPath(audience, request.path)) return (await loaded()).face(request)
        const live = asksLive(request)
        return live ? (await loaded()).live(live, rest) : rest(request)
      }
    },
    writes: loaded && (async (awaiting) => (await loaded()).writes(awaiting)),
    events: loaded && (async (question) => (await loaded()).events(question)),
    follow: loaded && (async (followed) => (await loaded()).follow(followed)),
    close() {
      ended = true
      opened?.close()
    },
  }
}
