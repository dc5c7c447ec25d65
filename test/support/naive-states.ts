// The naive interpreter of transitions: who may fire which on which record, and what becomes of it, written from
// docs/guide/states.md over plain data, sharing no code with the engine.
import { type Declared, type Entry, interpret, type Store, type Who } from "./naive-access.ts"

export interface DeclaredTransition {
  readonly name: string
  /** The field that holds the state. */
  readonly machine: string
  readonly from: readonly string[]
  readonly to: string
  readonly when?: unknown
  readonly allow?: unknown
  readonly input: Readonly<Record<string, unknown>>
  readonly set: Readonly<Record<string, unknown>>
}

/** Of all reasons for which one is not fired on a record, the one that is told. */
export type Hindrance = "closed" | "absent" | "forbidden" | "stale" | "illegal" | "unmet"

interface GivenMachine {
  readonly initial: string
  readonly final?: string | readonly string[]
  readonly states?: Readonly<Record<string, unknown>>
  readonly transitions: Readonly<Record<string, GivenTransition>>
}

interface GivenTransition {
  readonly from: string | readonly string[]
  readonly to: string
  readonly when?: unknown
  readonly allow?: unknown
  readonly input?: Readonly<Record<string, unknown>>
  readonly set?: Readonly<Record<string, unknown>>
}

type Resource = Declared["resources"][string]

const several = <Item>(given: Item | readonly Item[] | undefined): readonly Item[] =>
  given === undefined ? [] : Array.isArray(given) ? given : [given as Item]

/** By the fields that hold their states. */
function machinesOf(resource: Resource | undefined): readonly (readonly [string, GivenMachine])[] {
  const { states } = (resource ?? {}) as { states?: object }
  if (states === undefined) return []
  if ("transitions" in states && "initial" in states) return [["state", states as GivenMachine]]
  return Object.entries(states as Readonly<Record<string, GivenMachine>>)
}

/** The service with the fields that hold states, which no create and no update sets. */
export function withStates(declared: Declared): Declared {
  const resources = Object.entries(declared.resources).map(([name, resource]) => {
    const states = machinesOf(resource).map(([field, { initial }]) => [
      field,
      { scalar: "text", ...resource.fields[field], readonly: true, default: initial },
    ])
    return [name, { ...resource, fields: { ...resource.fields, ...Object.fromEntries(states) } }]
  })
  return { ...declared, resources: Object.fromEntries(resources) }
}

/** Whether changes of its records are kept. */
export const isKept = (resource: Resource | undefined): boolean =>
  machinesOf(resource).length > 0 || (resource as { history?: boolean } | undefined)?.history === true

export function transitionsIn(declared: Declared, resource: string): readonly DeclaredTransition[] {
  return machinesOf(declared.resources[resource]).flatMap(([machine, { initial, final, transitions }]) => {
    const all = Object.values(transitions)
    const states = new Set([initial, ...all.flatMap(({ from, to }) => [to, ...several(from)])])
    const running = [...states].filter((state) => state !== "any" && !several(final).includes(state))
    return Object.entries(transitions).map(([name, { from, input = {}, set = {}, ...given }]) => ({
      ...given,
      name,
      machine,
      input,
      set,
      from: from === "any" ? running.filter((state) => state !== given.to) : several(from),
    }))
  })
}

export interface Firing {
  readonly resource: string
  readonly id: string
  readonly transition: DeclaredTransition
  readonly given: Entry
}

/** What one person may fire. `allow` is asked like a rule of `update`, `when` like a rule that is the same for everybody. */
export function firing(declared: Declared, store: Store, who: Who) {
  const rules = interpret(declared, store, who)
  const asking = (resource: string, allow: object) => {
    const own = { ...declared.resources[resource], allow } as Resource
    return interpret({ ...declared, resources: { ...declared.resources, [resource]: own } }, store, who)
  }
  /** Without `allow` it is for whoever may update the record. */
  const asUpdate = (resource: string, { allow }: DeclaredTransition) =>
    allow === undefined ? rules : asking(resource, { ...declared.resources[resource]?.allow, update: allow })

  const knows = (resource: string, transition: DeclaredTransition): boolean => {
    const setsViewer = Object.values(transition.set).some((value) => viewerIn(value))
    if (setsViewer && who.viewer === undefined) return false
    return asUpdate(resource, transition).knows(resource, "update")
  }
  const may = (resource: string, transition: DeclaredTransition, row: Entry): boolean =>
    asUpdate(resource, transition).may("update", resource, row)
  const starts = ({ from, machine }: DeclaredTransition, row: Entry): boolean =>
    from.includes(String(row[machine]))
  const meets = (resource: string, { when }: DeclaredTransition, row: Entry): boolean =>
    when === undefined || asking(resource, { read: when }).sees(resource, row)

  return {
    knows,
    may,
    sees: rules.sees,

    /** @param stale another version is named than the record is of */
    hindrance(
      resource: string,
      transition: DeclaredTransition,
      { row, stale = false }: { readonly row: Entry | undefined; readonly stale?: boolean | undefined },
    ): Hindrance | undefined {
      if (!knows(resource, transition)) return "closed"
      if (!row || !rules.sees(resource, row)) return "absent"
      if (!may(resource, transition, row)) return "forbidden"
      if (stale) return "stale"
      if (!starts(transition, row)) return "illegal"
      return meets(resource, transition, row) ? undefined : "unmet"
    },

    /** What is told of the transitions of a record that is seen: codes of all reasons that may be told. */
    possible: (resource: string, row: Entry): readonly Told[] =>
      transitionsIn(declared, resource)
        .filter((transition) => knows(resource, transition))
        .map((transition) => {
          const allowed = may(resource, transition, row)
          const stateShown = rules.seesValue(resource, row, transition.machine)
          const reasons = [
            ...(!starts(transition, row) && (allowed || stateShown) ? ["illegal_transition"] : []),
            ...(!meets(resource, transition, row) && allowed ? ["condition_not_met"] : []),
            ...(allowed ? [] : ["forbidden"]),
          ]
          return { name: transition.name, allowed: reasons.length === 0, reasons }
        }),

    /** The record as it is afterwards. */
    fired({ transition, given }: Firing, row: Entry, now: string): Entry {
      const sets = Object.entries(transition.set).flatMap(([member, value]) => {
        const name = givenName(value)
        if (name !== undefined) return name in given ? [[member, given[name]]] : []
        return [[member, viewerIn(value) ? who.viewer : value === "now" ? now : value]]
      })
      return { ...row, [transition.machine]: transition.to, ...Object.fromEntries(sets) }
    },
  }
}

interface Told {
  readonly name: string
  readonly allowed: boolean
  readonly reasons: readonly string[]
}

/** The input that a member takes its value from. */
export const givenName = (value: unknown): string | undefined => (value as { given?: string } | null)?.given

const viewerIn = (value: unknown): boolean => (value as { viewer?: string } | null)?.viewer === "id"
