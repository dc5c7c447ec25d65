// What becomes of a write, by the rules: a naive transaction over plain records, on top of the naive interpreter, written from
// docs/guide/permissions.md. A step is judged by what its records become themselves, and by all others as they were before it. A
// change that is refused for several reasons may be refused for any of them.

import {
  type Declared,
  type Entry,
  type Interpreter,
  interpret,
  type Store,
  type Who,
} from "../support/naive-access.ts"
import { lent } from "../support/naive-actions.ts"
import { computing, withComputed, withoutComputed } from "../support/naive-computed.ts"
import { firing, givenName, transitionsIn } from "../support/naive-states.ts"
import type { Change, Hooked, Outcome, Reason, Told } from "./changes.ts"
import { offering } from "./naive-offers.ts"

type Ruled = Extract<Change, { readonly kind: "create" | "update" }>

/** The moment at which everything happens. */
export const noon = "2026-11-21T12:00:00Z"

/**
 * Wrong readings of what a step may rely on: the paths of its rules, or its references, as it leaves them; references that are not
 * asked for at all; records that it makes as targets of its updates; to-many relations of a record that it makes as it leaves them;
 * records that it writes side by side as evidence for those after them; each part of a rule for all records that it updates at
 * once; or records that a chosen key leads to as if they were nested.
 */
export const misreadings = [
  "paths",
  "references",
  "unasked",
  "targets",
  "made",
  "bulk",
  "parts",
  "chosen",
] as const

type Misreading = (typeof misreadings)[number]

/** @param hooked there are no hooks when absent, and how the step is misread where it is said */
export function transact(
  declared: Declared,
  store: Store,
  who: Who,
  changes: readonly Change[],
  { hooked, misread }: { readonly hooked?: Hooked | undefined; readonly misread?: Misreading } = {},
): Outcome {
  const reasons = new Set<Reason>()
  const told: Told[] = []
  let unsure = false
  let twice = false
  /** Records that the step has updated, as `resource id`. */
  const updated = new Set<string>()
  const later: { readonly about: number; readonly check: (after: Store) => void }[] = []
  const refusals: string[] = []
  /** Records that the step has updated at once, as they are judged. */
  const inParts: (readonly [resource: string, judged: Entry])[] = []
  /** The index of the change that is looked at. */
  let about = 0
  const afterwards = (check: (after: Store) => void): void => void later.push({ about, check })
  let now = store
  /** The records before the step. */
  let base = store
  /** Those that the step makes; `item` counts the records that it writes side by side. */
  let made: readonly { readonly resource: string; readonly id: string; readonly item: number }[] = []
  let item = 0
  const known = new Map<Store, Interpreter>()
  const by = (records: Store): Interpreter => {
    const rules = known.get(records) ?? interpret(declared, records, who)
    known.set(records, rules)
    return rules
  }
  const { resourceOf, relationOf, isKey, offered, areOffered, isCreatable, changesAnything, knows } =
    offering(declared, () => by(now))
  const find = (records: Store, name: string, id: string): Entry | undefined =>
    records.records[name]?.find((row) => row["id"] === id)
  const put = (name: string, change: (rows: readonly Entry[]) => readonly Entry[]): void => {
    now = { ...now, records: { ...now.records, [name]: change(now.records[name] ?? []) } }
  }
  /** References that are given by a key, with how many records there were by then. */
  const chosen = new Map<string, number>()
  const memberOf = (resource: string, id: unknown, member: string): string =>
    JSON.stringify([resource, id, member])
  const madeOf = (name: string, id: string) => made.find((one) => one.resource === name && one.id === id)
  /** As it was before the step. */
  const seen = (name: string, id: string): Entry | undefined => {
    const row = find(base, name, id)
    return row && by(base).sees(name, row) ? row : undefined
  }
  /** What is changed was there before the step. */
  const target = (name: string, id: string): Entry | undefined =>
    seen(name, id) ?? (misread === "targets" && madeOf(name, id) ? find(now, name, id) : undefined)
  const refuse = (reason: Reason): void => {
    reasons.add(reason)
    refusals.push(`${about} ${reason}`)
  }

  /** The rule of the action and those of the fields that are given. */
  function allows(
    rules: ReturnType<typeof by>,
    change: Pick<Ruled, "kind" | "resource" | "given">,
    row: Entry,
  ): boolean {
    return (
      rules.allows(change.kind, change.resource, row) &&
      Object.keys(change.given)
        .filter((name) => name in resourceOf(change.resource).fields)
        .every((name) => rules.maySet(change.kind, change.resource, row, name))
    )
  }

  /** Of what something else refuses: references are asked before hooks and before values that are fixed. */
  const askReferences = (change: { resource: string; id: string; given: Entry }): void => {
    for (const [member, value] of Object.entries(change.given))
      if (!refersWell(change, member, item, value)) refuse("absent")
  }

  const allowed = (change: Change & { given: Entry; kind: "update" }): boolean => {
    const row = target(change.resource, change.id)
    return row !== undefined && allows(by(base), change, row)
  }

  /** What the step makes along with a record, with what is computed of it by the records before the step. */
  function madeAlong(resource: string, id: string, item: number): Store["records"] {
    const computed = computing(declared, base)
    const names = Object.keys(declared.resources)
    return Object.fromEntries(
      names.map((name) => {
        const others = made.filter((one) => one.resource === name && one.item === item)
        const ids = others.map((one) => one.id).filter((one) => !(name === resource && one === id))
        return [
          name,
          computed(
            name,
            ids.map((one) => find(now, name, one)).filter((row) => row !== undefined),
          ),
        ]
      }),
    )
  }

  /** What is referred to was seen before the step, is made in it, or stays. */
  function refersWell(
    { resource, id }: { readonly resource: string; readonly id: string },
    member: string,
    item: number,
    value = find(now, resource, id)?.[member],
  ): boolean {
    const { target } = relationOf(resource, member)?.[1] ?? {}
    if (target === undefined || value === null || value === undefined) return true
    const stays = !madeOf(resource, id) && seen(resource, id)?.[member] === value
    const fresh = made.findIndex((one) => one.resource === target && one.id === String(value))
    const isBefore = fresh < (chosen.get(memberOf(resource, id, member)) ?? made.length)
    if (stays || (fresh >= 0 && isBefore && (made[fresh]?.item ?? 0) <= item)) return true
    const sight = misread === "references" ? now : base
    const row = find(sight, target, String(value))
    if (misread === "unasked") return row !== undefined
    return row !== undefined && by(sight).sees(target, row)
  }

  /** The step has deleted what is referred to. */
  function leadsToDeleted(resource: string, member: string, value: unknown): boolean {
    const { target } = relationOf(resource, member)?.[1] ?? {}
    if (target === undefined || value === null || value === undefined) return false
    return find(base, target, String(value)) !== undefined && find(now, target, String(value)) === undefined
  }

  /** When the step is done: what it refers to, what it has become itself, and that its writer sees it then. */
  function look(change: Ruled): void {
    const { resource, id, given } = change
    const own = item
    const before = misread === "bulk" ? now : base
    // A later change of the step may set them again.
    const left = find(now, resource, id)
    for (const member of change.chosen ?? []) chosen.set(memberOf(resource, id, member), made.length)
    for (const member of Object.keys(given))
      if (leadsToDeleted(resource, member, left?.[member])) refuse("absent")
    afterwards((records) => {
      for (const member of Object.keys(given))
        if (!refersWell(change, member, own, left?.[member])) refuse("absent")
      const row = find(records, resource, id)
      if (!row) return
      const paths = misread === "paths" ? records : before
      const [judged = row] = computing(declared, paths)(resource, [row])
      const isChosen = (of: string, { id: its }: Entry, relation: string): boolean =>
        misread !== "chosen" && chosen.has(memberOf(of, its, `${relation}Id`))
      const along = {
        made: madeAlong(resource, id, own),
        isChosen,
        ...(misread === "made" && { whole: records }),
      }
      const rules = interpret(declared, paths, who, along)
      const { either } = change
      const other: Ruled | undefined = either && {
        ...change,
        kind: change.kind === "create" ? "update" : "create",
        given: either,
      }
      if (!allows(rules, change, judged) || (other && !allows(rules, other, judged))) refuse("forbidden")
      else if (misread === "parts" && change.kind === "update" && change.several)
        inParts.push([resource, judged])
      if (!by(records).sees(resource, row)) refuse("forbidden")
    })
  }

  function create(change: Extract<Change, { kind: "create" }>): void {
    const { resource, id, given } = change
    const { fields, relations = {} } = resourceOf(resource)
    if (!isCreatable(resource) || !areOffered("create", resource, given)) {
      refuse("closed")
      return
    }
    const row: Record<string, unknown> = { id }
    for (const [name, field] of Object.entries(fields))
      row[name] = given[name] ?? (field.default === "now" ? noon : (field.default ?? null))
    for (const [name, one] of Object.entries(relations))
      if (one.kind === "one" && one.by === undefined) row[`${name}Id`] = given[`${name}Id`] ?? null
    // An id that is put together from the record's members is none of them.
    const { id: _, ...members } = row
    const known = resourceOf(resource).key === undefined ? row : members
    const sets = hook({ resource, hook: "create", input: given, new: bare(resource, known) })
    if (!sets) askReferences(change)
    if (!sets) return
    if (find(now, resource, id)) {
      refuse("violated")
      return
    }
    put(resource, (rows) => [...rows, { ...row, ...sets }])
    made = [...made, { resource, id, item }]
    look(change)
  }

  function update(change: Extract<Change, { kind: "update" }>): void {
    const { resource, id, given, several, stale } = change
    // An operation of a patch that makes a value what it is shown as already is no input.
    const asked = change.patched ? patchOf(resource, id, given) : given
    const set = { ...change, given: several ? asked : withoutRepeated(resource, id, asked) }
    const can = areOffered("update", resource, set.given)
    if (!by(now).knows(resource, "update") || !can || !changesAnything(resource)) refuse("closed")
    const isSeen = target(resource, id) !== undefined
    if (!isSeen && !several) refuse("absent")
    if (!isSeen || reasons.has("closed")) return
    if (!allowed(set)) refuse("forbidden")
    if (stale) refuse("stale")
    const sets = before(resource, id, set.given)
    if (!sets) askReferences(set)
    if (!sets) return
    // Its hook may have changed what the rules look at.
    if (!allowed(set)) refuse("forbidden")
    twice ||= updated.has(`${resource} ${id}`)
    updated.add(`${resource} ${id}`)
    put(resource, (rows) => rows.map((row) => (row["id"] === id ? { ...row, ...set.given, ...sets } : row)))
    look(set)
  }

  /** A member that is not given gets its default, or is cleared. */
  function unsaid(resource: string, given: Entry): Entry {
    const { fields, relations = {} } = resourceOf(resource)
    const members: readonly (readonly [string, { optional?: boolean; default?: unknown }])[] = [
      ...Object.entries(fields),
      ...Object.entries(relations).flatMap(([name, one]) =>
        one.kind === "one" && one.by === undefined ? [[`${name}Id`, one] as const] : [],
      ),
    ]
    const left = members.filter(([name]) => !(name in given) && offered("update", resource, name))
    if (left.some(([, one]) => one.default === undefined && !one.optional)) refuse("closed")
    return Object.fromEntries(left.map(([name, one]) => [name, one.default ?? null]))
  }

  /** A field that they give to new records only, and see in each that they see. */
  const isFixed = (resource: string, name: string): boolean =>
    name in resourceOf(resource).fields &&
    !isKey(resource, name) &&
    !offered("update", resource, name) &&
    by(now).seesInAll(resource, name)

  /** By its id, or by a unique field, which is none of what is changed. */
  function replace(change: Extract<Change, { kind: "put" | "upsert" }>): void {
    const { resource, given } = change
    const unique = change.kind === "upsert" ? change.unique : undefined
    const isMutation = change.kind === "upsert" && !change.clears
    const left = isMutation ? {} : unsaid(resource, given)
    const others = Object.entries(given).filter(([name]) => name !== unique)
    const changes = {
      ...Object.fromEntries(others.filter(([name]) => offered("update", resource, name))),
      ...left,
    }
    const is = now.records[resource]?.find((row) =>
      unique === undefined ? row["id"] === change.id : row[unique] === given[unique],
    )
    const id = String(is?.["id"] ?? change.id)
    const own = Object.fromEntries(others.filter(([name]) => !isKey(resource, name)))
    const isChosen = unique !== undefined || resourceOf(resource).key !== undefined
    const isFound =
      seen(resource, id) !== undefined &&
      (unique === undefined || (is !== undefined && by(base).seesValue(resource, is, unique)))
    if (unique !== undefined && !knows(resource, unique)) {
      refuse("closed")
      refuse("absent")
    }
    if (isMutation && !(isCreatable(resource) && changesAnything(resource))) refuse("closed")
    if (!isChosen || !isCreatable(resource)) {
      if (!isFound) refuse("absent")
      update({ kind: "update", resource, id, given: { ...own, ...changes } })
    } else if (!by(now).knows(resource, "update") || !areOffered("create", resource, given)) refuse("closed")
    else if (!is) create({ kind: "create", resource, id, given, either: changes })
    else if (isFound) {
      if (others.some(([name, value]) => isFixed(resource, name) && is[name] !== value)) {
        refuse("closed")
        askReferences({ resource, id, given: changes })
      }
      update({ kind: "update", resource, id, given: changes, either: given })
    } else {
      // It cannot be made, or may not: either may be told.
      refuse("violated")
      put(resource, (rows) => rows.filter((row) => row !== is))
      create({ kind: "create", resource, id: change.id, given, either: changes })
      // Nothing is written, so it is seen only by what was there.
      afterwards((records) => {
        const row = find(records, resource, change.id)
        if (row && !by(base).sees(resource, row)) refuse("forbidden")
      })
    }
  }

  /** What the hook of a change sets besides; undefined where it is not done. */
  function before(resource: string, id: string, input: Entry): Entry | undefined {
    if (!hooked) return {}
    if (reasons.size > 0) return undefined
    const old = find(now, resource, id) ?? {}
    return hook({ resource, hook: "update", old, input, new: bare(resource, { ...old, ...input }) })
  }

  /** Without what is computed. */
  const bare = (resource: string, row: Entry): Entry => withoutComputed(declared, resource, row)

  function hook(about: Told): Entry | undefined {
    const effect = hooked?.(about)
    if (!effect) return {}
    told.push(about)
    for (const { change, caught } of effect.asks) {
      const asked = transact(declared, now, who, [change], { hooked })
      told.push(...asked.told)
      unsure ||= asked.unsure === true
      // Each is a step of its own, before this one.
      base = withComputed(declared, changed(now, asked.store, base))
      now = asked.store
      if (asked.reasons.size === 0 || caught) continue
      for (const reason of asked.reasons) refuse(reason)
      return undefined
    }
    if (effect.declines) refuse("declined")
    if (effect.as && !leadsToSeen(about, effect.sets, lent(who, { name: "", as: effect.as })))
      refuse("absent")
    return effect.declines ? undefined : effect.sets
  }

  /** References that stay as they are lead anywhere. */
  function leadsToSeen({ resource, old = {} }: Told, sets: Entry, by: Who): boolean {
    const rules = interpret(declared, now, by)
    return Object.entries(sets).every(([member, value]) => {
      const { target } = relationOf(resource, member)?.[1] ?? {}
      const row = target && find(now, target, String(value))
      return target === undefined || old[member] === value || (row && rules.sees(target, row))
    })
  }

  function patchOf(resource: string, id: string, given: Entry): Entry {
    const row = find(now, resource, id) ?? {}
    // A name that they do not know is nowhere in what they patch.
    const shown = (name: string): unknown =>
      knows(resource, name) ? (by(now).seesValue(resource, row, name) ? row[name] : null) : undefined
    return Object.fromEntries(
      Object.entries(given).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(shown(name))),
    )
  }

  /** Without the members of the key that only repeat the record's address. */
  function withoutRepeated(resource: string, id: string, given: Entry): Entry {
    const row = find(now, resource, id) ?? {}
    return Object.fromEntries(
      Object.entries(given).filter(
        ([name, value]) => !(isKey(resource, name) && knows(resource, name) && row[name] === value),
      ),
    )
  }

  function fire(change: Extract<Change, { kind: "fire" }>): void {
    const { resource, ids, given, several, stale } = change
    const transition = transitionsIn(declared, resource).find(({ name }) => name === change.transition)
    if (!transition) throw new Error(`there is no transition ${change.transition}`)
    const laws = firing(declared, base, who)
    for (const id of ids) {
      const row = find(base, resource, id)
      const hindrance = laws.hindrance(resource, transition, { row, stale })
      if (hindrance === "absent" && several) continue
      if (hindrance || !row) {
        refuse(hindrance ?? "absent")
        continue
      }
      const fires = laws.fired({ resource, id, transition, given }, row, noon)
      const members = [transition.machine, ...Object.keys(transition.set)]
      const sets = before(resource, id, Object.fromEntries(members.map((name) => [name, fires[name]])))
      if (!sets) continue
      const then = firing(declared, base, who).hindrance(resource, transition, {
        row: find(base, resource, id),
      })
      if (then) refuse(then)
      const fired = { ...fires, ...sets }
      put(resource, (rows) => rows.map((one) => (one["id"] === id ? fired : one)))
      afterwards((records) => {
        if (!by(records).sees(resource, find(records, resource, id) ?? fired)) refuse("forbidden")
        for (const member of Object.keys(transition.set)) {
          const target = relationOf(resource, member)?.[1].target
          const isGiven = givenName(transition.set[member]) !== undefined
          // Whose credentials name a record that is gone.
          const isThere =
            target === undefined ||
            fired[member] === null ||
            find(records, target, String(fired[member])) !== undefined
          if (!isThere || (isGiven && !refersWell({ resource, id }, member, 0))) refuse("absent")
        }
      })
    }
  }

  const ownedOf = (resource: string, id: string): readonly (readonly [resource: string, id: string])[] =>
    Object.values(resourceOf(resource).relations ?? {}).flatMap(({ owned, by: back, target }) =>
      owned && back !== undefined
        ? (now.records[target] ?? [])
            .filter((child) => child[`${back}Id`] === id)
            .map((child) => [target, String(child["id"])] as const)
        : [],
    )

  /** From the record down to what goes along with it, before anything is gone. Whether it may go on. */
  function announce(resource: string, id: string): boolean {
    now = withComputed(declared, now)
    const old = find(now, resource, id)
    // A hook may have done it already.
    if (!old) return true
    if (!hook({ resource, hook: "delete", old })) return false
    return ownedOf(resource, id).every(([child, its]) => announce(child, its))
  }

  function remove(resource: string, id: string): void {
    for (const [child, its] of ownedOf(resource, id)) remove(child, its)
    put(resource, (rows) => rows.filter((row) => row["id"] !== id))
    const links = Object.entries(now.links).map(([through, pairs]) => [
      through,
      pairs.filter((pair) => pair[resource] !== id),
    ])
    now = { ...now, links: Object.fromEntries(links) }
    for (const other of Object.keys(declared.resources))
      for (const [name, one] of Object.entries(resourceOf(other).relations ?? {}))
        if (one.kind === "one" && one.by === undefined && one.target === resource) {
          const refers = (row: Entry): boolean => row[`${name}Id`] === id
          const then = new Set((now.records[other] ?? []).filter(refers).map((row) => row["id"]))
          afterwards((records) => {
            if (records.records[other]?.some((row) => then.has(row["id"]) && refers(row))) refuse("violated")
          })
        }
  }

  function drop({ resource, id, several, stale }: Extract<Change, { kind: "delete" }>): void {
    if (!by(now).knows(resource, "delete")) {
      refuse("closed")
      return
    }
    const row = seen(resource, id)
    if (!row) {
      if (!several) refuse("absent")
      return
    }
    if (!by(base).may("delete", resource, row)) refuse("forbidden")
    if (stale) refuse("stale")
    if (hooked && (reasons.size > 0 || !announce(resource, id))) return
    // What its hooks have changed may be what the rule looks at.
    const then = find(base, resource, id)
    unsure ||= then === undefined || !by(base).may("delete", resource, then)
    remove(resource, id)
  }

  function relate({ kind, resource, id, relation, other }: Extract<Change, { relation: string }>): void {
    const to = resourceOf(resource).relations?.[relation]
    const isNew = madeOf(resource, id) !== undefined
    if (!to || !by(now).knows(resource, isNew ? "create" : "update") || !by(now).knows(to.target)) {
      refuse("closed")
      return
    }
    const row = seen(resource, id)
    if (!(row || isNew) || !(madeOf(to.target, other) ?? seen(to.target, other))) refuse("absent")
    if (!row && !isNew) return
    if (row && !by(base).may("update", resource, row)) refuse("forbidden")
    const isIt = (pair: Readonly<Record<string, string>>) =>
      pair[resource] === id && pair[to.target] === other
    const through = String(to.through)
    const pairs = now.links[through] ?? []
    const left = pairs.filter((pair) => !isIt(pair))
    const linked = kind === "link" ? [...left, { [resource]: id, [to.target]: other }] : left
    now = { ...now, links: { ...now.links, [through]: linked } }
  }

  /** Whether one part of the rule holds for all that the step has updated at once. */
  function holdsInParts([resource]: readonly [string, Entry]): boolean {
    const own = declared.resources[resource]
    return [own?.allow?.update].flat().some((update) => {
      const part = {
        ...declared.resources,
        [resource]: { ...own, allow: { update } },
      } as Declared["resources"]
      const rules = interpret({ ...declared, resources: part }, base, who)
      return inParts.every(([of, row]) => rules.allows("update", of, row))
    })
  }

  /** The step is done, and the next one begins. */
  function endStep(): void {
    now = withComputed(declared, now)
    for (const one of later) {
      about = one.about
      one.check(now)
    }
    const [first] = inParts
    if (first && !holdsInParts(first)) refuse("forbidden")
    inParts.length = 0
    later.length = 0
    base = now
    made = []
    chosen.clear()
    updated.clear()
    item = 0
  }

  for (const [index, change] of changes.entries()) {
    about = index
    // A hook is told of all that is computed.
    if (hooked) now = withComputed(declared, now)
    if (change.kind === "step") endStep()
    else if (change.kind === "another") item += 1
    else if (change.kind === "create") create(change)
    else if (change.kind === "put" || change.kind === "upsert") replace(change)
    else if (change.kind === "update") update(change)
    else if (change.kind === "delete") drop(change)
    else if (change.kind === "fire") fire(change)
    else if (change.kind === "see") {
      if (!seen(change.resource, change.id)) refuse("absent")
    } else if (change.kind !== "belongs") relate(change)
    else {
      const row = find(base, change.resource, change.id)
      const found = row ? by(base).related(change.resource, change.relation, row) : []
      if (!found.some(({ id }) => id === change.other)) refuse("absent")
    }
  }
  endStep()
  return { reasons, refusals, told, unsure, twice, store: reasons.size === 0 ? now : store }
}

/** What became of some records, done to others. */
function changed(before: Store, after: Store, others: Store): Store {
  const records = Object.entries(after.records).map(([name, rows]) => {
    const was = new Map((before.records[name] ?? []).map((row) => [row["id"], row]))
    const is = new Map(rows.map((row) => [row["id"], row]))
    const kept = (others.records[name] ?? [])
      .map((row) => (was.get(row["id"]) === is.get(row["id"]) ? row : is.get(row["id"])))
      .filter((row) => row !== undefined)
    const known = new Set(kept.map(({ id }) => id))
    const added = rows.filter(({ id }) => !was.has(id) && !known.has(id))
    return [name, [...kept, ...added]] as const
  })
  return { records: Object.fromEntries(records), links: after.links }
}
