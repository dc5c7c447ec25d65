// What planning a request to REST shares: the request as the planner may ask it, and where in it a question stands.
import type { Place, Problem, Problems } from "../../base/problem.ts"
import type { Model } from "../../model/model.ts"
import type { Ask } from "../../plan/draft/plan-cache.ts"
import type { PendingKey } from "../../plan/pending-key.ts"
import type { Conditions } from "../http/conditions.ts"
import type { Preferences } from "../http/preferences.ts"
import type { ReadRoute, WriteRoute } from "../http/route.ts"
import type { Question } from "./rest-query.ts"

export interface RequestContext {
  readonly route: ReadRoute | WriteRoute
  readonly question: Question
  /** `structureOf` the question. */
  readonly structure: string
  /** Of a batch: the records that its requests before this one are about, by what `$c.id` in an address calls them. */
  readonly earlier?: ReadonlyMap<string, PendingKey>
}

export interface ReadContext extends RequestContext {
  readonly route: ReadRoute
}

export interface WriteContext extends RequestContext {
  readonly route: WriteRoute
  /** In its parameters. */
  readonly mistakes: readonly Problem[]
  /** The body, as JSON.parse gives it; undefined when there is none. */
  readonly input: unknown
  /** Where the body stands. */
  readonly place: Place
  readonly conditions: Conditions
  readonly preferences: Preferences
}

/** What places in a request's JSON body begin with; other places are those of parameters. */
export const inBody = "the body"

export interface Selecting<Request extends RequestContext = RequestContext> {
  readonly model: Model
  readonly problems: Problems
  /** The only way to the values of a request; its route and its question's structure are asked first. */
  readonly ask: Ask<Request>
}

/** The question about one record or list. */
export interface Inquiry {
  /** Of the request at hand: for what its structure says, and for mistakes. */
  readonly question: Question
  /** The same question of any request of this structure: for values. */
  of(asked: RequestContext): Question
}
