// The naive interpreter of access rules: who may do what with which record, written from docs/guide/permissions.md over plain data,
// sharing no code with the engine. It is slow and obvious on purpose.

/** A record in its wire form: `id`, fields, and references such as `customerId`. */
export type Entry = Readonly<Record<string, unknown>>

/** What a service's file says, as far as rules need it. */
export interface Declared {
  readonly viewer?: string
  readonly resources: Readonly<Record<string, DeclaredResource>>
}

interface DeclaredResource {
  readonly key?: unknown
  readonly fields: Readonly<Record<string, DeclaredField>>
  readonly relations?: Readonly<Record<string, DeclaredRelation>>
  readonly allow?: Readonly<Partial<Record<Action, unknown>>>
}

interface DeclaredField {
  readonly scalar: string
  readonly read?: unknown
  readonly write?: unknown
}

interface DeclaredRelation {
  readonly kind: "one" | "many"
  readonly target: string
  readonly by?: string
  readonly through?: unknown
}

export type Action = "read" | "create" | "update" | "delete"

export interface Who {
  readonly signedIn: boolean
  /** The id of the record that they are. */
  readonly viewer?: string
  readonly roles: readonly string[]
  readonly scopes: readonly string[]
}

/** All records by resource, and the links of join tables: pairs of ids by the names of their two resources. */
export interface Store {
  readonly records: Readonly<Record<string, readonly Entry[]>>
  readonly links: Readonly<Record<string, readonly Readonly<Record<string, string>>[]>>
}

interface Grant {
  readonly when: unknown
  /** All fields when absent. */
  readonly fields?: readonly string[]
}

/** How surely a rule holds for somebody, before any record is looked at. */
const never = 0
const perhaps = 1
const always = 2

export type Interpreter = ReturnType<typeof interpret>

interface Along {
  /** Other records that are made along with the one that is judged: a reference leads to them, and no other path. */
  readonly made?: Store["records"]
  /** Whether a key that the caller chose leads there: for rules that record is not there. */
  readonly isChosen?: (resource: string, entry: Entry, relation: string) => boolean
  /** Records that to-many relations of those lead to: in a wrong reading. */
  readonly whole?: Store
}

/** What `who` may do in a service with these records. */
export function interpret(declared: Declared, store: Store, who: Who, along: Along = {}) {
  const { made = {}, whole, isChosen } = along
  const resourceOf = (name: string): DeclaredResource => {
    const found = declared.resources[name]
    if (!found) throw new Error(`no resource ${name}`)
    return found
  }
  const fieldOf = (resource: string, field: string): DeclaredField | undefined =>
    resourceOf(resource).fields[field]

  const all = (resource: string): readonly Entry[] => store.records[resource] ?? []
  const self = all(declared.viewer ?? "").find(({ id }) => id === who.viewer)

  /** Every record that a relation leads to, seen or not. */
  function related(resource: string, name: string, entry: Entry): readonly Entry[] {
    const relation = resourceOf(resource).relations?.[name]
    if (!relation) throw new Error(`no relation ${resource}.${name}`)
    const isMade = whole && made[resource]?.includes(entry)
    const targets = (isMade ? whole.records[relation.target] : undefined) ?? all(relation.target)
    if (relation.through !== undefined) {
      const pairs = store.links[String(relation.through)] ?? []
      const ids = pairs.filter((pair) => pair[resource] === entry["id"]).map((pair) => pair[relation.target])
      return targets.filter(({ id }) => ids.includes(id as string))
    }
    if (relation.by !== undefined)
      return targets.filter((target) => target[`${relation.by}Id`] === entry["id"])
    const reference = entry[`${name}Id`]
    const found = targets.filter(({ id }) => id === reference)
    if (found.length > 0 || isChosen?.(resource, entry, name)) return found
    return (made[relation.target] ?? []).filter(({ id }) => id === reference)
  }

  /** Whether the reference leads to another record that is made in the same step. */
  function isTogether(resource: string, entry: Entry, name: string): boolean {
    const { target = "" } = resourceOf(resource).relations?.[name] ?? {}
    if (isChosen?.(resource, entry, name)) return false
    return (made[target] ?? []).some(({ id }) => id === entry[`${name}Id`])
  }

  // Rules: some words are about who asks, everything else is about the record.

  /**
   * Whether a rule holds for the record.
   * @param wanted false under an odd number of `not`: there, what cannot be told without a viewer must not be true of its
   * opposite either
   */
  function holds(rule: unknown, resource: string, entry: Entry, wanted = true): boolean {
    if (Array.isArray(rule)) return rule.some((one) => holds(one, resource, entry, wanted))
    return Object.entries(rule as object).every(([word, value]) => {
      const each = (one: unknown): boolean => holds(one, resource, entry, wanted)
      if (word === "and" && Array.isArray(value)) return value.every(each)
      if (word === "or" && Array.isArray(value)) return value.some(each)
      if (word === "not") return !holds(value, resource, entry, !wanted)
      const told = aboutWho(word, value)
      if (told !== undefined) return told
      if (word === "together" && typeof value === "string") return isTogether(resource, entry, value)
      if (needsViewer(value)) return !wanted
      return meetsMember(resource, entry, word, value)
    })
  }

  function aboutWho(word: string, value: unknown): boolean | undefined {
    if (word === "anyone" && value === true) return true
    if (word === "signedIn" && value === true) return who.signedIn
    if (word === "role" && typeof value === "string") return who.roles.includes(value)
    if (word === "scope" && typeof value === "string") return who.scopes.includes(value)
    return undefined
  }

  const needsViewer = (value: unknown): boolean => who.viewer === undefined && mentionsViewer(value)

  /** What can be said of a rule without a record. */
  function outlook(rule: unknown, wanted = true): number {
    if (Array.isArray(rule)) return Math.max(never, ...rule.map((one) => outlook(one, wanted)))
    const parts = Object.entries(rule as object).map(([word, value]) => {
      const each = (one: unknown): number => outlook(one, wanted)
      if (word === "and" && Array.isArray(value)) return Math.min(always, ...value.map(each))
      if (word === "or" && Array.isArray(value)) return Math.max(never, ...value.map(each))
      if (word === "not") return always - outlook(value, !wanted)
      const told = aboutWho(word, value) ?? (needsViewer(value) ? !wanted : undefined)
      return told === undefined ? perhaps : told ? always : never
    })
    return Math.min(always, ...parts)
  }

  // Conditions over a record, as docs/guide/reading.md says. No rule applies inside.

  function meets(resource: string, entry: Entry, condition: unknown): boolean {
    return Object.entries(condition as object).every(([word, value]) => {
      if (word === "and") return (value as unknown[]).every((one) => meets(resource, entry, one))
      if (word === "or") return (value as unknown[]).some((one) => meets(resource, entry, one))
      if (word === "not") return !meets(resource, entry, value)
      return meetsMember(resource, entry, word, value)
    })
  }

  function meetsMember(resource: string, entry: Entry, member: string, value: unknown): boolean {
    const relation = resourceOf(resource).relations?.[member]
    if (!relation)
      return Object.entries(value as object).every(([operator, operand]) =>
        compares(fieldOf(resource, member)?.scalar, entry[member] ?? null, operator, operandOf(operand)),
      )
    const found = related(resource, member, entry)
    const good = (condition: unknown) => found.filter((one) => meets(relation.target, one, condition)).length
    if (relation.kind === "one") return good(value) > 0
    return Object.entries(value as object).every(([quantifier, condition]) => {
      if (quantifier === "some") return good(condition) > 0
      return quantifier === "none" ? good(condition) === 0 : good(condition) === found.length
    })
  }

  function operandOf(operand: unknown): unknown {
    if (!isViewer(operand)) return operand
    return operand.viewer === "id" ? (who.viewer ?? null) : (self?.[operand.viewer] ?? null)
  }

  // Verdicts.
  const grantsOf = (resource: string, action: Action): readonly Grant[] => {
    const given = resourceOf(resource).allow?.[action]
    if (given === undefined) return []
    return (Array.isArray(given) ? given : [given]).map((one) =>
      Array.isArray(one.fields) ? { when: one.when, fields: one.fields } : { when: one },
    )
  }
  const about = (field: string) => (grant: Grant) => grant.fields?.includes(field) ?? true
  const names = (resource: string, field: string) => [resourceOf(resource).key].flat().includes(field)
  const granted = (resource: string, grants: readonly Grant[], entry: Entry): boolean =>
    grants.some(({ when }) => allows(when, resource, entry))

  /** A grant's rule is asked again for each field of a record, and what it says of the record stays so. */
  const verdicts = new Map<unknown, Map<Entry, boolean>>()
  function allows(when: unknown, resource: string, entry: Entry): boolean {
    const known = verdicts.get(when) ?? new Map<Entry, boolean>()
    verdicts.set(when, known)
    const verdict = known.get(entry) ?? holds(when, resource, entry)
    known.set(entry, verdict)
    return verdict
  }

  const sees = (resource: string, entry: Entry): boolean =>
    granted(resource, grantsOf(resource, "read"), entry)

  return {
    sees,
    related,

    /** The value of a field; what is none (`id`, references), and what a key is made of, comes with the record. */
    seesValue(resource: string, entry: Entry, name: string): boolean {
      const field = fieldOf(resource, name)
      if (!field || names(resource, name)) return sees(resource, entry)
      if (!granted(resource, grantsOf(resource, "read").filter(about(name)), entry)) return false
      return field.read === undefined || holds(field.read, resource, entry)
    },

    /** Whether a rule allows the action for the record, which it also has to see. */
    may: (action: Action, resource: string, entry: Entry): boolean =>
      sees(resource, entry) && granted(resource, grantsOf(resource, action), entry),

    /** The same, without seeing it: a record that is not there yet. */
    allows: (action: Action, resource: string, entry: Entry): boolean =>
      granted(resource, grantsOf(resource, action), entry),

    /** Whether the field may be given in that action for the record. */
    maySet(action: "create" | "update", resource: string, entry: Entry, name: string): boolean {
      if (!granted(resource, grantsOf(resource, action).filter(about(name)), entry)) return false
      const write = fieldOf(resource, name)?.write
      return write === undefined || holds(write, resource, entry)
    },

    /** Whether some record could ever be for them; if none, the name does not exist. */
    knows: (resource: string, action: Action = "read"): boolean =>
      grantsOf(resource, "read").some(({ when }) => outlook(when) > never) &&
      grantsOf(resource, action).some(({ when }) => outlook(when) > never),

    /** The same of a field, to read or to set. */
    knowsField(resource: string, name: string, action: Action = "read"): boolean {
      const field = fieldOf(resource, name)
      const rule = action === "read" ? field?.read : field?.write
      const grants = grantsOf(resource, action)
      const some = action === "read" && names(resource, name) ? grants : grants.filter(about(name))
      return some.some(({ when }) => outlook(when) > never) && (rule === undefined || outlook(rule) > never)
    },

    /** Whether they see each record there could be. */
    seesAll: (resource: string): boolean =>
      grantsOf(resource, "read").some(({ when }) => outlook(when) === always),

    /** Whether they see the value in each record that they could see. */
    seesInAll(resource: string, name: string): boolean {
      const field = fieldOf(resource, name)
      const grants = grantsOf(resource, "read").filter(({ when }) => outlook(when) > never)
      if (grants.length === 0 || !field || names(resource, name)) return grants.length > 0
      const own = grants.filter(about(name))
      const given = own.length === grants.length || own.some(({ when }) => outlook(when) === always)
      return given && (field.read === undefined || outlook(field.read) === always)
    },
  }
}

const isViewer = (value: unknown): value is { readonly viewer: string } =>
  typeof value === "object" && value !== null && typeof (value as { viewer?: unknown }).viewer === "string"

const mentionsViewer = (value: unknown): boolean =>
  isViewer(value) ||
  (typeof value === "object" && value !== null && Object.values(value).some(mentionsViewer))

/** A missing value meets nothing but `isNull`; `ne` and `notIn` are the opposites of `eq` and `in`. */
function compares(scalar: string | undefined, value: unknown, operator: string, operand: unknown): boolean {
  if (operator === "isNull") return (value === null) === operand
  if (operator === "ne") return !compares(scalar, value, "eq", operand)
  if (operator === "notIn") return !compares(scalar, value, "in", operand)
  if (value === null || operand === null) return false
  if (operator === "in") return (operand as unknown[]).some((one) => compares(scalar, value, "eq", one))
  if (operator === "startsWith") return String(value).startsWith(String(operand))
  if (operator === "contains") return String(value).includes(String(operand))
  const order = orderOf(scalar, value, operand)
  if (operator === "eq") return order === 0
  if (operator === "lt") return order < 0
  if (operator === "lte") return order <= 0
  if (operator === "gt") return order > 0
  if (operator === "gte") return order >= 0
  throw new Error(`no operator ${operator}`)
}
/** Numbers by value (those of these tests are exact as doubles), all else by code point. */
function orderOf(scalar: string | undefined, a: unknown, b: unknown): number {
  if (["integer", "int64", "float", "decimal", "boolean"].includes(scalar ?? "")) return Number(a) - Number(b)
  return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)))
}
