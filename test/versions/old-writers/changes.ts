// Kinds of changes, each as it is declared and as plain functions.
import type { Random } from "../../../examples/storefront/random.ts"
import { f } from "../../../src/index.ts"
import type { FieldDeclaration, VersionChange } from "../../../src/model/declaration/declaration.ts"
import type { Item, Json, Member, Step } from "./naive.ts"

export type Kind =
  | "renamed"
  | "renamedValue"
  | "added"
  | "addedWrites"
  | "removedIgnored"
  | "removedReadonly"
  | "readonly"
  | "toDecimal"
  | "toCents"
  | "toEnum"
  | "toBoolean"
  | "mapped"
  | "split"
  | "splitPart"
  | "joined"
  | "required"
  | "optional"
  | "addedValue"
  | "coded"
  | "codedTogether"

/** What two functions are: values of one record, each way. */
interface Functions {
  reads(now: Item): Item
  writes(then: Item): Item
}

export interface Drawn extends Step {
  readonly kind: Kind
  readonly members: readonly Member[]
  change(resource: string): VersionChange
  readonly functions?: Functions
}

export interface Asking {
  readonly random: Random
  readonly fresh: () => string
  /** Members that are free in this version. A change takes the first ones that fit. */
  readonly free: readonly Member[]
  /** A text that stays as it is in this version, to be read by. */
  readonly other: Member | undefined
  /** Only renamed so far: nothing has to be written through it. */
  readonly isPlain: (name: string) => boolean
  /** No functions may make it. */
  readonly isApart: (name: string) => boolean
  /** Both were there in every version, or came of one. */
  readonly areOfOneAge: (one: string, other: string) => boolean
}

const nice = ["Ada", "O'Hara King", "Zoë", "50% of it", '"x"', "a\\b c", "", "Jo Li Mo"]

export function valueFor(random: Random, member: Member): Json {
  switch (member.kind) {
    case "text":
      return random.pick(nice as [string, ...string[]])
    case "integer":
      return random.between(-9_999, 9_999)
    case "decimal":
      return (random.between(-9_999, 9_999) / 100).toFixed(2)
    case "boolean":
      return random.oneIn(2)
    case "oneOf":
      return random.pick(member.values as unknown as [string, ...string[]])
  }
}

export function fieldOf({ kind, values = [], optional, preset }: Member): FieldDeclaration {
  const options = { ...(optional && { optional }), ...(preset !== undefined && { default: preset }) }
  switch (kind) {
    case "text":
      return f.text({ max: 400, ...options } as never) as FieldDeclaration
    case "integer":
      return f.integer(options as never) as FieldDeclaration
    case "decimal":
      return f.decimal({ precision: 14, scale: 2, ...options } as never) as FieldDeclaration
    case "boolean":
      return f.boolean(options as never) as FieldDeclaration
    case "oneOf":
      return f.oneOf(values as [string], options as never) as FieldDeclaration
  }
}

/** The member that came of one: with the image of its default, or, of one without, now and then a new default. */
function became(
  random: Random,
  of: Member,
  changed: Partial<Member> & Pick<Member, "name">,
  image: (value: Json) => Json,
): Member {
  const { preset, formerly, ...rest } = of
  const isSame = changed.kind === undefined && changed.values === undefined
  const member = { ...rest, ...(isSame && formerly && { formerly }), ...changed }
  if (preset !== undefined) return { ...member, preset: image(preset) }
  return random.oneIn(4) ? { ...member, preset: valueFor(random, member) } : member
}

const cents = (text: Json): Json => (text === null ? null : Math.round(Number(text) * 100))
const amount = (of: Json): Json => (of === null ? null : (Number(of) / 100).toFixed(2))
const head = (of: Json): Json => (of === null ? null : (String(of).split(" ")[0] ?? ""))
const tail = (of: Json): Json => (of === null ? null : String(of).split(" ").slice(1).join(" "))

type Build = (asking: Asking) => Drawn | undefined

const pick = ({ random, free }: Asking, fits: (member: Member) => boolean): Member | undefined => {
  const of = free.filter(fits)
  return of[random.between(0, Math.max(0, of.length - 1))]
}

/** One member that became another, by a function each way. */
function one(
  kind: Kind,
  asking: Asking,
  of: Member | undefined,
  changed: Partial<Member>,
  how: {
    readonly back: (value: Json) => Json
    readonly to: (value: Json) => Json
    readonly reads: (name: string) => unknown
    readonly writes: (name: string) => unknown
    readonly readonly?: true
  },
): Drawn | undefined {
  if (!of) return undefined
  const { name } = of
  const next = asking.random.oneIn(2) ? name : asking.fresh()
  const member = became(asking.random, of, { ...changed, name: next }, how.to)
  return {
    kind,
    before: [name],
    after: [next],
    members: [member],
    read: (item) => ({ [name]: how.back(item[next] ?? null) }),
    ...(!how.readonly && { write: (item: Item) => ({ [next]: how.to(item[name] ?? null) }) }),
    change: (resource) =>
      ({
        changed: `${resource}.${next}`,
        was: { [name]: fieldOf(of) },
        reads: { [name]: how.reads(next) },
        ...(!how.readonly && { writes: { [next]: how.writes(name) } }),
      }) as unknown as VersionChange,
  }
}

const same = (value: Json): Json => value

const builds: Readonly<Record<Kind, Build>> = {
  renamed(asking) {
    const of = pick(asking, () => true)
    if (!of) return undefined
    const next = asking.fresh()
    return {
      kind: "renamed",
      isRename: true,
      before: [of.name],
      after: [next],
      members: [{ ...of, name: next }],
      read: (item) => ({ [of.name]: item[next] ?? null }),
      write: (item) => ({ [next]: item[of.name] ?? null }),
      change: (resource) => ({ renamed: `${resource}.${of.name}`, to: next }),
    }
  },
  renamedValue(asking) {
    const of = pick(asking, ({ kind }) => kind === "oneOf")
    const [first, ...rest] = of?.values ?? []
    if (!of || first === undefined) return undefined
    const value = `${asking.fresh()}v`
    const to = (one: Json): Json => (one === first ? value : one)
    const { [first]: earlier = [], ...others } = of.formerly ?? {}
    const formerly = { ...others, [value]: [first, ...earlier] }
    return {
      kind: "renamedValue",
      before: [of.name],
      after: [of.name],
      members: [
        {
          ...of,
          values: [value, ...rest],
          formerly,
          ...(of.preset !== undefined && { preset: to(of.preset) }),
        },
      ],
      read: (item) => ({ [of.name]: item[of.name] === value ? first : (item[of.name] ?? null) }),
      write: (item) => ({ [of.name]: to(item[of.name] ?? null) }),
      change: (resource) => ({ renamed: `${resource}.${of.name}.${first}`, to: value }),
    }
  },
  added: (asking) => added(asking, "added"),
  addedWrites: (asking) => added(asking, "addedWrites"),
  removedIgnored: (asking) => removed(asking, true),
  removedReadonly: (asking) => removed(asking, false),
  readonly(asking) {
    const of = pick(
      asking,
      ({ name, kind, optional, preset }) =>
        kind === "integer" && asking.isPlain(name) && (optional || preset !== undefined),
    )
    return one(
      "readonly",
      asking,
      of,
      { kind: "decimal" },
      {
        back: cents,
        to: amount,
        reads: (name) => ({ multiply: [name, 100] }),
        writes: () => undefined,
        readonly: true,
      },
    )
  },
  toDecimal(asking) {
    const of = pick(asking, ({ kind }) => kind === "integer")
    return one(
      "toDecimal",
      asking,
      of,
      { kind: "decimal" },
      {
        back: cents,
        to: amount,
        reads: (name) => ({ multiply: [name, 100] }),
        writes: (name) => ({ multiply: [name, 0.01] }),
      },
    )
  },
  toCents(asking) {
    const of = pick(asking, ({ kind }) => kind === "decimal")
    return one(
      "toCents",
      asking,
      of,
      { kind: "integer" },
      {
        back: amount,
        to: cents,
        reads: (name) => ({ multiply: [name, 0.01] }),
        writes: (name) => ({ multiply: [name, 100] }),
      },
    )
  },
  toEnum(asking) {
    const of = pick(asking, ({ kind }) => kind === "boolean")
    if (!of) return undefined
    const [on, off] = [`on${asking.fresh()}`, `off${asking.fresh()}`]
    return one(
      "toEnum",
      asking,
      of,
      { kind: "oneOf", values: [on, off] },
      {
        back: (value) => (value === null ? null : value === on),
        to: (value) => (value === null ? null : value ? on : off),
        reads: (name) => choice(of, name, [on, true], [off, false]),
        writes: (name) => choice(of, name, [true, { value: on }], [false, { value: off }]),
      },
    )
  },
  toBoolean(asking) {
    const of = pick(asking, ({ kind, values = [] }) => kind === "oneOf" && values.length === 2)
    if (!of) return undefined
    const [on = "", off = ""] = of.values ?? []
    return one(
      "toBoolean",
      asking,
      of,
      { kind: "boolean" },
      {
        back: (value) => (value === null ? null : value ? on : off),
        to: (value) => (value === null ? null : value === on),
        reads: (name) => choice(of, name, [true, { value: on }], [false, { value: off }]),
        writes: (name) => choice(of, name, [on, true], [off, false]),
      },
    )
  },
  mapped(asking) {
    const of = pick(asking, ({ kind }) => kind === "oneOf")
    if (!of) return undefined
    const old = of.values ?? []
    const values = old.slice(0, 2).map((_, at) => `m${at}${asking.fresh()}`)
    const to = Object.fromEntries(old.map((value, at) => [value, values[Math.min(at, 1)] ?? ""]))
    const back = Object.fromEntries(values.map((value, at) => [value, old[at] ?? ""]))
    return one(
      "mapped",
      asking,
      of,
      { values },
      {
        back: (value) => (value === null ? null : (back[String(value)] ?? null)),
        to: (value) => (value === null ? null : (to[String(value)] ?? null)),
        reads: (name) => ({ map: [name, back] }),
        writes: (name) => ({ map: [name, to] }),
      },
    )
  },
  split: (asking) => split(asking, false),
  splitPart: (asking) => split(asking, true),
  joined(asking) {
    const isText = ({ kind, preset }: Member): boolean => kind === "text" && preset !== null
    const first = pick(asking, (member) => isText(member) && !member.optional)
    const last =
      first &&
      pick(
        asking,
        (member) =>
          isText(member) && member.name !== first.name && asking.areOfOneAge(first.name, member.name),
      )
    if (!first || !last) return undefined
    const name = asking.fresh()
    const join = (a: Json, b: Json): string => `${a} ${b ?? "?"}`
    const member: Member = { name, kind: "text", optional: false }
    const isPreset = first.preset !== undefined && (last.preset !== undefined || last.optional)
    return {
      kind: "joined",
      before: [first.name, last.name],
      after: [name],
      members: [isPreset ? { ...member, preset: join(first.preset ?? "", last.preset ?? null) } : member],
      read: (item) => ({ [first.name]: head(item[name] ?? null), [last.name]: tail(item[name] ?? null) }),
      write: (item) => ({ [name]: join(item[first.name] ?? null, item[last.name] ?? null) }),
      change: (resource) =>
        ({
          changed: `${resource}.${name}`,
          was: { [first.name]: fieldOf(first), [last.name]: fieldOf(last) },
          reads: { [first.name]: { before: [name, " "] }, [last.name]: { after: [name, " "] } },
          writes: {
            [name]: {
              concat: [
                first.name,
                { value: " " },
                last.optional ? { coalesce: [last.name, { value: "?" }] } : last.name,
              ],
            },
          },
        }) as unknown as VersionChange,
    }
  },
  required(asking) {
    const of = pick(asking, ({ kind, optional, preset }) => kind !== "boolean" && optional && preset !== null)
    if (!of) return undefined
    const instead = valueFor(asking.random, { ...of, optional: false })
    return one(
      "required",
      asking,
      of,
      { optional: false },
      {
        back: same,
        to: (value) => value ?? instead,
        reads: (name) => name,
        writes: (name) => ({ coalesce: [name, constant(instead)] }),
      },
    )
  },
  optional(asking) {
    const of = pick(asking, ({ kind, optional }) => kind !== "boolean" && !optional)
    if (!of) return undefined
    const instead = valueFor(asking.random, of)
    return one(
      "optional",
      asking,
      of,
      { optional: true },
      {
        back: (value) => value ?? instead,
        to: same,
        reads: (name) => ({ coalesce: [name, constant(instead)] }),
        writes: (name) => name,
      },
    )
  },
  addedValue(asking) {
    const of = pick(asking, ({ kind }) => kind === "oneOf")
    if (!of) return undefined
    const { name, values = [] } = of
    const fresh = `${asking.fresh()}w`
    const instead = asking.random.pick(values as [string, ...string[]])
    return {
      kind: "addedValue",
      before: [name],
      after: [name],
      members: [{ ...of, values: [...values, fresh] }],
      read: (item) => ({ [name]: item[name] === fresh ? instead : (item[name] ?? null) }),
      write: (item) => ({ [name]: item[name] ?? null }),
      change: (resource) => ({ added: `${resource}.${name}.${fresh}`, as: instead }),
    }
  },
  coded(asking) {
    const of = pick(asking, ({ name, kind }) => kind === "integer" && !asking.isApart(name))
    if (!of) return undefined
    const { name } = of
    const next = asking.random.oneIn(2) ? name : asking.fresh()
    const back = (value: Json): Json => (value === null ? null : numberIn(String(value)))
    const to = (value: Json): Json => (value === null ? null : `N${value}`)
    return byCode({
      kind: "coded",
      was: [of],
      now: became(asking.random, of, { kind: "text", name: next }, to),
      reads: (item) => ({ [name]: back(item[next] ?? null) }),
      writes: (item) => ({ [next]: to(item[name] ?? null) }),
    })
  },
  codedTogether(asking) {
    const fits = ({ name, kind, optional, preset }: Member): boolean =>
      (kind === "integer" || kind === "text") && !optional && preset === undefined && !asking.isApart(name)
    const first = pick(asking, fits)
    const last =
      first &&
      pick(
        asking,
        (member) => fits(member) && member.name !== first.name && asking.areOfOneAge(first.name, member.name),
      )
    if (!first || !last) return undefined
    const name = asking.fresh()
    const partOf = ({ kind }: Member, part: string): Json => (kind === "text" ? part : numberIn(part))
    return byCode({
      kind: "codedTogether",
      was: [first, last],
      now: { name, kind: "text", optional: false },
      reads(item) {
        const [one = "", ...rest] = String(item[name]).split("|")
        return { [first.name]: partOf(first, one), [last.name]: partOf(last, rest.join("|")) }
      },
      writes: (item) => ({ [name]: `${item[first.name]}|${item[last.name]}` }),
    })
  },
}

/** @param isPart the first one is all that is shown */
function split(asking: Asking, isPart: boolean): Drawn | undefined {
  const of = pick(asking, ({ kind }) => kind === "text")
  if (!of) return undefined
  const { name, optional, preset } = of
  const [first, last] = [asking.fresh(), asking.fresh()]
  const members = [first, last].map((part): Member => ({ name: part, kind: "text", optional }))
  const parts = [isPart ? same : head, tail]
  return {
    kind: isPart ? "splitPart" : "split",
    ...(isPart && { from: [first] }),
    before: [name],
    after: [first, last],
    members: members.map((member, at) =>
      preset === undefined ? member : { ...member, preset: (parts[at] ?? same)(preset) },
    ),
    read({ [first]: a = null, [last]: b = null }) {
      if (isPart) return { [name]: a }
      return { [name]: a === null || b === null ? null : `${a} ${b}` }
    },
    write: (item) => ({
      [first]: parts[0]?.(item[name] ?? null) ?? null,
      [last]: tail(item[name] ?? null),
    }),
    change: (resource) =>
      ({
        changed: [`${resource}.${first}`, `${resource}.${last}`],
        was: { [name]: fieldOf(of) },
        reads: { [name]: isPart ? first : { concat: [first, { value: " " }, last] } },
        writes: { [first]: isPart ? name : { before: [name, " "] }, [last]: { after: [name, " "] } },
      }) as unknown as VersionChange,
  }
}

/** Of each text some number: what the newest version writes is read by all. */
const numberIn = (text: string): number =>
  /^N?-?\d{1,5}$/.test(text) ? Number(text.replace("N", "")) : text.length

interface ByCode extends Functions {
  readonly kind: Kind
  readonly was: readonly Member[]
  readonly now: Member
}

function byCode({ kind, was, now, reads, writes }: ByCode): Drawn {
  return {
    kind,
    before: was.map(({ name }) => name),
    after: [now.name],
    members: [now],
    isCode: true,
    read: reads,
    write: writes,
    functions: { reads, writes },
    change: (resource) =>
      ({
        changed: `${resource}.${now.name}`,
        was: Object.fromEntries(was.map((member) => [member.name, fieldOf(member)])),
        code: true,
      }) as unknown as VersionChange,
  }
}

export const kinds = Object.keys(builds) as readonly Kind[]

export const draw = (kind: Kind, asking: Asking): Drawn | undefined => builds[kind](asking)

const constant = (value: Json): unknown => (typeof value === "string" ? { value } : value)

/** Of a value that may be missing, each case is named. */
function choice(
  { optional }: Member,
  name: string,
  [first, give]: readonly [Json, unknown],
  [second, other]: readonly [Json, unknown],
): unknown {
  const rest = optional ? { if: { when: { [name]: { eq: second } }, give: other } } : other
  return { if: { when: { [name]: { eq: first } }, give, else: rest } }
}

function added({ random, fresh }: Asking, kind: "added" | "addedWrites"): Drawn {
  const name = fresh()
  const base = random.pick([
    { name, kind: "text", optional: false },
    { name, kind: "integer", optional: false },
    { name, kind: "oneOf", values: [`${name}a`, `${name}b`, `${name}c`], optional: false },
    { name, kind: "boolean", optional: false },
  ] as const satisfies readonly Member[])
  const writes = valueFor(random, base)
  const isOptional = random.oneIn(3)
  const isPreset = kind === "added" ? !isOptional || random.oneIn(2) : random.oneIn(3)
  const member: Member = {
    ...base,
    optional: isOptional,
    ...(isPreset && { preset: valueFor(random, base) }),
  }
  return {
    kind,
    before: [],
    after: [name],
    members: [member],
    read: () => ({}),
    ...(kind === "addedWrites" && { supplied: { [name]: writes } }),
    change: (resource) => ({
      added: `${resource}.${name}`,
      ...(kind === "addedWrites" && { writes: writes ?? "" }),
    }),
  }
}

function removed(asking: Asking, isIgnored: boolean): Drawn | undefined {
  const { random, other } = asking
  const of = pick(asking, ({ name, kind, optional, preset }) => {
    if (kind === "boolean" || name === other?.name) return false
    return isIgnored || (asking.isPlain(name) && (optional || preset !== undefined))
  })
  if (!of) return undefined
  const value = valueFor(random, of)
  const isRead =
    of.kind === "text" && other !== undefined && (of.optional || !other.optional) && random.oneIn(2)
  return {
    kind: isIgnored ? "removedIgnored" : "removedReadonly",
    before: [of.name],
    after: [],
    members: [],
    ...(isRead && { from: [other.name] }),
    read: (item) => ({ [of.name]: isRead ? (item[other.name] ?? null) : value }),
    ...(isIgnored && { write: "ignored" as const }),
    change: (resource) =>
      ({
        removed: `${resource}.${of.name}`,
        was: fieldOf(of),
        reads: isRead ? other.name : { value },
        ...(isIgnored && { writes: "ignored" as const }),
      }) as VersionChange,
  }
}
