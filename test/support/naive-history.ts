// The naive interpreter of histories: what somebody is shown of what became of a record, written from docs/guide/history.md over
// plain entries of a log, sharing no code with the engine.
import { type Declared, type Entry, interpret, type Store, type Who } from "./naive-access.ts"
import { firing, givenName, transitionsIn } from "./naive-states.ts"

/** One change of a record, as it is kept. */
export interface LogEntry {
  readonly resource: string
  /** The record's id. */
  readonly record: string
  /** The record's version since then. */
  readonly number: number
  readonly type: string
  readonly actor: string | null
  readonly at: string
  readonly transition: string | null
  readonly from: string | null
  readonly to: string | null
  readonly input: Entry | null
  readonly old: Entry | null
  readonly new: Entry | null
}

export interface ShownEntry {
  readonly version: string
  readonly type: string
  readonly at: string
  readonly actor: string | null
  readonly transition: string | null
  readonly from: string | null
  readonly to: string | null
  readonly input: Entry | null
  readonly changes: readonly { readonly field: string; readonly from: unknown; readonly to: unknown }[]
}

interface Told {
  readonly declared: Declared
  readonly store: Store
  readonly log: readonly LogEntry[]
}

/** What of a service's log is shown of records that are seen: nothing of what was before the record was made anew. */
export function shownHistory({ declared, store, log }: Told, who: Who) {
  const rules = interpret(declared, store, who)
  const laws = firing(declared, store, who)

  function isShown(resource: string, row: Entry, member: string): boolean {
    const own = declared.resources[resource]
    const relation = Object.entries(own?.relations ?? {}).find(
      ([name, { kind, by }]) => kind === "one" && by === undefined && `${name}Id` === member,
    )
    if (relation) return rules.knows(relation[1].target)
    return rules.knowsField(resource, member) && rules.seesValue(resource, row, member)
  }

  function entryOf(resource: string, row: Entry, entry: LogEntry): ShownEntry {
    const transition = transitionsIn(declared, resource).find(({ name }) => name === entry.transition)
    const stateShown = !transition || isShown(resource, row, transition.machine)
    const inputs = Object.entries(entry.input ?? {}).filter(([name]) => {
      const sets = Object.entries(transition?.set ?? {}).filter(([, value]) => givenName(value) === name)
      if (sets.length > 0) return sets.every(([member]) => isShown(resource, row, member))
      return transition !== undefined && laws.knows(resource, transition)
    })
    const text = (member: string, values: Entry | null): string => JSON.stringify(values?.[member] ?? null)
    return {
      version: String(entry.number),
      type: stateShown ? entry.type : `${resource}.updated`,
      at: entry.at,
      actor: entry.actor,
      transition: stateShown ? entry.transition : null,
      from: stateShown ? entry.from : null,
      to: stateShown ? entry.to : null,
      input: stateShown && entry.input ? Object.fromEntries(inputs) : null,
      changes: Object.keys(entry.new ?? {})
        .filter((member) => isShown(resource, row, member))
        .filter((member) => text(member, entry.old) !== text(member, entry.new))
        .map((field) => ({ field, from: entry.old?.[field] ?? null, to: entry.new?.[field] ?? null })),
    }
  }

  return (resource: string, row: Entry): readonly ShownEntry[] => {
    const all = log.filter((entry) => entry.resource === resource && entry.record === row["id"])
    const ended = all.findLastIndex(({ type }) => type === `${resource}.deleted`)
    return all.slice(ended + 1).map((entry) => entryOf(resource, row, entry))
  }
}
