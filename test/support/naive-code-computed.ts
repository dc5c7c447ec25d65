// The naive interpreter of fields that own code computes: to whom the name is known, and what of a record the code is given
// for somebody, written from docs/guide/computed.md over plain data, sharing no code with the engine.
import { type Declared, type Entry, interpret, type Store, type Who } from "./naive-access.ts"

export function codeComputed(declared: Declared, store: Store, who: Who) {
  const rules = interpret(declared, store, who)

  /** The resource that a reference such as `customerId` names. */
  const targetOf = (resource: string, need: string): string | undefined =>
    Object.entries(declared.resources[resource]?.relations ?? {}).find(
      ([name, { kind, by }]) => kind === "one" && by === undefined && `${name}Id` === need,
    )?.[1].target

  return {
    rules,

    /** Whether there could be a record of which they see all that is needed. */
    knows: (resource: string, needs: readonly string[]): boolean =>
      rules.knows(resource) &&
      needs.every((need) => {
        const target = targetOf(resource, need)
        return target === undefined ? rules.knowsField(resource, need) : rules.knows(target)
      }),

    /** What the code is given of a record that is seen; null when something needed is hidden in it. */
    given(resource: string, row: Entry, needs: readonly string[]): Entry | null {
      if (!needs.every((need) => rules.seesValue(resource, row, need))) return null
      return Object.fromEntries(["id", ...needs].map((name) => [name, row[name] ?? null]))
    },
  }
}
