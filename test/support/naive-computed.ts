// What is computed by expressions, for the naive interpreters: records with what their computed fields come to, written
// from docs/guide/computed.md over plain records, sharing no code with the engine.
import type { ExpressionDeclaration } from "../../src/model/expression.ts"
import { evaluateNumber, evaluateText, type Known, settle } from "../computed/naive.ts"
import { type Declared, type Entry, interpret, type Store } from "./naive-access.ts"

interface GivenField {
  readonly scalar: string
  readonly precision?: number
  readonly scale?: number
  readonly computed?: ExpressionDeclaration
}

const fieldsOf = (declared: Declared, resource: string): readonly (readonly [string, GivenField])[] =>
  Object.entries((declared.resources[resource]?.fields ?? {}) as Readonly<Record<string, GivenField>>)

export const computedNames = (declared: Declared, resource: string): readonly string[] =>
  fieldsOf(declared, resource).flatMap(([name, { computed }]) => (computed === undefined ? [] : [name]))

/** What of a record is stored, and so kept of it. */
export function withoutComputed(declared: Declared, resource: string, row: Entry): Entry {
  const computed = new Set(computedNames(declared, resource))
  return Object.fromEntries(Object.entries(row).filter(([name]) => !computed.has(name)))
}

const nobody = { signedIn: false, roles: [], scopes: [] }

/** Records with what is computed of them, by others as they are in a store. What does not change is the same object. */
export function computing(declared: Declared, store: Store) {
  const { related } = interpret(declared, store, nobody)
  const made = new Map<Entry, Known>()

  /** A record whose computed fields and to-many relations are there when they are looked at. */
  function known(resource: string, row: Entry): Known {
    const before = made.get(row)
    if (before) return before
    const all = { ...row }
    made.set(row, all)
    const define = (name: string, get: () => unknown) =>
      Object.defineProperty(all, name, { get, configurable: true })
    for (const [name, { kind, target }] of Object.entries(declared.resources[resource]?.relations ?? {}))
      if (kind === "many") define(name, () => related(resource, name, row).map((one) => known(target, one)))
    for (const [name, field] of fieldsOf(declared, resource)) {
      const { computed } = field
      if (computed !== undefined) define(name, () => computedValue(field, computed, all))
    }
    return all
  }

  return function computed(resource: string, rows: readonly Entry[]): readonly Entry[] {
    const names = computedNames(declared, resource)
    if (names.length === 0) return rows
    const filled = rows.map((row) => {
      const all = known(resource, row)
      const values = names.map((name): readonly [string, unknown] => [name, all[name]])
      const isSame = values.every(([name, value]) => row[name] === value)
      return isSame ? row : { ...row, ...Object.fromEntries(values) }
    })
    return filled.every((row, index) => row === rows[index]) ? rows : filled
  }
}

/** By service and records: each is asked for again and again. */
const computedStores = new WeakMap<Declared, WeakMap<Store, Store>>()

/** The records with what is computed of all of them, whoever asks. */
export function withComputed(declared: Declared, store: Store): Store {
  const stores = computedStores.get(declared) ?? new WeakMap<Store, Store>()
  computedStores.set(declared, stores)
  const computed = stores.get(store) ?? computeAll(declared, store)
  stores.set(store, computed)
  return computed
}

function computeAll(declared: Declared, store: Store): Store {
  const computed = computing(declared, store)
  const all = Object.entries(store.records).map(
    ([resource, rows]) => [resource, computed(resource, rows)] as const,
  )
  const isSame = all.every(([resource, rows]) => rows === store.records[resource])
  return isSame ? store : { ...store, records: Object.fromEntries(all) }
}

/** In its wire form. */
function computedValue(
  { scalar, precision = 18, scale = 0 }: GivenField,
  computed: ExpressionDeclaration,
  known: Known,
) {
  if (!["integer", "int64", "decimal"].includes(scalar)) return evaluateText(computed, known)
  const number = settle(evaluateNumber(computed, known), { precision, scale })
  return number !== null && scalar === "integer" ? Number(number) : number
}
