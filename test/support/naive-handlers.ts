// The naive interpreter of handlers: for which events of a log one is called, what it is told, and what its `db` shows it,
// written from docs/guide/handlers.md over plain entries, sharing no code with the engine.
import {
  type Declared,
  type Entry,
  type Interpreter,
  interpret,
  type Store,
  type Who,
} from "./naive-access.ts"
import type { LogEntry } from "./naive-history.ts"
import { type DeclaredTransition, firing, givenName, transitionsIn } from "./naive-states.ts"

/** One call of a handler. */
export interface HandlerCall {
  /** Of the event, in the log: how many were before it. */
  readonly place: number
  readonly type: string
  readonly resource: string
  readonly recordId: string
  readonly version: string
  readonly at: string
  readonly actor: string | null
  readonly transition: string | null
  readonly from: string | null
  readonly to: string | null
  readonly input: Entry | null
  /** The services of these tests emit nothing. */
  readonly payload: null
  readonly changes: Readonly<Record<string, { readonly from: unknown; readonly to: unknown }>>
  /** As it is now, and is shown; null where it is gone, or not seen. */
  readonly record: Entry | null
}

/** `order.*`, `order.updated`, `order.paid` */
export interface Kind {
  readonly resource: string
  readonly event: string
}

interface Told {
  readonly declared: Declared
  readonly store: Store
  readonly log: readonly LogEntry[]
}

/** Created, updated, deleted, whatever states transitions lead to, and all of these. */
export const kindsOf = (declared: Declared): readonly Kind[] =>
  Object.keys(declared.resources).flatMap((resource) => {
    const states = new Set(transitionsIn(declared, resource).map(({ to }) => to))
    return ["*", "created", "updated", "deleted", ...states].map((event): Kind => ({ resource, event }))
  })

/** Somebody who has signed in, is nobody's record, and has what is lent. */
export const handlerOf = (lent: {
  readonly roles?: readonly string[]
  readonly scopes?: readonly string[]
}): Who => ({ signedIn: true, roles: lent.roles ?? [], scopes: lent.scopes ?? [] })

export function handling({ declared, store, log }: Told, who: Who) {
  const rules = interpret(declared, store, who)
  const laws = firing(declared, store, who)

  /** The record that has the id now. */
  const nowOf = (resource: string, id: string): Entry | undefined =>
    store.records[resource]?.find((row) => row["id"] === id && rules.sees(resource, row))

  /** Whether that one is the record that the event is of: it was neither deleted nor made anew since. */
  function isSame(entry: LogEntry, place: number): boolean {
    const ends = [`${entry.resource}.created`, `${entry.resource}.deleted`]
    const later = log.slice(place + 1).filter(({ record }) => record === entry.record)
    return !entry.type.endsWith(".deleted") && later.every(({ type }) => !ends.includes(type))
  }

  /** Shown of the record as it is now; of one that is not there any more, where it is of every record that is seen. */
  function isShown(resource: string, member: string, row: Entry | undefined): boolean {
    const target = referenceOf(declared, resource, member)
    if (target !== undefined) return rules.knows(target)
    if (declared.resources[resource]?.fields[member] === undefined) return false
    return row ? rules.seesValue(resource, row, member) : rules.seesInAll(resource, member)
  }

  function seesState(
    { resource }: LogEntry,
    { machine }: DeclaredTransition,
    row: Entry | undefined,
  ): boolean {
    return isShown(resource, machine, row)
  }

  function inputOf(
    { resource, input }: LogEntry,
    transition: DeclaredTransition,
    row: Entry | undefined,
  ): Entry | null {
    const shown = Object.entries(input ?? {}).filter(([name]) => {
      const sets = Object.entries(transition.set).filter(([, value]) => givenName(value) === name)
      if (sets.length === 0) return laws.knows(resource, transition)
      return sets.every(([member]) => isShown(resource, member, row))
    })
    return input && Object.fromEntries(shown)
  }

  function callOf(entry: LogEntry, place: number): HandlerCall {
    const { resource, record, at, actor, number } = entry
    const now = nowOf(resource, record)
    const same = now && isSame(entry, place) ? now : undefined
    const sight = same !== undefined || rules.seesAll(resource)
    const transition = transitionsIn(declared, resource).find(({ name }) => name === entry.transition)
    const stated = transition && sight && seesState(entry, transition, same)
    const changed = [...new Set([...Object.keys(entry.old ?? {}), ...Object.keys(entry.new ?? {})])]
      .filter((member) => sight && isShown(resource, member, same))
      .map((name) => ({ name, from: entry.old?.[name] ?? null, to: entry.new?.[name] ?? null }))
      .filter(({ from, to }) => JSON.stringify(from) !== JSON.stringify(to))
    return {
      place,
      type: transition && !stated ? `${resource}.updated` : entry.type,
      resource,
      recordId: record,
      version: String(number),
      at,
      actor,
      transition: stated ? entry.transition : null,
      from: stated ? entry.from : null,
      to: stated ? entry.to : null,
      input: stated ? inputOf(entry, transition, same) : null,
      payload: null,
      changes: Object.fromEntries(changed.map(({ name, from, to }) => [name, { from, to }])),
      record: now ? shownRecord(declared, rules, resource, now) : null,
    }
  }

  return {
    /** In the order of the log. */
    calls: ({ resource, event }: Kind): readonly HandlerCall[] =>
      log.flatMap((entry, place) => {
        if (entry.resource !== resource) return []
        if (event !== "*" && entry.type !== `${resource}.${event}`) return []
        const call = callOf(entry, place)
        // To be called at all would say what state it came to.
        return event !== "*" && call.type !== entry.type ? [] : [call]
      }),

    /** What `db` gives by an id. */
    get(resource: string, id: string): Entry | null {
      const now = nowOf(resource, id)
      return now ? shownRecord(declared, rules, resource, now) : null
    },

    /** What `db` lists; null where it is refused. */
    list(resource: string): readonly Entry[] | null {
      if (!rules.knows(resource)) return null
      return (store.records[resource] ?? [])
        .filter((row) => rules.sees(resource, row))
        .map((row) => shownRecord(declared, rules, resource, row))
    },
  }
}

/** The resource that a reference such as `customerId` names. */
const referenceOf = (declared: Declared, resource: string, member: string): string | undefined =>
  Object.entries(declared.resources[resource]?.relations ?? {}).find(
    ([name, { kind, by }]) => kind === "one" && by === undefined && `${name}Id` === member,
  )?.[1].target

/** All members whose names are known, null where the value is hidden. */
function shownRecord(declared: Declared, rules: Interpreter, resource: string, row: Entry): Entry {
  const isKnown = (member: string): boolean => {
    const target = referenceOf(declared, resource, member)
    if (target !== undefined) return rules.knows(target)
    return member === "id" || rules.knowsField(resource, member)
  }
  return Object.fromEntries(
    Object.entries(row)
      .filter(([member]) => isKnown(member))
      .map(([member, value]) => [member, rules.seesValue(resource, row, member) ? value : null]),
  )
}
