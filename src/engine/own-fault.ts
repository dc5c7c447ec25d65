// A fault of the service's own code: whoever asked is told only that there is one, the log what it was.
import { type Problem, Refusal, refusal } from "../base/problem.ts"

export class OwnCodeFault extends Error {
  override readonly name = "OwnCodeFault"
}

/** @param what the operation, such as `applyCoupon of order` */
export const brokenCode = (what: string, thrown: unknown, place: Problem["place"]): Refusal =>
  new Refusal(
    [
      {
        code: "internal",
        message: "Something went wrong inside the service. Nothing was done.",
        hint: "Quote the requestId when you report it.",
        ...(place && { place }),
      },
    ],
    { cause: new OwnCodeFault(`The code of ${what} failed.`, { cause: thrown }) },
  )

/** It gave something else than its output says: only the log is told what. */
export const wrongOutput = (what: string, wrong: string, place: Problem["place"]): Refusal =>
  new Refusal(
    [
      {
        code: "wrong_output",
        message: "The service's own code gave what it does not say that it gives. Nothing was done.",
        hint: "Quote the requestId when you report it.",
        ...(place && { place }),
      },
    ],
    { cause: new OwnCodeFault(`The code of ${what} ${wrong}.`) },
  )

export const timeOver = (what: string, place: Problem["place"]): Refusal =>
  refusal("action_timeout", `${what} took longer than it may. Nothing was done.`, {
    hint: "Try again in a moment.",
    ...(place && { place }),
  })
