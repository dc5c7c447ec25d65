// Builds that are broken on purpose: one rule, or one mask, of somebody's model is taken away. A proof has to find each.
import { present } from "../../src/base/invariant.ts"
import type { Field, Resource } from "../../src/model/model.ts"
import type { Actor } from "../../src/plan/access/actor.ts"
import type { Declared } from "../support/naive-access.ts"
import { calling } from "../support/naive-actions.ts"
import { firing, transitionsIn } from "../support/naive-states.ts"
import { actorFor } from "./doors.ts"
import { type Guarded, interpreterOf, type Person } from "./guarded.ts"
import type { OwnAction, WithActions } from "./own-actions.ts"

export interface Broken {
  /** Such as `a customer without the rules of order`. */
  readonly name: string
  readonly person: Person
  readonly actor: Actor
  readonly resource: string
  /** The field whose mask is gone; the whole rule of the resource is gone when absent. */
  readonly field?: string
}

/** Every rule and every mask that keeps anything from anybody, taken away in turn. */
export function brokenBuilds(service: Guarded): readonly Broken[] {
  return service.people.flatMap((person) => {
    const actor = actorFor(service.whole, person)
    const interpreter = interpreterOf(service, person)
    return [...actor.model.resources.values()].flatMap((resource): Broken[] => {
      const rows = service.world.rows.get(resource.name) ?? []
      const seen = rows.filter((row) => interpreter.sees(resource.name, row))
      const of = (change: Partial<Resource>, name: string, field?: string): Broken => ({
        name: `${person.name} without ${name}`,
        person,
        actor: withResource(actor, { ...resource, ...change }),
        resource: resource.name,
        ...(field !== undefined && { field }),
      })
      const access = { ...present(resource.access, "an audience's resource says who may"), read: everything }
      const fields = new Map([...resource.fields].map(([name, { seen: _, ...field }]) => [name, field]))
      const unmasked = [...resource.fields.values()].filter(({ name }) =>
        seen.some((row) => row[name] !== null && !interpreter.seesValue(resource.name, row, name)),
      )
      return [
        ...(seen.length < rows.length ? [of({ access, fields }, `the rules of ${resource.name}`)] : []),
        ...unmasked.map(({ seen: _, ...field }) =>
          of(
            { fields: new Map(resource.fields).set(field.name, field) },
            `the mask of ${resource.name}.${field.name}`,
            field.name,
          ),
        ),
      ]
    })
  })
}

const everything = { kind: "and", of: [] } as const

function withResource(actor: Actor, resource: Resource): Actor {
  const { model } = actor
  return { ...actor, model: { ...model, resources: new Map(model.resources).set(resource.name, resource) } }
}

export interface BrokenTransition extends Omit<Broken, "field"> {
  readonly transition: string
}

/** Every rule that keeps somebody from firing a transition on a record that they see, taken away in turn. */
export function brokenTransitions(service: Guarded): readonly BrokenTransition[] {
  return service.people.flatMap((person) => {
    const actor = actorFor(service.whole, person)
    const laws = firing(service.declared, service.store, person)
    return Object.entries(service.store.records).flatMap(([name, rows]) =>
      transitionsIn(service.declared, name).flatMap((declared): readonly BrokenTransition[] => {
        const resource = actor.model.resources.get(name)
        const machine = resource?.machines.get(declared.machine)
        const transition = machine?.transitions.get(declared.name)
        const keeps = rows.some((row) => laws.sees(name, row) && !laws.may(name, declared, row))
        if (!resource || !machine || !transition?.access || !keeps) return []
        const open = { ...transition, access: { ...transition.access, allow: everything } }
        const transitions = new Map(machine.transitions).set(declared.name, open)
        const machines = new Map(resource.machines).set(declared.machine, { ...machine, transitions })
        return [
          {
            name: `${person.name} without the rule to ${declared.name} ${name}`,
            person,
            actor: withResource(actor, { ...resource, machines }),
            resource: name,
            transition: declared.name,
          },
        ]
      }),
    )
  })
}

export interface BrokenAction extends Omit<Broken, "field" | "resource"> {
  readonly action: OwnAction
}

/** Every rule that keeps somebody from calling an own operation, of a record that they see or at all, taken away in turn. */
export function brokenActions(service: WithActions): readonly BrokenAction[] {
  return service.people.flatMap((person) => {
    const actor = actorFor(service.whole, person)
    const laws = calling(service.declared, service.store, person)
    return service.actions.flatMap((action): readonly BrokenAction[] => {
      const { name } = action
      const rows = service.store.records[action.resource ?? ""] ?? [{}]
      if (!rows.some((row) => keptBy.includes(laws.obstacle(action, { row }) ?? ""))) return []
      const opened = withoutRuleOf(service, actor, action)
      return opened
        ? [{ name: `${person.name} without the rule to ${name}`, person, actor: opened, action }]
        : []
    })
  })
}

/** By its rule, and nothing else. */
const keptBy: readonly string[] = ["forbidden", "closed"]

/** Undefined where they do not know the resource. */
function withoutRuleOf(service: WithActions, actor: Actor, { name, resource }: OwnAction): Actor | undefined {
  const { model } = actor
  const open = (all: Resource["actions"]): Resource["actions"] =>
    all && new Map([...all].map(([one, it]) => [one, one === name ? { ...it, access: everything } : it]))
  if (resource === undefined) {
    const operations = open(service.whole.operations)
    return operations && { ...actor, model: { ...model, operations } }
  }
  const seen = model.resources.get(resource)
  const actions = open(service.whole.resources.get(resource)?.actions)
  return seen && actions && withResource(actor, { ...seen, actions })
}

export interface BrokenWrite extends Broken {
  readonly action: "create" | "update" | "delete"
  /** What the naive interpreter takes for such a build. */
  readonly declared: Declared
}

/** Every rule that keeps somebody from writing, with those of the fields, taken away in turn. */
export function brokenWrites(service: Guarded): readonly BrokenWrite[] {
  return service.people.flatMap((person) => {
    const actor = actorFor(service.whole, person)
    return [...actor.model.resources.values()].flatMap((resource) =>
      (["create", "update", "delete"] as const).flatMap((action): BrokenWrite[] => {
        const { access, settable } = resource
        const rule = access?.[action]
        if (!access || !rule || (rule.kind === "and" && rule.of.length === 0)) return []
        const fields = [...(settable ?? [])].map(([name, field]): [string, Field] => [
          name,
          { ...field, creatable: everything, changeable: everything },
        ])
        const open = { ...resource, access: { ...access, [action]: everything }, settable: new Map(fields) }
        return [
          {
            name: `${person.name} without the rule to ${action} ${resource.name}`,
            person,
            actor: withResource(actor, open),
            resource: resource.name,
            action,
            declared: withoutRule(service.declared, resource.name, action),
          },
        ]
      }),
    )
  })
}

function withoutRule(declared: Declared, name: string, action: BrokenWrite["action"]): Declared {
  const own = declared.resources[name]
  if (!own) throw new Error(`no resource ${name}`)
  const fields = Object.entries(own.fields).map(([field, { write: _, ...given }]) => [field, given])
  const open = {
    ...own,
    fields: Object.fromEntries(fields),
    allow: { ...own.allow, [action]: { anyone: true } },
  }
  return { ...declared, resources: { ...declared.resources, [name]: open } }
}

export interface BrokenStep extends Broken {
  /** What the naive interpreter takes for such a build. */
  readonly declared: Declared
}

/** Every rule that asks for what is made along, as if it always were. */
export function brokenSteps(service: Guarded): readonly BrokenStep[] {
  return service.people.flatMap((person) => {
    const actor = actorFor(service.whole, person)
    return [...actor.model.resources.values()].flatMap((resource): readonly BrokenStep[] => {
      const { access } = resource
      const create = access?.create && alwaysMade(access.create)
      const declared = service.declared.resources[resource.name]
      if (!create || !declared || JSON.stringify(create) === JSON.stringify(access.create)) return []
      const allow = { ...declared.allow, create: alwaysMade(declared.allow?.create) }
      return [
        {
          name: `${person.name} always together with what a new ${resource.name} refers to`,
          person,
          actor: withResource(actor, { ...resource, access: { ...access, create } }),
          resource: resource.name,
          declared: {
            ...service.declared,
            resources: { ...service.declared.resources, [resource.name]: { ...declared, allow } },
          },
        },
      ]
    })
  })
}

/** A rule, or what the engine has made of one, without the question what is made along. */
export function alwaysMade<Rule>(rule: Rule): Rule {
  const text = JSON.stringify(rule, (_, value) => {
    if (value?.kind === "together") return everything
    return typeof value?.together === "string" ? { anyone: true } : value
  })
  return text === undefined ? rule : (JSON.parse(text) as Rule)
}
