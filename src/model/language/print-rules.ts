// Rules as source: the builders where they say all of a rule, plain data where it is a condition.
import type { JsonValue } from "../../base/json.ts"
import type { AllowDeclaration, RuleDeclaration, RuleObject } from "../policy-declaration.ts"
import { array, call, jsonSource, object, type Source, string, word } from "./source-text.ts"

export function allowSource({ read, create, update, delete: remove }: AllowDeclaration): Source {
  const all = { read, create, update, delete: remove }
  return object(
    Object.entries(all).flatMap(([action, given]) =>
      given === undefined ? [] : [[action, ruleSource(given)] as const],
    ),
  )
}

export const ruleSource = (given: RuleDeclaration): Source =>
  isSeveral(given) ? array(given.map(oneSource)) : oneSource(given)

const isSeveral = (given: unknown): given is readonly RuleObject[] => Array.isArray(given)

const isObject = (input: unknown): input is RuleObject =>
  typeof input === "object" && input !== null && !Array.isArray(input)

function oneSource(rule: RuleObject): Source {
  return (
    builderSource(rule) ?? object(Object.entries(rule).map(([name, value]) => [name, within(name, value)]))
  )
}

/** Undefined when no builder gives such an object. */
function builderSource(rule: RuleObject): Source | undefined {
  const [name, ...others] = Object.keys(rule)
  if (isSeveral(rule["fields"]) && others.length === 1 && "when" in rule)
    return call("only", jsonSource(rule["fields"] as JsonValue), ruleSource(rule["when"] as RuleDeclaration))
  if (name === undefined || others.length > 0) return undefined
  const value = rule[name]
  if ((name === "anyone" || name === "signedIn") && value === true) return word(name)
  return (name === "role" || name === "scope" || name === "together") && typeof value === "string"
    ? call(name, string(value))
    : undefined
}

/** The value of a rule's member: rules in a connective, else a condition on the member. */
function within(name: string, value: unknown): Source {
  if ((name === "and" || name === "or") && isSeveral(value)) return ruleSource(value)
  return name === "not" && isObject(value) ? oneSource(value) : conditionSource(value as JsonValue)
}

function conditionSource(value: JsonValue): Source {
  if (Array.isArray(value)) return array(value.map(conditionSource))
  if (!isObject(value)) return jsonSource(value)
  const members = Object.entries(value as Readonly<Record<string, JsonValue>>)
  const isViewerId = members.length === 1 && value["viewer"] === "id"
  return isViewerId
    ? word("viewer.id")
    : object(members.map(([name, inner]) => [name, conditionSource(inner)]))
}
