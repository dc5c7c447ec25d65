// What planning a request to REST shares: the request as the planner may ask it, and where in it a question stands.
import type { Problems } from "../../base/problem.ts"
import type { Model } from "../../model/model.ts"
import type { Ask } from "../../plan/shapes.ts"
import type { Question } from "./question.ts"
import type { Route } from "./route.ts"

export type ReadRoute = Exclude<Route, { readonly kind: "openapi" }>

export interface Asked {
  readonly route: ReadRoute
  readonly question: Question
  /** `structureOf` the question. */
  readonly structure: string
}

export interface Selecting {
  readonly model: Model
  readonly problems: Problems
  /** The only way to the values of a request; its route and its question's structure are asked first. */
  readonly ask: Ask<Asked>
}

/** The question about one record or list. */
export interface Inquiry {
  /** Of the request at hand: for what its structure says, and for mistakes. */
  readonly question: Question
  /** The same question of any request of this structure: for values. */
  of(asked: Asked): Question
}
