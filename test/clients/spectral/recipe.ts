import spectral, { type RulesetDefinition } from "@stoplight/spectral-core"
import rulesets from "@stoplight/spectral-rulesets"

export async function lint(document: Record<string, unknown>): Promise<readonly string[]> {
  const linter = new spectral.Spectral()
  linter.setRuleset({ extends: [rulesets.oas as RulesetDefinition] })
  const found = await linter.run(document)
  return found.map(({ code, path, message }) => `${code} at ${path.join(".")}: ${message}`)
}
