// Renamed resources, and renamed values of fields: enumerations and states.
import { omitUndefined } from "../../base/compact.ts"
import { suggest } from "../../base/suggest.ts"
import { type Expression, replaceFields } from "../expression.ts"
import { formerColumn, isFormerField } from "../former-fields.ts"
import type { Field, Lens, Machine, Resource } from "../model.ts"
import { apiName, collectionOf, kebabCase, pascalCase } from "../names.ts"
import { find, isFixed, lacksMember, type Of, pathNames, type Undoing } from "./undoing.ts"

export function undoRenamedResource(
  undoing: Undoing,
  { resource: now, before }: Of<"renamedResource">,
): void {
  const { resources, enums, report } = undoing
  const resource = find(undoing, now)
  if (!resource) return
  const { alias: _, ...own } = resource
  const collection = collectionOf(before)
  const renamed: Resource = {
    ...own,
    ...(before !== resource.name && { alias: before }),
    type: pascalCase(before),
    collection,
    path: kebabCase(collection),
  }
  const clashing = [...resources.values()].find(
    (one) =>
      one !== resource &&
      (one.type === renamed.type || one.path === renamed.path || one.collection === collection),
  )
  if (clashing)
    report?.(`${apiName(clashing)} has the name "${before}" in this version, or one that goes with it.`)
  const change = (field: Field): Field => {
    const name = `${renamed.type}${pascalCase(field.name)}`
    const found =
      field.enumeration === `${resource.type}${pascalCase(field.name)}` && enums.get(field.enumeration)
    if (found) {
      enums.delete(found.name)
      enums.set(name, { ...found, name })
    }
    return found || (field.enumeration === `${resource.type}${pascalCase(field.name)}` && enums.has(name))
      ? { ...field, enumeration: name }
      : field
  }
  const changed = (of: ReadonlyMap<string, Field>): ReadonlyMap<string, Field> =>
    new Map([...of].map(([name, field]) => [name, change(field)]))
  resources.set(resource.name, {
    ...renamed,
    fields: changed(resource.fields),
    ...(resource.settable && { settable: changed(resource.settable) }),
  })
}

export function undoRenamedValue(
  undoing: Undoing,
  { resource: of, field: name, before, now }: Of<"renamedValue">,
): void {
  const { resources, enums, report, fieldOf } = undoing
  const resource = find(undoing, of)
  const renamed = resource && withInputRenamed(undoing, resource, { of: name, now, before })
  if (renamed) {
    resources.set(resource.name, renamed)
    return
  }
  if (resource && report && !pathNames(resource).includes(name)) lacksMember(undoing, resource, name)
  const enumeration = enums.get(fieldOf(of, name)?.enumeration ?? "")
  if (!enumeration) {
    report?.(
      `"${of}.${name}" has no values of its own.`,
      "A value of a field that is `oneOf`, or a state, can be renamed.",
    )
    return
  }
  const { values } = enumeration
  if (!values.includes(now))
    report?.(`"${of}.${name}" is never "${now}" in this version.`, suggest(now, values))
  if (values.includes(before)) report?.(`"${of}.${name}" may be "${before}" in this version, too.`)
  if (report) refuseInputs(undoing, enumeration.name)
  if (!undoing.passing) refuseOtherState(undoing, enumeration.name, { now, before })
  enums.set(enumeration.name, {
    ...enumeration,
    values: values.map((value) => (value === now ? before : value)),
  })
  for (const [key, one] of resources)
    resources.set(key, withValueRenamed(one, enumeration.name, { now, before }))
}

interface InputRenaming extends Renaming {
  /** A transition or an action. */
  readonly of: string
}

/** Undefined where no transition and no action has the name. */
function withInputRenamed(
  undoing: Undoing,
  resource: Resource,
  renaming: InputRenaming,
): Resource | undefined {
  const { machines, actions } = resource
  const change = <Taking extends { readonly input: ReadonlyMap<string, Field> }>(
    all: ReadonlyMap<string, Taking>,
  ): ReadonlyMap<string, Taking> =>
    new Map(
      [...all].map(([name, one]) => [
        name,
        name === renaming.of ? { ...one, input: renamedInput(undoing, one.input, renaming) } : one,
      ]),
    )
  if (actions?.has(renaming.of)) return { ...resource, actions: change(actions) }
  const machine = [...machines.values()].find(({ transitions }) => transitions.has(renaming.of))
  if (!machine) return undefined
  const transitions = change(machine.transitions)
  return { ...resource, machines: new Map([...machines, [machine.name, { ...machine, transitions }]]) }
}

/** User code is given it by the newest name. */
function renamedInput(
  { report }: Undoing,
  input: ReadonlyMap<string, Field>,
  { of, now, before }: InputRenaming,
): ReadonlyMap<string, Field> {
  if (!input.has(now))
    report?.(`\`${of}\` takes no "${now}" in this version.`, suggest(now, [...input.keys()]))
  if (input.has(before)) report?.(`\`${of}\` takes "${before}" in this version, too.`)
  return new Map(
    [...input].map(([name, field]) =>
      name === now ? [before, { ...field, name: before, current: field.current ?? name }] : [name, field],
    ),
  )
}

/** A state that says its former names has had no others. */
function refuseOtherState(
  { resources, report }: Undoing,
  enumeration: string,
  { now, before }: Renaming,
): void {
  for (const { name: resource, type, machines } of resources.values())
    for (const { name, states } of machines.values()) {
      const was = `${type}${pascalCase(name)}` === enumeration && states.get(now)?.was
      if (was && !was.includes(before))
        report?.(
          `The state "${now}" of ${resource} has never been "${before}".`,
          suggest(before, was) ?? `Its \`was\` names ${was.map((one) => `"${one}"`).join(" and ")}.`,
        )
    }
}

/** User code is given, and gives, the newest version's values. */
function refuseInputs({ resources, report }: Undoing, enumeration: string): void {
  for (const { machines, actions, events, fields } of resources.values()) {
    const transitions = [...machines.values()].flatMap((machine) => [...machine.transitions.values()])
    const given = [
      ...[...transitions, ...(actions?.values() ?? [])].flatMap(({ input }) => [...input.values()]),
      ...[...(actions?.values() ?? [])].flatMap(({ output }) => [...output.values()]),
      ...[...(events?.values() ?? [])].flatMap(({ payload }) => [...payload.values()]),
      ...[...fields.values()].filter(({ list }) => list),
    ]
    for (const field of given)
      if (field.enumeration === enumeration)
        report?.(
          `The values of ${enumeration} cannot be renamed: "${field.name}" has them too, which versions do not change.`,
          "Give that one an enumeration of its own.",
        )
  }
}

interface Renaming {
  readonly now: string
  readonly before: string
}

function withValueRenamed(resource: Resource, enumeration: string, { now, before }: Renaming): Resource {
  const { fields, settable, machines } = resource
  const own = [...fields.values(), ...(settable?.values() ?? [])]
  const has = own.some((field) => field.enumeration === enumeration)
  const lenses = new Map<Lens, Lens>()
  const lensThen = (field: Field): Lens => {
    const { name, current = name, lens } = field
    if (!lens)
      return {
        inputs: [name],
        writes: new Map([[current, mapped({ kind: "field", field: name }, before, now)]]),
      }
    const made = lenses.get(lens) ?? lens
    const then: Lens = {
      inputs: lens.inputs,
      writes: new Map(
        [...made.writes].map(([target, expression]) => [
          target,
          replaceFields(expression, (input) =>
            input === name ? mapped({ kind: "field", field: name }, before, now) : undefined,
          ),
        ]),
      ),
    }
    lenses.set(lens, then)
    return then
  }
  const made = new Map<string, Field>()
  const change = (field: Field): Field => {
    if (field.enumeration !== enumeration) return field
    const { name, current = name, readonly, state } = field
    const source: Expression =
      isFormerField(field) && field.computed ? field.computed : { kind: "field", field: current }
    const { current: _, ...rest } = field
    const lens = readonly ? undefined : (made.get(name)?.lens ?? lensThen(field))
    const then = omitUndefined<Field>({
      ...rest,
      ...(state && { current }),
      immutable: isFixed(resource, field),
      column: `${formerColumn}${name}`,
      computed: mapped(source, now, before),
      default:
        field.default?.kind === "value" && field.default.value === now
          ? { kind: "value", value: before }
          : field.default,
      lens,
    })
    made.set(name, then)
    return then
  }
  const changed = (of: ReadonlyMap<string, Field>): ReadonlyMap<string, Field> =>
    new Map([...of].map(([name, field]) => [name, change(field)]))
  const ofStates = (machine: Machine): boolean =>
    enumeration === `${resource.type}${pascalCase(machine.name)}`
  if (!has && ![...machines.values()].some(ofStates)) return resource
  return {
    ...resource,
    fields: changed(fields),
    ...(settable && { settable: changed(settable) }),
    machines: new Map(
      [...machines].map(([name, machine]) => [
        name,
        ofStates(machine) ? withStateRenamed(machine, { now, before }) : machine,
      ]),
    ),
  }
}

function withStateRenamed(machine: Machine, { now, before }: Renaming): Machine {
  const named = (state: string): string => (state === now ? before : state)
  return {
    ...machine,
    initial: named(machine.initial),
    final: machine.final.map(named),
    states: new Map(
      [...machine.states].map(([name, state]) =>
        name === now
          ? [before, { ...state, name: before, current: state.current ?? state.name }]
          : [name, state],
      ),
    ),
    transitions: new Map(
      [...machine.transitions].map(([name, one]) => [
        name,
        { ...one, from: one.from.map(named), to: named(one.to) },
      ]),
    ),
  }
}

const mapped = (of: Expression, from: string, to: string): Expression => ({
  kind: "mapped",
  of,
  to: [[from, to]],
})
