// A question to a service, in a form of no face: spelt in GraphQL and REST by spell-*.ts, answered naively by evaluate.ts.

export interface Question {
  readonly resource: string
  readonly list: ListQuestion
}

export interface ListQuestion {
  readonly where?: ConditionJson
  readonly order: readonly OrderQuestion[]
  readonly page: PageQuestion
  readonly select: Selection
  readonly total: boolean
  readonly measures?: readonly MeasureQuestion[]
  readonly groups?: {
    readonly by: readonly string[]
    readonly limit: number
    readonly measures: readonly MeasureQuestion[]
  }
}

export type ConditionJson = { readonly [member: string]: unknown }

export interface OrderQuestion {
  /** To-one relations, then the member. */
  readonly path: readonly string[]
  readonly descending: boolean
  readonly nulls?: "first" | "last"
}

interface PageQuestion {
  readonly size: number
  readonly backward: boolean
  /** Rows of the list without its condition, in its order, counted from 0; only roots have them. */
  readonly after?: number
  readonly before?: number
}

export interface Selection {
  /** Scalar members: fields and references; `id` is always selected first. */
  readonly scalars: readonly string[]
  readonly ones: readonly { readonly relation: string; readonly select: Selection }[]
  readonly manys: readonly { readonly relation: string; readonly list: ListQuestion }[]
}

export type MeasureQuestion =
  | { readonly kind: "count" }
  | { readonly kind: "sum" | "avg" | "min" | "max"; readonly field: string }

/** What both faces' answers are brought to before they are compared. */
export interface ListAnswer {
  readonly rows: readonly RecordAnswer[]
  readonly next: boolean
  readonly previous: boolean
  readonly total?: number
  readonly measures?: Record<string, unknown>
  readonly groups?: readonly {
    readonly key: Record<string, unknown>
    readonly measures: Record<string, unknown>
  }[]
}

export interface RecordAnswer {
  readonly [member: string]: unknown
}

export const measureName = (measure: MeasureQuestion): string =>
  measure.kind === "count" ? "count" : `${measure.kind}.${measure.field}`
