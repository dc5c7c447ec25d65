// User code belongs to declared members, its names are unique, and its inputs and outputs are values.
import type { Place } from "../../base/problem.ts"
import { suggest } from "../../base/suggest.ts"
import { codeFields } from "../build/build-code.ts"
import type {
  ActionDeclaration,
  FieldDeclaration,
  RunAsDeclaration,
  ServiceDeclaration,
} from "../declaration/declaration.ts"
import { defaultResourceNames, enumerationName } from "../declaration/default-names.ts"
import { own } from "../declaration/keys.ts"
import { actionName, mutationNames, transitionNames } from "../declaration/mutation-names.ts"
import { ownEventTypes, payloadFields } from "../declaration/own-events.ts"
import { listed, machinesIn } from "../declaration/states.ts"
import { isGraphqlName, kebabCase, pascalCase } from "../names.ts"
import { readAction, reservedTypes } from "../reserved.ts"
import { claims, fieldsOf, ofColumns, type Report, type Rule, resourcesOf } from "./context.ts"
import { checkValues } from "./values-apart.ts"

/** Milliseconds: others may have to wait for it. */
const longestDeadline = 60_000

export const userCode: Rule = (service, report) => {
  if (!service.code) return
  const roots = claims<string>()
  for (const name of changesOf(service)) roots.claim(name, "another mutation")
  for (const action of actionsOf(service, report)) {
    const { name, root, place } = action
    if (!isGraphqlName(name)) {
      report(place, `"${name}" cannot be the name of an operation.`, "Letters and digits, as in applyCoupon.")
      continue
    }
    const owner = roots.claim(root, `"${name}"`)
    if (owner !== undefined) report(place, `"${name}" would be the mutation "${root}", which ${owner} is.`)
    checkAction(service, action, report)
  }
  checkTypes(service, report)
  for (const [resource, hooks] of Object.entries(service.code.before ?? {})) {
    const place: Place = ["code", "before", resource]
    if (!own(service.resources, resource))
      report(place, `There is no resource "${resource}".`, suggest(resource, Object.keys(service.resources)))
    for (const [name, told] of Object.entries(hooks))
      if (typeof told !== "function") checkRunAs(service, told.as, [...place, name], report)
  }
}

interface PlacedAction {
  readonly name: string
  /** The field of `Mutation`. */
  readonly root: string
  readonly action: ActionDeclaration
  readonly place: Place
  /** Absent for an operation of the service. */
  readonly resource?: string
}

function actionsOf(service: ServiceDeclaration, report: Report): readonly PlacedAction[] {
  const { code, resources } = service
  const found: PlacedAction[] = []
  for (const [resource, actions] of Object.entries(code?.actions ?? {})) {
    const place: Place = ["code", "actions", resource]
    const declared = own(resources, resource)
    if (!declared) {
      report(place, `There is no resource "${resource}".`, suggest(resource, Object.keys(resources)))
      continue
    }
    if (declared.key === false) {
      report(place, `The records of "${resource}" have no id to call an action by.`, "Use an operation.")
      continue
    }
    if (own(declared.relations, "actions"))
      report(place, `"${resource}" has a relation "actions", whose address its actions would have.`)
    const segments = claims<string>()
    for (const [name, action] of Object.entries(actions)) {
      const at = [...place, name]
      const first = segments.claim(kebabCase(name), name)
      if (first !== undefined) report(at, `"${name}" and "${first}" would have the same address.`)
      if (name === readAction)
        report(
          at,
          'No action can be called "read": rules use this name for reading a record.',
          "Give it another name.",
        )
      if (own(action.output, resource))
        report([...at, "output", resource], `"${resource}" in the answer is the record itself.`)
      found.push({ name, root: actionName({ name: resource }, name), action, place: at, resource })
    }
  }
  const operations = Object.entries(code?.operations ?? {})
  const path = resourcesOf(service).find(
    ({ name, resource }) => defaultResourceNames(name, resource).path === "actions",
  )
  if (operations.length > 0 && path)
    report(["code", "operations"], `"${path.name}" has the address "/actions", which operations would have.`)
  const segments = claims<string>()
  for (const [name, action] of operations) {
    const at = ["code", "operations", name]
    const first = segments.claim(kebabCase(name), name)
    if (first !== undefined) report(at, `"${name}" and "${first}" would have the same address.`)
    found.push({ name, root: name, action, place: at })
  }
  return found
}

function checkAction(service: ServiceDeclaration, { action, place }: PlacedAction, report: Report): void {
  const { as, deadline } = action
  if (deadline !== undefined && !(Number.isInteger(deadline) && deadline >= 1 && deadline <= longestDeadline))
    report(
      [...place, "deadline"],
      `A deadline is a whole number of milliseconds from 1 to ${longestDeadline}, not ${deadline}.`,
    )
  checkRunAs(service, as, place, report)
  for (const part of ["input", "output"] as const)
    checkValues(service, action[part], { place: [...place, part], without: ofColumns }, report)
  checkEmits(service, action, place, report)
}

/** User code emits events that the service declares. */
function checkEmits(
  service: ServiceDeclaration,
  { emits }: ActionDeclaration,
  place: Place,
  report: Report,
): void {
  if (emits === undefined) return
  const known = ownEventTypes(service)
  const types = listed(emits)
  for (const [index, type] of types.entries()) {
    const at: Place = [...place, "emits", ...(typeof emits === "string" ? [] : [index])]
    if (!known.includes(type))
      report(
        at,
        `There is no event "${type}" that user code could emit.`,
        suggest(type, known) ?? "Declare it as one of the `events` of its resource.",
      )
    else if (types.indexOf(type) < index) report(at, `"${type}" is named twice.`)
  }
}

/** The mutations of a service without user code. */
function changesOf(service: ServiceDeclaration): readonly string[] {
  return resourcesOf(service).flatMap(({ name, resource }) => {
    const named = { name, ...defaultResourceNames(name, resource) }
    const machines = Object.values(machinesIn(resource.states))
    return [
      ...Object.values(mutationNames(named)),
      ...machines.flatMap(({ transitions }) =>
        Object.keys(transitions).flatMap((transition) => Object.values(transitionNames(named, transition))),
      ),
    ]
  })
}

/** Enumerations of inputs and outputs are types as well. */
function checkTypes(service: ServiceDeclaration, report: Report): void {
  const inline = (field: FieldDeclaration): boolean => field.of !== undefined && typeof field.of !== "string"
  const taken = new Set([
    ...reservedTypes,
    ...resourcesOf(service).map(({ name, resource }) => defaultResourceNames(name, resource).type),
    ...Object.keys(service.enums ?? {}).map(pascalCase),
    ...fieldsOf(service).flatMap(({ name, member, of }) =>
      inline(member) ? [enumerationName(of.name, name, member)] : [],
    ),
    ...payloadFields(service).flatMap(({ owner, name, field }) =>
      inline(field) ? [enumerationName(owner, name, field)] : [],
    ),
  ])
  for (const { owner, name, field } of codeFields(service)) {
    if (!inline(field)) continue
    const type = enumerationName(owner, name, field)
    if (taken.has(type))
      report(["code"], `The values of "${name}" would have the type "${type}", which there is already.`)
    taken.add(type)
  }
}

// Roles and scopes in `as` of user code are declared.

/** @param place of the code that has `as` */
export function checkRunAs(
  service: ServiceDeclaration,
  as: RunAsDeclaration | undefined,
  place: Place,
  report: Report,
): void {
  for (const kind of ["roles", "scopes"] as const)
    for (const [index, name] of (as?.[kind] ?? []).entries())
      if (!service[kind]?.includes(name))
        report(
          [...place, "as", kind, index],
          `There is no ${kind.slice(0, -1)} "${name}".`,
          suggest(name, service[kind] ?? []),
        )
}
