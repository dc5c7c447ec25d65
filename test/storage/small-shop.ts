// A shop of a few fields, and what tests of single migrations do with it.
import assert from "node:assert/strict"
import { Refusal } from "../../src/base/problem.ts"
import type { FieldDeclaration, ResourceDeclaration } from "../../src/model/declaration/declaration.ts"
import { load } from "../../src/model/load.ts"
import type { Model } from "../../src/model/model.ts"
import { migrate } from "../../src/storage/migration/migrate.ts"
import type { Database } from "./migrated-databases.ts"

export const text: FieldDeclaration = { scalar: "text" }
export const shop = (
  fields: Readonly<Record<string, FieldDeclaration>>,
  rest: Partial<ResourceDeclaration> = {},
  others: Readonly<Record<string, ResourceDeclaration>> = {},
): Model => load({ name: "shop", resources: { item: { fields, ...rest }, ...others } })

export const customer: ResourceDeclaration = { fields: { name: text } }
export const toCustomer = {
  relations: { customer: { kind: "one", target: "customer", optional: true } },
} as const

/** A migration that is refused, and what is told then. */
export interface Refusing {
  readonly what: string
  readonly from: Model
  readonly to: Model
  readonly rows?: readonly string[]
  readonly allow?: readonly string[]
  readonly told: RegExp
  readonly hint?: string
}

export async function refused(database: Database, model: Model, allow: readonly string[]): Promise<Refusal> {
  try {
    await migrate(database.url, model, { allow })
  } catch (error) {
    assert.ok(error instanceof Refusal, String(error))
    return error
  }
  throw new Error("it was not refused")
}

export const run = (database: Database, commands: readonly string[]): Promise<void> =>
  commands.reduce<Promise<void>>(async (before, command) => {
    await before
    await database.ask(command)
  }, Promise.resolve())

export const plainly = (rows: readonly object[]): readonly object[] => rows.map((row) => ({ ...row }))
