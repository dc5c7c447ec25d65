// The feed of a service beside its REST face: loaded when somebody asks for it first.
import type { Engine } from "../engine/engine.ts"
import type { Feed } from "../feed/feed.ts"
import { isFed } from "../feed/feed-model.ts"
import type { AnswerPlan, Face } from "../http/face.ts"
import type { Model } from "../model/model.ts"
import type { Storage } from "../storage/storage.ts"

interface LazyFeedOptions {
  readonly model: Model
  readonly storage: Storage
  readonly secret: string
  readonly answer: AnswerPlan
  readonly watch: Engine["watch"]
}

export interface LazyFeed {
  /** The face with the paths of the feed, where the audience has events. */
  beside(rest: Face, audience: Model): Face
  close(): void
}

export function createLazyFeed({ model, storage, secret, answer, watch }: LazyFeedOptions): LazyFeed {
  const { log } = storage
  let loading: Promise<{ readonly feed: Feed; readonly face: Face }> | undefined
  let ended = false
  const load = async (
    options: Omit<LazyFeedOptions, "storage" | "watch"> & { readonly log: NonNullable<Storage["log"]> },
  ) => {
    const [{ createFeed }, { createEventsFace }] = await Promise.all([
      import("../feed/feed.ts"),
      import("./events-face.ts"),
    ])
    const feed = createFeed(options)
    watch(() => feed.wake())
    if (ended) feed.close()
    return { feed, face: createEventsFace(feed) }
  }
  return {
    beside(rest, audience) {
      if (!log || ![...audience.resources.values()].some(isFed)) return rest
      const path = feedPath(audience)
      return async (request) => {
        if (request.path !== path && request.path !== `${path}/stream`) return rest(request)
        loading ??= load({ model, log, secret, answer })
        return (await loading).face(request)
      }
    },
    close() {
      ended = true
      void loading?.then(({ feed }) => feed.close())
    },
  }
}

/** The path of the feed below the service: a resource may have the usual one. */
export function feedPath({ resources }: Model): string {
  const taken = [...resources.values()].some(({ path }) => path === "events")
  return taken ? "/event-log" : "/events"
}
