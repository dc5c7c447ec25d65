// What is offered to somebody at all, whatever the records are: members that they may give, and records that they may make.
import type { Declared, Entry, Interpreter } from "../support/naive-access.ts"

interface WritableField {
  readonly optional?: boolean
  readonly default?: unknown
  readonly readonly?: boolean
  readonly generated?: boolean
  readonly immutable?: boolean
  readonly computed?: unknown
  readonly scalar: string
}

interface WritableResource {
  readonly key?: unknown
  readonly fields: Readonly<Record<string, WritableField>>
  readonly relations?: Readonly<
    Record<
      string,
      { kind: string; target: string; by?: string; through?: unknown; optional?: boolean; owned?: boolean }
    >
  >
}

/** @param rules what the interpreter says of them by now */
export function offering(declared: Declared, rules: () => Interpreter) {
  const resourceOf = (name: string) => declared.resources[name] as unknown as WritableResource

  const relationOf = (resource: string, reference: string) =>
    Object.entries(resourceOf(resource).relations ?? {}).find(
      ([name, relation]) => relation.kind === "one" && relation.by === undefined && `${name}Id` === reference,
    )
  const isKey = (resource: string, member: string): boolean => {
    const { key } = resourceOf(resource)
    const names = Array.isArray(key) ? key : []
    return names.includes(member) || names.some((name) => `${name}Id` === member)
  }

  function offered(action: "create" | "update", resource: string, member: string): boolean {
    const { fields } = resourceOf(resource)
    const field = fields[member]
    if (action === "update" && (isKey(resource, member) || field?.immutable)) return false
    const relation = relationOf(resource, member)?.[1]
    if (relation) return rules().knows(relation.target)
    if (!field || field.readonly || field.generated || field.computed !== undefined) return false
    return rules().knowsField(resource, member, action)
  }

  const areOffered = (action: "create" | "update", resource: string, given: Entry): boolean =>
    Object.keys(given).every((name) => offered(action, resource, name))

  /** Whether they can give all that a new one needs. */
  function isCreatable(resource: string): boolean {
    const { fields, relations = {} } = resourceOf(resource)
    const needed = [
      ...Object.entries(fields).flatMap(([name, field]) =>
        field.optional || field.default !== undefined || field.computed !== undefined ? [] : [name],
      ),
      ...Object.entries(relations).flatMap(([name, one]) =>
        one.kind === "one" && one.by === undefined && !one.optional ? [`${name}Id`] : [],
      ),
    ]
    return rules().knows(resource, "create") && needed.every((name) => offered("create", resource, name))
  }

  /** There is no update by which nothing can be set, also for a patch that would set nothing. */
  function changesAnything(resource: string): boolean {
    const { fields, relations = {} } = resourceOf(resource)
    return (
      Object.keys(fields).some((name) => offered("update", resource, name)) ||
      Object.entries(relations).some(([name, one]) =>
        one.kind === "one" && one.by === undefined
          ? offered("update", resource, `${name}Id`)
          : rules().knows(one.target),
      )
    )
  }

  function knows(resource: string, member: string): boolean {
    const target = relationOf(resource, member)?.[1].target
    return target === undefined ? rules().knowsField(resource, member) : rules().knows(target)
  }

  return { resourceOf, relationOf, isKey, offered, areOffered, isCreatable, changesAnything, knows }
}
