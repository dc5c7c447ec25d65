// Renamed resources, and values of fields that were renamed or added: of enumerations, and states.
import { omitUndefined } from "../../base/compact.ts"
import { suggest } from "../../base/suggest.ts"
import { type Expression, replaceFields } from "../expression.ts"
import { formerColumn, isFormerField } from "../former-fields.ts"
import type { Enumeration, Field, Lens, Machine, Resource, Transition } from "../model.ts"
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

export function undoRenamedValue(undoing: Undoing, change: Of<"renamedValue">): void {
  const { resources, enums, report } = undoing
  const { resource: of, field: name, before, now } = change
  const resource = [...resources.values()].find((one) => apiName(one) === of)
  const taking = resource && withInputRenamed(undoing, resource, { of: name, now, before })
  if (taking) {
    resources.set(taking.name, taking)
    return
  }
  const enumeration = enumerationNamed(undoing, change)
  if (!enumeration) return
  const { values } = enumeration
  if (values.includes(before)) report?.(`"${of}.${name}" may be "${before}" in this version, too.`)
  if (report) refuseInputs(undoing, enumeration.name, "be renamed")
  if (!undoing.passing) refuseOtherState(undoing, enumeration.name, { now, before })
  enums.set(enumeration.name, {
    ...enumeration,
    values: values.map((value) => (value === now ? before : value)),
  })
  const renamed = { now, before, written: now }
  for (const [key, one] of resources) resources.set(key, withValueThen(one, enumeration.name, renamed))
}

export function undoAddedValue(undoing: Undoing, change: Of<"addedValue">): void {
  const { resources, enums, report } = undoing
  const enumeration = enumerationNamed(undoing, change)
  if (!enumeration) return
  const { resource: of, field: name, now, as } = change
  const values = enumeration.values.filter((value) => value !== now)
  if (as !== undefined && !values.includes(as))
    report?.(`"${of}.${name}" is never "${as}" in the version before.`, suggest(as, values))
  if (report && as === undefined) refuseBeginning(undoing, enumeration.name, now)
  if (report && as !== undefined) refuseInputs(undoing, enumeration.name, "have others in their place")
  enums.set(enumeration.name, { ...enumeration, values })
  for (const [key, one] of resources)
    resources.set(
      key,
      as === undefined
        ? withMachines(one, enumeration.name, (machine) => withStateAdded(machine, now, null))
        : withValueThen(one, enumeration.name, { now, before: as, written: as }),
    )
}

/** Undefined, and reported, where the field has no values, or not this one. */
function enumerationNamed(
  undoing: Undoing,
  { resource: of, field: name, now }: Of<"renamedValue"> | Of<"addedValue">,
): Enumeration | undefined {
  const { enums, report, fieldOf } = undoing
  const resource = find(undoing, of)
  if (resource && report && !pathNames(resource).includes(name)) lacksMember(undoing, resource, name)
  const enumeration = enums.get(fieldOf(of, name)?.enumeration ?? "")
  if (!enumeration)
    report?.(
      `"${of}.${name}" has no values of its own.`,
      "A value of a field that is `oneOf`, or a state, can be renamed and added.",
    )
  else if (!enumeration.values.includes(now))
    report?.(`"${of}.${name}" is never "${now}" in this version.`, suggest(now, enumeration.values))
  return enumeration
}

/** Records begin with a value that the version has. */
function refuseBeginning({ resources, report }: Undoing, enumeration: string, now: string): void {
  for (const { name: resource, type, fields, machines } of resources.values()) {
    const begins = [
      ...[...machines.values()].filter(
        ({ name, initial }) => initial === now && `${type}${pascalCase(name)}` === enumeration,
      ),
      ...[...fields.values()].filter(
        (field) =>
          field.enumeration === enumeration && field.default?.kind === "value" && field.default.value === now,
      ),
    ]
    for (const { name } of begins)
      report?.(
        `"${name}" of ${resource} begins with "${now}", which older versions do not have.`,
        "Say in `as` which value they have in its place.",
      )
  }
}

interface Renaming {
  readonly now: string
  readonly before: string
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

/** A state with declared former names has no others, except its newest name: a later version may have renamed it back. */
function refuseOtherState(
  { resources, report }: Undoing,
  enumeration: string,
  { now, before }: Renaming,
): void {
  for (const { name: resource, type, machines } of resources.values())
    for (const { name, states } of machines.values()) {
      const { was, current } = (`${type}${pascalCase(name)}` === enumeration && states.get(now)) || {}
      if (was && before !== current && !was.includes(before))
        report?.(
          `The state "${now}" of ${resource} has never been "${before}".`,
          suggest(before, was) ?? `Its \`was\` names ${was.map((one) => `"${one}"`).join(" and ")}.`,
        )
    }
}

/** User code is given, and gives, the newest version's values. */
function refuseInputs({ resources, report }: Undoing, enumeration: string, what: string): void {
  for (const { machines, actions, events, fields } of resources.values()) {
    const transitions = [...machines.values()].flatMap((machine) => [...machine.transitions.values()])
    const given = [
      ...[...transitions, ...(actions?.values() ?? [])].flatMap(({ input }) => [...input.values()]),
      ...[...(actions?.values() ?? [])].flatMap(({ output }) => [...output.values()]),
      ...[...(events?.values() ?? [])].flatMap(({ payload }) => [...payload.values()]),
    ]
    for (const field of given)
      if (field.enumeration === enumeration)
        report?.(
          `The values of ${enumeration} cannot ${what}: "${field.name}" has them too, which versions do not change.`,
          "Give that one an enumeration of its own.",
        )
    for (const field of fields.values())
      if (field.list && field.enumeration === enumeration)
        report?.(
          `The values of ${enumeration} cannot ${what}: "${field.name}" is a list of them, which versions do not change.`,
          "A list with another enumeration is { changed, code: true }: its functions give the values of each version.",
        )
  }
}

interface ValueThen extends Renaming {
  /** The value that a writer of `before` gets: another one in the place of an added value stays itself. */
  readonly written: string
}

function withValueThen(resource: Resource, enumeration: string, value: ValueThen): Resource {
  const { fields, settable } = resource
  const { now, before, written } = value
  const own = [...fields.values(), ...(settable?.values() ?? [])]
  const has = own.some((field) => field.enumeration === enumeration)
  const lenses = new Map<Lens, Lens>()
  const lensThen = (field: Field): Lens => {
    const { name, current = name, lens } = field
    if (!lens)
      return {
        inputs: [name],
        writes: new Map([[current, mapped({ kind: "field", field: name }, before, written)]]),
      }
    const made = lenses.get(lens) ?? lens
    const then: Lens = {
      inputs: lens.inputs,
      writes: new Map(
        [...made.writes].map(([target, expression]) => [
          target,
          replaceFields(expression, (input) =>
            input === name ? mapped({ kind: "field", field: name }, before, written) : undefined,
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
  const moved = withMachines(resource, enumeration, (machine) =>
    written === before ? withStateAdded(machine, now, before) : withStateRenamed(machine, value),
  )
  return has ? { ...moved, fields: changed(fields), ...(settable && { settable: changed(settable) }) } : moved
}

/** With the machine changed whose states the enumeration has. */
function withMachines(
  resource: Resource,
  enumeration: string,
  change: (machine: Machine) => Machine,
): Resource {
  const { type, machines } = resource
  const has = (name: string): boolean => enumeration === `${type}${pascalCase(name)}`
  if (![...machines.keys()].some(has)) return resource
  return {
    ...resource,
    machines: new Map([...machines].map(([name, one]) => [name, has(name) ? change(one) : one])),
  }
}

/** @param before the state that the version has in its place; null for none */
function withStateAdded(machine: Machine, now: string, before: string | null): Machine {
  const { initial, final, states, transitions, lacks = new Map<string, string | null>() } = machine
  const newest = states.get(now)?.current ?? now
  const then = (state: string): string | null => (state === now ? before : state)
  const known = (all: readonly string[]): readonly string[] => [
    ...new Set(all.map(then).filter((state) => state !== null)),
  ]
  const left = [...transitions].flatMap(([name, one]): readonly (readonly [string, Transition])[] => {
    const [from, to] = [known(one.from), then(one.to)]
    return from.length === 0 || to === null ? [] : [[name, { ...one, from, to }]]
  })
  return {
    ...machine,
    initial: then(initial) ?? initial,
    final: known(final),
    states: new Map([...states].filter(([name]) => name !== now)),
    transitions: new Map(left),
    lacks: new Map([
      ...[...lacks].map(([name, state]) => [name, state === now ? before : state] as const),
      [newest, before],
    ]),
  }
}

function withStateRenamed(machine: Machine, { now, before }: ValueThen): Machine {
  const named = (state: string): string => (state === now ? before : state)
  return {
    ...machine,
    initial: named(machine.initial),
    final: machine.final.map(named),
    ...(machine.lacks && {
      lacks: new Map([...machine.lacks].map(([name, state]) => [name, state && named(state)])),
    }),
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

/** Older versions would lose its transitions. */
export function refuseMachine({ report }: Undoing, resource: Resource, name: string): void {
  const transitions = [...(resource.machines.get(name)?.transitions.keys() ?? [])]
  const path = `${apiName(resource)}.${name}`
  if (transitions.length > 0)
    report?.(
      `"${path}" are states, and the version before would lose ${transitions.join(", ")} with them.`,
      `Say { renamed } or { added, as } of each state that is another, such as "${path}.${resource.machines.get(name)?.initial}"; transitions that are new are { added } after this change.`,
    )
}
