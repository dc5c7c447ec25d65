import { CriticalityLevel, diff, validate } from "@graphql-inspector/core"
import { buildSchema, Source } from "graphql"

/** @param schema as `bifold schema --graphql` prints it */
export function mistakesIn(schema: string, documents: readonly string[]): readonly string[] {
  const sources = documents.map((text, index) => new Source(text, `document ${index + 1}`))
  return validate(buildSchema(schema), sources).flatMap(({ errors, deprecated }) =>
    [...errors, ...deprecated].map(({ message }) => message),
  )
}

/** Changes from one schema to another that break clients. */
export async function breakingChanges(before: string, after: string): Promise<readonly string[]> {
  const changes = await diff(buildSchema(before), buildSchema(after))
  return changes
    .filter(({ criticality }) => criticality.level === CriticalityLevel.Breaking)
    .map(({ message }) => message)
}
