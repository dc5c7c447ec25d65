// The version of the API that `--api-version` names.
import { refusal } from "../../base/problem.ts"
import type { Model } from "../../model/model.ts"
import { modelAt } from "../../model/versions/model-at.ts"

export function versionOf(model: Model, version: string | undefined): Model {
  const names = model.versions?.map(({ name }) => name) ?? []
  if (version === undefined) return model
  if (names.includes(version)) return modelAt(model, version)
  throw refusal("invalid_command", `There is no version ${JSON.stringify(version)} of this API.`, {
    hint: names.length === 0 ? "The service has no versions." : `There are: ${names.join(", ")}.`,
  })
}
