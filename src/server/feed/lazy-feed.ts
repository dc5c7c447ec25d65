// The feed of a service beside its REST face: loaded by its first request.

import { expectModules, lateModule, lazily } from "../../base/lazily.ts"
import { alreadyPaid } from "../../base/request.ts"
import type { Engine } from "../../engine/engine.ts"
import type { Feed } from "../../events/log/feed.ts"
import {
  type AwaitWrites,
  type FollowChanges,
  feedPath,
  hasEvents,
  type ReadEvents,
} from "../../http/changes.ts"
import type { AnswerPlan, Face, FaceRequest, FaceResponse } from "../../http/face.ts"
import type { Model } from "../../model/model.ts"
import type { Log } from "../../storage/log-types.ts"
import type { Storage } from "../../storage/storage.ts"

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
  readonly live: (request: FaceRequest, rest: Face) => Promise<FaceResponse>
}

interface FeedFaces {
  /** By their paths. */
  readonly events?: ReadonlyMap<string, Face>
  /** Answers reads by REST that may last: `live=` is in their query. */
  readonly live?: Face
}

export interface LazyFeed {
  /** Faces beside REST's, where the audience has events. */
  facesOf(audience: Model, rest: Face): FeedFaces
  /** Undefined where the database has no log. */
  readonly follow: FollowChanges | undefined
  readonly events: ReadEvents | undefined
  readonly writes: AwaitWrites | undefined
  close(): void
}

const feedModules = lateModule(() =>
  Promise.all([
    import("../../events/log/feed.ts"),
    import("../../events/log/follow-changes.ts"),
    import("../../events/log/event-json.ts"),
    import("./events-face.ts"),
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
    const [{ createFeed }, { followChanges }, { readEvents }, { answerLive, createEventsFace }] =
      await feedModules()
    // Pages, streams and subscriptions have prices of their own, whatever the feed has to read for them.
    const paid: AnswerPlan = (plan, actor, request) => answer(plan, actor, alreadyPaid(request))
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
    facesOf(audience, rest) {
      if (!loaded || !hasEvents(audience)) return {}
      const path = feedPath(audience)
      const events: Face = async (request) => (await loaded()).face(request)
      return {
        events: new Map([
          [path, events],
          [`${path}/stream`, events],
        ]),
        live: async (request) => (await loaded()).live(request, rest),
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
