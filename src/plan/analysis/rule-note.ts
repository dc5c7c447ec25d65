// A note about a rule of a declaration: no mistake, but perhaps not meant.
import type { Place } from "../../base/problem.ts"

export interface RuleNote {
  readonly place: Place
  readonly what: string
  readonly hint: string
}
