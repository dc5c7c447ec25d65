// The form of a case of a rule, and short spellings of the declarations that cases are made of.
import type {
  FieldDeclaration,
  RelationDeclaration,
  ResourceDeclaration,
  ServiceDeclaration,
} from "../../../src/model/declaration/declaration.ts"

/** Place, message, and a hint where there is one. */
export type Reported = readonly [place: string, message: string, hint?: string]

export interface Case {
  readonly it: string
  readonly broken: ServiceDeclaration
  readonly reported: readonly Reported[]
}

export const text: FieldDeclaration = { scalar: "text" }

export const service = (
  resources: Readonly<Record<string, ResourceDeclaration>>,
  rest: Partial<ServiceDeclaration> = {},
): ServiceDeclaration => ({ name: "shop", resources, ...rest })

/** A service of one resource, `item`. */
export const item = (rest: Partial<ResourceDeclaration>): ServiceDeclaration =>
  service({ item: { fields: { name: text }, ...rest } })

export const field = (name: string, field: FieldDeclaration): ServiceDeclaration =>
  item({ fields: { [name]: field } })

export const one = (target: string, rest: object = {}): RelationDeclaration => ({
  kind: "one",
  target,
  ...rest,
})
export const many = (target: string, rest: object = {}): RelationDeclaration => ({
  kind: "many",
  target,
  ...rest,
})

export const unslow =
  "Use letters, classes, groups, alternatives and repetitions; say lengths by `min` and `max`."

export const run = () => ({})
