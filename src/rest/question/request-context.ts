// The shared context of planning a REST request: the request as the planner may ask it, and the place of a question in it.
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
  /** For a batch: the records of earlier requests, by the name that `$c.id` in an address gives them. */
  readonly earlier?: ReadonlyMap<string, PendingKey>
}

export interface ReadContext extends RequestContext {
  readonly route: ReadRoute
}

export interface WriteContext extends RequestContext {
  readonly route: WriteRoute
  /** In its parameters. */
  readonly mistakes: readonly Problem[]
  /** The body, as JSON.parse gives it; undefined without a body. */
  readonly input: unknown
  /** Where the body stands. */
  readonly place: Place
  readonly conditions: Conditions
  readonly preferences: Preferences
}

/** The first step of places in a request's JSON body; other places name parameters. */
export const inBody = "the body"

export interface Selecting<Request extends RequestContext = RequestContext> {
  readonly model: Model
  readonly problems: Problems
  /** The only way to the values of a request; its route and its question's structure are asked first. */
  readonly ask: Ask<Request>
}

/** The question about one record or list. */
export interface Inquiry {
  /** The question of the request at hand: for its structure, and for mistakes. */
  readonly question: Question
  /** The same question of any request of this structure: for values. */
  of(asked: RequestContext): Question
}
