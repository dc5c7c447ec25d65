// Errors on their way to a client: problems with the places of GraphQL (specification section 7.1.2).
import { GraphQLError, type SourceLocation } from "graphql"
import type { Code } from "../../base/codes.ts"
import { type Problem, Refusal } from "../../base/problem.ts"
import { traceIdMember } from "../../base/tracing.ts"

export interface RequestError extends Problem {
  readonly locations?: readonly SourceLocation[]
  /** Response keys and list positions, of errors about a value in the answer or a field of a mutation. */
  readonly path?: readonly (string | number)[]
  /** For a field of a mutation: the mistakes in its arguments. */
  readonly mistakes?: readonly InputMistake[]
}

export interface InputMistake extends Omit<Problem, "place"> {
  /** Absent when the mistake concerns no single argument. */
  readonly argument?: string
  /** A JSON pointer (RFC 6901) into the argument's value; empty for all of it. */
  readonly pointer: string
}

/** Messages of graphql-js repeat what was sent, which may be long, once per mistake in it. */
const longestMessage = 1_000

/** A refusal by graphql-js, under the code of the current stage. */
export function fromGraphqlError(code: Code, error: GraphQLError): RequestError {
  const { message, locations } = error
  const short = message.length > longestMessage ? `${message.slice(0, longestMessage)}…` : message
  return { code, message: short, ...(locations && { locations }) }
}

/** Refusals carry RequestErrors. */
export function refuse(errors: readonly RequestError[]): never {
  throw new Refusal(errors as readonly [Problem, ...Problem[]])
}

/** Runs a step of graphql-js; a person's mistake goes to `report`, and the result then is undefined. */
export function attempt<Result>(
  step: () => Result,
  report: (error: GraphQLError) => void,
): Result | undefined {
  try {
    return step()
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error
    report(error)
    return undefined
  }
}

/** Codes whose hints name parts of the schema. */
const suggesting: ReadonlySet<Code> = new Set(["unknown_field", "unknown_operator", "unknown_parameter"])

/** The member of `errors` as the client gets it. Hints that name the schema's parts only go to who may introspect. */
export function formatError(error: RequestError, requestId: string, introspection: boolean): object {
  const { code, message, place, locations, path, mistakes } = error
  const told = <Told extends Pick<Problem, "code" | "hint">>({ hint, ...rest }: Told) => ({
    ...rest,
    ...(hint !== undefined && (introspection || !suggesting.has(rest.code)) && { hint }),
  })
  const errors = mistakes && { errors: mistakes.map(told) }
  const { hint } = told(error)
  return {
    message,
    ...(locations && { locations }),
    ...(path && { path }),
    extensions: {
      code,
      requestId,
      ...traceIdMember(),
      ...(place && { place }),
      ...(hint !== undefined && { hint }),
      ...errors,
    },
  }
}
