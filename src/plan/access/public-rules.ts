// Resources whose answers caches may keep (`cache: { public }`): every caller has to read the same of them, or one caller's
// answer would be shown to another.
import { withArticle } from "../../base/article.ts"
import type { Problems } from "../../base/problem.ts"
import type { Model, Resource } from "../../model/model.ts"
import type { Grant, ResourceRules, Rule } from "./policy-types.ts"

/** Adds a mistake for each thing that one caller sees of a public resource and another does not. */
export function refusePrivate(
  model: Model,
  rules: ReadonlyMap<string, ResourceRules>,
  problems: Problems,
): void {
  for (const resource of model.resources.values()) {
    const own = rules.get(resource.name)
    if (resource.publicFor === undefined || !own) continue
    for (const { why, hint } of differences(resource, own, rules))
      problems.add(
        "invalid_declaration",
        ["resources", resource.name, "cache"],
        `Caches would show one caller's answer to another: ${why}.`,
        `Leave out \`cache\`, or ${hint}.`,
      )
  }
}

interface Difference {
  readonly why: string
  readonly hint: string
}

function differences(
  { name, relations }: Resource,
  { actions: { read }, fields }: ResourceRules,
  rules: ReadonlyMap<string, ResourceRules>,
): readonly Difference[] {
  const found: Difference[] = []
  if (read.length === 0)
    found.push({ why: `nobody may read ${withArticle(name)}`, hint: "say `allow: { read: anyone }`" })
  else if (!read.some(isForAll) && !read.every(({ rule }) => isSameForAll(rule)))
    found.push({
      why: `which records of ${name} are read depends on the caller`,
      hint: "give `allow.read` no role, no scope, no `signedIn` and no `viewer`",
    })
  for (const [field, { read: rule }] of fields)
    if (rule && !isSameForAll(rule))
      found.push({
        why: `whether \`${field}\` of ${name} is shown depends on the caller`,
        hint: `give \`read\` of \`${field}\` no role, no scope, no \`signedIn\` and no \`viewer\``,
      })
  for (const relation of relations.values()) {
    if (relation.kind !== "one" || relation.reference === undefined) continue
    // The id of the target comes with the record, for callers that may see some target at all.
    const target = rules.get(relation.target)?.actions.read ?? []
    if (!target.some(({ rule }) => isSameForAll(rule)))
      found.push({
        why: `\`${relation.reference}\` comes with ${withArticle(name)}, and some callers read no ${relation.target}`,
        hint: `let anyone read some records of ${relation.target}`,
      })
  }
  return found
}

const isForAll = ({ rule, fields }: Grant): boolean =>
  fields === undefined && rule.kind === "and" && rule.of.length === 0

/** A rule about records alone: it holds, or does not, for all callers alike. */
function isSameForAll(rule: Rule): boolean {
  switch (rule.kind) {
    case "and":
    case "or":
      return rule.of.every(isSameForAll)
    case "not":
      return isSameForAll(rule.of)
    case "signedIn":
    case "role":
    case "scope":
      return false
    case "records":
      return !rule.viewer
  }
}
