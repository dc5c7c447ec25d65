// Faults of user code: the caller learns only that there was one, the log has the error.
import { type Problem, Refusal, refusal } from "../../base/problem.ts"

export class UserCodeError extends Error {
  override readonly name = "UserCodeError"
}

/** The code has ended the thread that it ran in, or would have ended the process. */
export class CodeCrash extends Error {
  override readonly name = "CodeCrash"
}

/** A call that shared its thread with a call that ended the thread, or holds it up: the interrupted call is not to blame. */
export class CallInterrupted extends Error {
  override readonly name = "CallInterrupted"
}

/** Something else than the declaration says. The message is the rest of a sentence. */
export class WrongShape extends Error {
  override readonly name = "WrongShape"
}

export const notAwaited = (): Error =>
  new Error("The code returned before its requests to `db` were done: await everything.")

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
    { cause: new UserCodeError(`The code of ${what} failed.`, { cause: thrown }) },
  )

/** Output outside its declaration; details go to the log only. */
export const wrongOutput = (what: string, wrong: string, place: Problem["place"]): Refusal =>
  new Refusal(
    [
      {
        code: "wrong_output",
        message: "User code returned a value that its declaration does not allow. Nothing was written.",
        hint: "Quote the requestId when you report it.",
        ...(place && { place }),
      },
    ],
    { cause: new UserCodeError(`The code of ${what} ${wrong}.`) },
  )

export const timeOver = (what: string, place: Problem["place"]): Refusal =>
  refusal("action_timeout", `${what} took longer than it may. Nothing was done.`, {
    hint: "Try again in a moment.",
    ...(place && { place }),
  })

/** Another call has ended the thread: it may well go through the next time. */
export const interrupted = (what: string, place: Problem["place"]): Refusal =>
  refusal("action_interrupted", `${what} was interrupted by other code of the service. Nothing was done.`, {
    hint: "Try again in a moment.",
    ...(place && { place }),
  })
