// Limits of a request's size: their names, defaults and greatest settings. A service sets them in `limits`;
// docs/reference/limits.md lists them.
import { mostProblems } from "../base/problem.ts"

interface Limit {
  readonly preset: number
  /** The greatest setting. Beyond it a database, or the process, would be at risk. */
  readonly most: number
}

export const sizeLimits = {
  /** Levels of relations in a selection, and of relations and connectives in a condition. */
  depth: { preset: 12, most: 50 },
  /** Characters of a GraphQL document, as UTF-16 code units. */
  characters: { preset: 100_000, most: 1_000_000 },
  /** Tokens of a GraphQL document (its specification, section 2.1.6). */
  tokens: { preset: 10_000, most: 100_000 },
  /** Brackets inside one another in a GraphQL document, and levels of its variables. The parser recurses. */
  nesting: { preset: 200, most: 500 },
  /** Aliases in a GraphQL document. */
  aliases: { preset: 2_000, most: 10_000 },
  /** Directives in a GraphQL document. */
  directives: { preset: 500, most: 10_000 },
  /** Fragments that a GraphQL document defines. */
  fragments: { preset: 200, most: 1_000 },
  /** Fields of a GraphQL operation once its fragments are spread. */
  fields: { preset: 10_000, most: 100_000 },
  /** Terms of one order. */
  sort: { preset: 8, most: 16 },
  /** Values of one `in` or `notIn`. */
  values: { preset: 10_000, most: 30_000 },
  /** Comparisons in all conditions of a request. SQLite compiles an expression at most 1,000 deep. */
  terms: { preset: 1_000, most: 1_000 },
  /** Steps to related records in all conditions of a request. Each is a subquery, and databases plan few at a time. */
  relations: { preset: 100, most: 200 },
  /** Lists and records that a request looks for by themselves: PostgreSQL takes 1,664 columns, and plans each of them. */
  lookups: { preset: 1_000, most: 1_500 },
  /** Members that all of those ask for: each is a part of the statement's text. */
  members: { preset: 50_000, most: 50_000 },
  /** Requests of one batch by REST. */
  batch: { preset: 100, most: 1_000 },
  /** Records that a request may write, with nested ones and links. */
  writes: { preset: 1_000, most: 1_000 },
} as const satisfies Readonly<Record<string, Limit>>

export type SizeLimitName = keyof typeof sizeLimits

export type SizeLimits = Readonly<Record<SizeLimitName, number>>

export const sizeLimitNames = Object.keys(sizeLimits) as readonly SizeLimitName[]

/** The limits with those that are not set at their defaults. */
export const withDefaultSizes = (set: Partial<SizeLimits> = {}): SizeLimits =>
  Object.fromEntries(sizeLimitNames.map((name) => [name, set[name] ?? sizeLimits[name].preset])) as SizeLimits

/** Limits that are checked before the service is known, and so cannot be set. */
export const fixedLimits = {
  /** Names in one `fields`, `sort`, `aggregate` or `groupBy` of a REST request. */
  names: 500,
  /** Related records and lists in `include` of a REST request. */
  includes: 100,
  /** Values that a statement binds. SQLite takes 32,766, PostgreSQL 65,535. */
  parameters: 32_766,
  /** Parameters of a query string. */
  query: 200,
  /** Names and indexes in the name of a parameter. Twice the greatest `depth`, and room for the parts around a condition. */
  steps: 128,
  /** Arrays and objects of JSON inside one another. A megabyte of brackets takes JSON.parse 40 ms and more. */
  levels: 1_000,
  /** Mistakes of a request that an answer names. */
  mistakes: mostProblems,
} as const

/**
 * The message of a refusal: the limit, its value and the size of the request.
 * @param what `The document has 10,001 tokens`, without the end of the sentence
 */
export const overLimit = (
  what: string,
  name: SizeLimitName | keyof typeof fixedLimits,
  most: number,
): string => `${what}; at most ${most} are read (limit \`${name}\`).`

/** The price of a request: from the model and its page sizes alone, before a row is read. */
export interface Charge {
  readonly points: number
  /** Records that the answer may have. */
  readonly records: number
  /** Bytes that the answer may have: an expectation by the types of its fields. */
  readonly bytes: number
}

/** Limits of one request. */
export const requestLimits = {
  /** Points of a request. */
  perRequest: { preset: 200_000, most: 2_000_000_000 },
  /** Records that an answer may have. */
  records: { preset: 100_000, most: 2_000_000_000 },
  /** Bytes that an answer may have, as its fields' types let expect. */
  bytes: { preset: 32 * 1024 * 1024, most: 1_000_000_000_000 },
} as const satisfies Readonly<Record<string, Limit>>

/** Limits that hold where they are set. */
export const optionalLimits = {
  /** Rows that the database may look at for a request, as its statistics tell. */
  scanned: { most: 1_000_000_000_000 },
  /** Points a minute. */
  perMinute: { most: 100_000_000 },
  /** Requests under way at the same time, in each process. */
  concurrent: { most: 100_000 },
} as const

export type RequestLimitName = keyof typeof requestLimits
export type OptionalLimitName = keyof typeof optionalLimits
export type CostLimitName = RequestLimitName | OptionalLimitName

export const requestLimitNames = Object.keys(requestLimits) as readonly RequestLimitName[]
export const optionalLimitNames = Object.keys(optionalLimits) as readonly OptionalLimitName[]
export const costLimitNames: readonly CostLimitName[] = [...requestLimitNames, ...optionalLimitNames]

/** The greatest setting of a limit of cost. */
export const mostOf = (name: CostLimitName): number =>
  name in optionalLimits
    ? optionalLimits[name as OptionalLimitName].most
    : requestLimits[name as RequestLimitName].most

export type CostLimits = Readonly<Record<RequestLimitName, number>> &
  Readonly<Partial<Record<OptionalLimitName, number>>>

/** Limits of cost as they are declared. */
export type CostDeclaration = Partial<CostLimits>

/** `allowed`: others are answered too. `required`: only registered documents are answered. */
export const documentsModes = ["allowed", "required"] as const
export type DocumentsMode = (typeof documentsModes)[number]

/** The tier of callers without credentials, where a service declares one. */
export const anonymousTier = "anonymous"

/** The limits, with defaults for absent ones; limits of a tier go before limits of the service. */
export function withDefaultCosts(set: CostDeclaration = {}, tier: CostDeclaration = {}): CostLimits {
  const given: CostDeclaration = { ...set, ...tier }
  const { perMinute = Number.POSITIVE_INFINITY } = given
  return {
    // A request beyond the points of a minute could never be sent.
    perRequest: Math.min(requestLimits.perRequest.preset, perMinute),
    records: requestLimits.records.preset,
    bytes: requestLimits.bytes.preset,
    ...given,
  }
}

/** Whether callers have limits over time, so that requests are counted. */
export const countsRequests = ({
  cost,
  tiers,
}: {
  readonly cost: CostLimits
  readonly tiers: ReadonlyMap<string, CostLimits>
}): boolean =>
  [cost, ...tiers.values()].some(
    ({ perMinute, concurrent }) => perMinute !== undefined || concurrent !== undefined,
  )
