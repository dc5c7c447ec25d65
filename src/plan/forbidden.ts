// What is said to whoever may not do what they ask for.
import { type Place, type Refusal, refusal } from "../base/problem.ts"

/** @param action also a transition's name */
export const forbiddenText = (action: string, resource: string): string =>
  `You may not ${action} this ${resource}.`

export const forbidden = (action: string, resource: string, place: Place): Refusal =>
  refusal("forbidden", forbiddenText(action, resource), { place })

/** Of an operation that is about no record. */
export const forbiddenCall = (operation: string, place?: Place): Refusal =>
  refusal("forbidden", `You may not ${operation}.`, place && { place })
