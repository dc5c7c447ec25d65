// `__schema` and `__type`: graphql-js answers them, for just that part of an operation.
import { executeSync } from "graphql"
import { invariant, present } from "../../base/invariant.ts"
import type { JsonText } from "../../base/json.ts"
import type { FieldGroup, Operation } from "./operation.ts"
import type { VariableRequest } from "./variables.ts"

/** The values of these root fields, by response key. */
export function introspect(
  operation: Operation,
  input: VariableRequest["input"],
  groups: readonly FieldGroup[],
): ReadonlyMap<string, JsonText> {
  if (groups.length === 0) return new Map()
  const { schema, definition, fragments } = operation
  const selectionSet = { ...definition.selectionSet, selections: groups.flatMap(({ nodes }) => nodes) }
  const { data, errors } = executeSync({
    schema,
    document: { kind: "Document", definitions: [{ ...definition, selectionSet }, ...fragments.values()] },
    variableValues: input,
  })
  invariant(!errors, `introspection failed: ${errors?.[0]?.message}`)
  const answered = present(data, "introspection has data")
  return new Map(groups.map(({ key }) => [key, JSON.stringify(answered[key])]))
}
