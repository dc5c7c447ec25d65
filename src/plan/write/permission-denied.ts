// Problems for denied permissions.
import { type Place, type Refusal, refusal } from "../../base/problem.ts"

/** @param action also the name of a transition or an own action, of which those of one word read as a verb */
export const permissionDeniedText = (action: string, resource: string): string =>
  isWord(action)
    ? `You may not ${action} this ${resource}.`
    : `You may not do \`${action}\` to this ${resource}.`

const isWord = (name: string): boolean => /^[a-z]+$/.test(name)

export const permissionDenied = (action: string, resource: string, place: Place): Refusal =>
  refusal("forbidden", permissionDeniedText(action, resource), { place })

/** For an operation that is about no record. */
export const callDenied = (operation: string, place?: Place): Refusal =>
  refusal(
    "forbidden",
    `You may not ${isWord(operation) ? operation : `do \`${operation}\``}.`,
    place && { place },
  )
