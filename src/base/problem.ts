// Problem: the only error value, as data. `Refusal` carries one or more of them up the stack.
import { type Code, codes, kinds, type ProblemKind } from "./codes.ts"

/** Where in the request the mistake stands: member names and list positions, outermost first. */
export type Place = readonly (string | number)[]

export interface Problem {
  readonly code: Code
  /** One sentence for a person: the mistake, with the name of the thing. */
  readonly message: string
  /** The next step for the client, or a correct value. */
  readonly hint?: string
  readonly place?: Place
  /** For a declaration: the file and line of the mistake, or of the part that holds it. */
  readonly source?: { readonly file: string; readonly line: number }
}

/** A person's mistake, thrown with every mistake found at once. */
export class Refusal extends Error {
  override readonly name = "Refusal"
  readonly problems: readonly [Problem, ...Problem[]]

  constructor(problems: readonly [Problem, ...Problem[]], options?: ErrorOptions) {
    super(problems.map((problem) => problem.message).join("\n"), options)
    this.problems = problems
  }

  /** The code of the first problem. */
  get code(): Code {
    return this.problems[0].code
  }
}

/** The cause of a refusal that the client does not get: its words may name hidden members. */
export class Withheld extends Error {
  override readonly name = "Withheld"
  readonly problems: Refusal["problems"]

  /** @param what the operation, such as `applyCoupon of order` */
  constructor(what: string, refused: Refusal) {
    super(`The code of ${what} was refused.`, { cause: refused })
    this.problems = refused.problems
  }
}

/** A Refusal with one problem. */
export function refusal(code: Code, message: string, rest: Omit<Problem, "code" | "message"> = {}): Refusal {
  return new Refusal([{ code, message, ...rest }])
}

export function kindOf(problem: Problem): ProblemKind {
  return codes[problem.code].kind
}

/** Whether the service is to blame, and no part of the request or of stored data. */
export function isOfService(code: Code): boolean {
  const { kind } = codes[code]
  return kind !== "data" && kinds[kind].blame === "service"
}

/** Collects problems so that a person sees all of them at once. */
export interface Problems {
  readonly found: Problem[]
  add(code: Code, place: Place, message: string, hint?: string): void
  /** Throws a Refusal when anything was added. */
  settle(): void
}

/** Problems of a request that are looked for: 50,000 mistakes must not cost 50,000 suggestions. */
export const mostProblems = 100

export function collectProblems(most = mostProblems): Problems {
  const found: Problem[] = []
  const settle = (): void => {
    const [first, ...rest] = found
    if (first) throw new Refusal([first, ...rest])
  }
  return {
    found,
    add(code, place, message, hint) {
      found.push({ code, place, message, ...(hint === undefined ? {} : { hint }) })
      if (found.length >= most) settle()
    },
    settle,
  }
}

/** All that a client learns of a fault of ours; the log has the cause. */
export const internalRefusal = (): Refusal =>
  refusal("internal", "Something went wrong inside the service.", {
    hint: "Quote the requestId when you report it.",
  })
