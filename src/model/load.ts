// load: from a written declaration to the frozen Model, or to every mistake in it at once.
import { present } from "../base/invariant.ts"
import { collectProblems, type Place, type Problems } from "../base/problem.ts"
import { buildModel } from "./build/build-model.ts"
import { isDatabaseDefault } from "./declaration/build-field.ts"
import type {
  FieldDeclaration,
  MachineDeclaration,
  ResourceDeclaration,
  ServiceDeclaration,
} from "./declaration/declaration.ts"
import { own } from "./declaration/keys.ts"
import { isMachine, machinesIn, statesIn } from "./declaration/states.ts"
import { parseDeclaration } from "./language/declaration.ts"
import type { Model } from "./model.ts"
import type { Rule } from "./validation/context.ts"
import { ofValues, rules } from "./validation/rules.ts"
import { makeModelAt } from "./versions/model-at.ts"

/** The Model of a service. Throws a Refusal with every mistake, each with its place in the declaration. */
export function load(declaration: ServiceDeclaration): Model {
  const { problems, model } = examine(declaration)
  problems.settle()
  return present(model, "a service without mistakes has a Model")
}

interface Examined {
  readonly problems: Problems
  /** Also for a service with mistakes, when they are in values only: later checks then find more of them. */
  readonly model?: Model
}

/** Every mistake of a service. Throws a Refusal when it is not even shaped like one. */
export function examine(declaration: ServiceDeclaration): Examined {
  const written = parseDeclaration(declaration)
  const service = withStates(written)
  const problems = collectProblems(Number.POSITIVE_INFINITY)
  let sound = true
  for (const [name, rule] of Object.entries<Rule>(rules)) {
    const before = problems.found.length
    rule(service, (place, message, hint) =>
      problems.add("invalid_declaration", writtenPlace(written, place), message, hint),
    )
    sound &&= problems.found.length === before || ofValues.has(name)
  }
  if (!sound) return { problems }
  const model = freeze(buildModel(service))
  checkVersions(model, problems)
  return { problems, model }
}

/** Each older version has the members that its changes refer to. */
function checkVersions(model: Model, problems: Problems): void {
  const oldest = model.versions?.at(-1)
  if (!oldest) return
  makeModelAt(model, oldest.name, (version, change, message, hint) =>
    problems.add("invalid_declaration", ["versions", version, change], message, hint),
  )
}

/** Frozen all the way down; a map refuses to be changed. */
function freeze<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value
  if (value instanceof Map) {
    for (const name of ["set", "delete", "clear"]) Object.defineProperty(value, name, { value: refuseChange })
    for (const item of value.values()) freeze(item)
  } else {
    for (const item of Object.values(value)) freeze(item)
  }
  return Object.freeze(value)
}

function refuseChange(): never {
  throw new TypeError("A Model does not change.")
}

// The fields that hold states: written into a declaration, so that all rules about fields apply to them as well.
export function withStates(service: ServiceDeclaration): ServiceDeclaration {
  const resources = Object.entries(service.resources).map(([name, it]) => [name, withFields(it)] as const)
  return { ...service, resources: Object.fromEntries(resources) }
}

function withFields(resource: ResourceDeclaration): ResourceDeclaration {
  const machines = Object.entries(machinesIn(resource.states))
  if (machines.length === 0) return resource
  const held = machines.map(([name, it]) => [name, stateField(own(resource.fields, name), it)] as const)
  return { ...resource, fields: { ...resource.fields, ...Object.fromEntries(held) } }
}

/**
 * A declared field keeps its column, its name, and any setting that states-held-by-fields (rules/) reports; texts become
 * the states that the machine names.
 */
function stateField(declared: FieldDeclaration | undefined, machine: MachineDeclaration): FieldDeclaration {
  const { min, max, pattern, ...text } = declared ?? { scalar: "text" }
  const field: FieldDeclaration =
    text.scalar === "text" ? { ...text, scalar: "oneOf", of: statesIn(machine) } : (declared ?? text)
  const isUsual = field.default === undefined || isDatabaseDefault(field.default)
  const isFit = field.scalar === "oneOf" && !field.list && !field.generated
  return {
    ...field,
    readonly: true,
    ...(isUsual && isFit && { default: machine.initial }),
  }
}

/** The place in the written declaration for a mistake in an added field. */
function writtenPlace(written: ServiceDeclaration, place: Place): Place {
  const [first, resource, members, name] = place
  if (first !== "resources" || members !== "fields") return place
  const { states, fields } = own(written.resources, String(resource)) ?? {}
  const held = own(machinesIn(states), String(name))
  if (!held || states === undefined || own(fields, String(name))) return place
  return ["resources", String(resource), "states", ...(isMachine(states) ? [] : [String(name)])]
}
