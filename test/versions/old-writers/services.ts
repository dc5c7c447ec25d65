// Services of several versions whose changes are drawn: the declaration, and the versions as the naive interpreter has them.
import { seeded } from "../../../examples/storefront/random.ts"
import { action, anyone, f, given, many, one, resource, role, service, withCode } from "../../../src/index.ts"
import type { VersionChange } from "../../../src/model/declaration/declaration.ts"
import { type Drawn, draw, fieldOf, type Kind, kinds, valueFor } from "./changes.ts"
import type { Item, Json, Member, Version } from "./naive.ts"

/** Names of a version for what is no member that changes. */
export interface Names {
  /** The resource. */
  readonly item: string
  readonly code: string
  readonly box: string
  readonly state: string
  readonly open: string
  readonly ship: string
  /** The input of `ship`. */
  readonly stamp: string
  readonly touch: string
  /** The sku of an item, and the code of a slot, as the version shows one of today. */
  keyOf(key: string): string
}

/** A state that is new since a version, and that older ones show as `open`. */
interface Held {
  readonly since: number
  /** The states that a transition leads from: of `ship` and of `hold`. */
  readonly ship: boolean
  readonly hold: boolean
}

export interface Evolved {
  readonly seed: number
  readonly declared: Parameters<typeof import("../../../src/tools/testing/start-service.ts").startService>[0]
  /** Oldest first. */
  readonly versions: readonly Version[]
  readonly names: readonly Names[]
  /** Changes between a version and the next. */
  readonly changes: readonly (readonly Drawn[])[]
  /** The newest member that the transition sets by its input, where there is one. */
  readonly stamped: string | undefined
  readonly held: Held | undefined
  /** The version since which an item has several labels. */
  readonly widened: number
  /** Newest members that staff alone sees. */
  readonly hidden: ReadonlySet<string>
  /** What the action sets. */
  touched(seed: number): Item
}

const mostSteps = 5

const nameOf = (at: number): string => `2026-${String(at + 1).padStart(2, "0")}-01`

const beginning = (fresh: () => string, random: ReturnType<typeof seeded>): Member[] => {
  const bases: readonly Pick<Member, "kind" | "values">[] = [
    { kind: "text" },
    { kind: "text" },
    { kind: "text" },
    { kind: "integer" },
    { kind: "decimal" },
    { kind: "boolean" },
    { kind: "oneOf", values: ["small", "large"] },
    { kind: "oneOf", values: ["red", "green", "blue"] },
  ]
  return bases.map((base) => {
    const member: Member = { ...base, name: fresh(), optional: random.oneIn(3) }
    return random.oneIn(3) ? { ...member, preset: valueFor(random, member) } : member
  })
}

interface Drawing {
  readonly random: ReturnType<typeof seeded>
  readonly fresh: () => string
  /** The first kind that is tried. */
  readonly start: number
  /** Tried before it, by version. */
  readonly aims: ReadonlyMap<number, Kind>
  /** Members that were renamed only. */
  readonly plain: Set<string>
  /** Members that no functions may make: older changes look at them in conditions, or give new records a constant there. */
  readonly apart: Set<string>
  /** The version in which a member, or all that it came of, was added. */
  readonly ages: Map<string, number>
}

function drawSteps(
  { random, fresh, start, aims, plain, apart, ages }: Drawing,
  members: readonly Member[],
  at: number,
): readonly Drawn[] {
  const steps: Drawn[] = []
  let free = [...members]
  const spare = random.shuffle(free.filter(({ kind }) => kind === "text"))[0]
  free = free.filter((one) => one !== spare)
  const begin = (start + at * mostSteps) % kinds.length
  const aim = aims.get(at)
  for (const kind of [...(aim ? [aim] : []), ...kinds.slice(begin), ...kinds.slice(0, begin)]) {
    if (steps.length === mostSteps) break
    const step = draw(kind, {
      random,
      fresh,
      free,
      other: spare,
      isPlain: (name) => plain.has(name),
      isApart: (name) => apart.has(name),
      areOfOneAge: (one, other) => ages.get(one) === ages.get(other),
    })
    if (!step) continue
    steps.push(step)
    free = free.filter(({ name }) => !step.before.includes(name))
    const isApart =
      ["toEnum", "toBoolean", "addedWrites", "readonly"].includes(kind) ||
      step.before.some((name) => apart.has(name))
    for (const name of step.after) {
      if (isApart) apart.add(name)
      ages.set(
        name,
        step.before.length === 0 ? at + 1 : Math.max(...step.before.map((one) => ages.get(one) ?? 0)),
      )
      if (kind === "added" || (kind === "renamed" && plain.has(step.before[0] ?? ""))) plain.add(name)
      else plain.delete(name)
    }
  }
  return steps
}

function nextMembers(members: readonly Member[], steps: readonly Drawn[]): readonly Member[] {
  const gone = new Set(steps.flatMap(({ before }) => before))
  return [...members.filter(({ name }) => !gone.has(name)), ...steps.flatMap((step) => step.members)]
}

/** Members that conditions look at, and what became of them. */
function askedMembers(changes: readonly (readonly Drawn[])[]): ReadonlySet<string> {
  const asked = new Set<string>()
  for (const { kind, before, after } of changes.flat())
    if (kind === "toEnum" || kind === "toBoolean" || before.some((name) => asked.has(name)))
      for (const name of after) asked.add(name)
  return asked
}

interface Stating {
  readonly held: Held | undefined
  /** The transition has an input. */
  readonly isStamped: boolean
}

function drawHeld(random: ReturnType<typeof seeded>, count: number): Held | undefined {
  const since = random.between(1, count + 1)
  return since < count ? { since, ship: random.oneIn(2), hold: random.oneIn(2) } : undefined
}

/** Names of members, resources, states and operations. */
type Renamed = Omit<Names, "keyOf">

/** Changes of keys. */
const keyChanges = [
  {
    change: (changed: string, key: string): VersionChange => ({
      changed,
      was: f.text() as never,
      reads: { upper: key },
      writes: { lower: key },
    }),
    former: (key: string) => key.toUpperCase(),
  },
  {
    change: (changed: string, key: string): VersionChange => ({
      changed,
      was: f.text() as never,
      reads: { concat: [{ value: "K-" }, key] },
      writes: { after: [key, "-"] },
    }),
    former: (key: string) => `K-${key}`,
  },
]

/** By the version since which they are as they are now. */
function drawKeyChanges(seed: number, count: number): ReadonlyMap<number, (typeof keyChanges)[number]> {
  const random = seeded(seed * 13 + 7)
  const since = random.shuffle(Array.from({ length: count - 1 }, (_, at) => at + 1))
  const drawn = random.shuffle(keyChanges).slice(0, random.between(1, keyChanges.length))
  return new Map(drawn.map((one, at) => [since[at] ?? 1, one]))
}

/** Other names from this version on, and the changes that declare them. */
function drawNames(random: ReturnType<typeof seeded>, count: number, { held, isStamped }: Stating) {
  const names: Renamed[] = [
    {
      item: "item",
      code: "code",
      box: "box",
      state: "phase",
      open: "placed",
      ship: "send",
      stamp: "seal",
      touch: "poke",
    },
  ]
  const changes: (readonly VersionChange[])[] = []
  const since = Object.fromEntries(
    Object.entries({
      item: "thing",
      code: "mark",
      box: "crate",
      state: "status",
      open: "fresh",
      ship: "ship",
      stamp: "stamp",
      touch: "touch",
    }).map(([key, name]) => [key, { name, at: random.between(1, count + 1) }]),
  ) as Readonly<Record<keyof Renamed, { name: string; at: number }>>
  for (let at = 1; at < count; at += 1) {
    const old = names[at - 1] as Renamed
    const now = Object.fromEntries(
      Object.entries(old).map(([key, name]) => [
        key,
        since[key as keyof Renamed].at === at ? since[key as keyof Renamed].name : name,
      ]),
    ) as unknown as Renamed
    const { item } = now
    const renamed = (key: keyof Renamed, path: string): readonly VersionChange[] =>
      old[key] === now[key] ? [] : [{ renamed: path, to: now[key] } as VersionChange]
    names.push(now)
    changes.push([
      ...renamed("item", old.item),
      ...renamed("code", `${item}.${old.code}`),
      ...renamed("box", `${item}.${old.box}`),
      ...renamed("ship", `${item}.${old.ship}`),
      ...(isStamped ? renamed("stamp", `${item}.${now.ship}.${old.stamp}`) : []),
      ...renamed("touch", `${item}.${old.touch}`),
      ...renamed("state", `${item}.${old.state}`),
      ...renamed("open", `${item}.${now.state}.${old.open}`),
      ...(held?.since === at
        ? [
            { added: `${item}.${now.state}.held`, as: now.open },
            { added: `${item}.hold` },
            { added: `${item}.drop` },
          ]
        : []),
    ])
  }
  return { names, changes }
}

/** What `withCode` attaches, for all records at once. */
function functionsOf(
  versions: readonly Version[],
  changes: readonly (readonly Drawn[])[],
  names: readonly Names[],
): object {
  return Object.fromEntries(
    versions.flatMap(({ name }, at) => {
      const own = (changes[at - 1] ?? []).flatMap(({ after, functions }) =>
        functions
          ? [names[at]?.item ?? "", "slot"].map((resource) => [
              `${resource}.${after[0]}`,
              {
                reads: (records: readonly Item[]) => records.map(functions.reads),
                writes: (inputs: readonly Item[]) => inputs.map(functions.writes),
              },
            ])
          : [],
      )
      return own.length > 0 ? [[name, Object.fromEntries(own)]] : []
    }),
  )
}

/** Of keys: each changed one comes back. */
const pattern = "^[a-z0-9]+$"
const all = { read: anyone, create: anyone, update: anyone, delete: anyone }

/**
 * @param count of versions
 * @param hides newest members are shown to staff alone: those that conditions of changes look at, parts that older versions do
 * not show, and one in two others
 */
export function evolve(seed: number, { count = 4, hides = false } = {}): Evolved {
  const random = seeded(seed * 7_919)
  let made = 0
  const fresh = (): string => `f${String.fromCharCode(97 + (made % 26))}${made++}`
  const versions: Version[] = []
  let members: readonly Member[] = beginning(fresh, random)
  const drawing: Drawing = {
    random,
    fresh,
    start: seed * 3,
    aims: new Map(
      hides
        ? [
            [0, seed % 2 === 0 ? "toEnum" : "toBoolean"],
            [count - 2, "splitPart"],
          ]
        : [],
    ),
    plain: new Set(members.map(({ name }) => name)),
    apart: new Set(),
    ages: new Map(members.map(({ name }) => [name, 0])),
  }
  const changes: (readonly Drawn[])[] = []
  for (let at = 0; at < count; at += 1) {
    const steps = at === count - 1 ? [] : drawSteps(drawing, members, at)
    versions.push({ name: nameOf(at), members, steps })
    changes.push(steps)
    members = nextMembers(members, steps)
  }
  const newest = versions.at(-1)?.members ?? []
  const stamped = newest.find(({ kind }) => kind === "text")?.name
  const held = drawHeld(random, count)
  const isStamped = stamped !== undefined
  const { names: drawn, changes: renames } = drawNames(random, count, { held, isStamped })
  const keys = drawKeyChanges(seed, count)
  const names = drawn.map(
    (own, at): Names => ({
      ...own,
      keyOf: (key) =>
        [...keys]
          .filter(([since]) => since > at)
          .toSorted(([a], [b]) => b - a)
          .reduce((value, [, { former }]) => former(value), key),
    }),
  )
  const now = names.at(-1) as Names
  const widened = seeded(seed * 19 + 11).between(1, count - 1)
  const touched = (seedOf: number): Item => {
    const own = seeded(seedOf)
    return Object.fromEntries(
      newest
        .filter(() => own.oneIn(2))
        .map((member): [string, Json] => [
          member.name,
          member.optional && own.oneIn(4) ? null : valueFor(own, member),
        ]),
    )
  }
  const hiding = seeded(seed * 17 + 3)
  const asked = askedMembers(changes)
  const parts = changes.flat().filter(({ kind }) => kind === "splitPart")
  const hidden = new Set(
    newest
      .map(({ name }) => name)
      .filter((name) => {
        const isDrawn = hiding.oneIn(2)
        if (parts.some(({ after: [shown] }) => shown === name)) return false
        return hides && (isDrawn || asked.has(name) || parts.some(({ after }) => after.includes(name)))
      }),
  )
  const fields = (): object =>
    Object.fromEntries(
      newest.map((member) => [
        member.name,
        {
          ...fieldOf(member),
          ...(member.formerly && { formerly: member.formerly }),
          ...(hidden.has(member.name) && { read: role("staff") }),
        },
      ]),
    )
  const declared = withCode(
    service({
      name: "evolved",
      roles: ["staff"],
      webhooks: { manage: role("staff"), networks: ["127.0.0.0/8"] },
      versions: Object.fromEntries(
        versions
          .map(({ name }, at) => {
            const steps = changes[at - 1] ?? []
            const resources = [names[at]?.item ?? "", "slot"]
            return [
              name,
              [
                ...(renames[at - 1] ?? []),
                ...(at === widened
                  ? [{ widened: `${resources[0]}.label`, to: "labels", first: "word" }]
                  : []),
                ...[`${resources[0]}.sku`, "slot.code"].flatMap(
                  (path) => keys.get(at)?.change(path, path.split(".")[1] ?? "") ?? [],
                ),
                ...steps.flatMap((step) => resources.map((of) => step.change(of))),
              ],
            ] as const
          })
          .reverse(),
      ),
      resources: {
        [now.item]: resource({
          id: "itm",
          history: true,
          fields: {
            [now.code]: f.text({ unique: true }),
            sku: f.text({ unique: true, pattern }),
            ...fields(),
          },
          relations: {
            [now.box]: one("box", { optional: true }),
            labels: many("tag", { through: "labelling" }),
          },
          states: {
            [now.state]: {
              initial: now.open,
              transitions: {
                [now.ship]: {
                  from: held?.ship ? [now.open, "held"] : now.open,
                  to: "sent",
                  ...(stamped !== undefined && {
                    input: { [now.stamp]: f.text({ max: 400 }) },
                    set: { [stamped]: given(now.stamp) },
                  }),
                  allow: anyone,
                },
                ...(held && {
                  hold: { from: held.hold ? [now.open, "sent"] : now.open, to: "held", allow: anyone },
                  drop: { from: "held", to: now.open, allow: anyone },
                }),
                back: { from: "sent", to: now.open, allow: anyone },
              },
            },
          },
          allow: all,
        } as never),
        slot: resource({
          key: ["code"],
          history: true,
          fields: { code: f.text({ pattern }), ...fields() },
          allow: all,
        } as never),
        tag: resource({ key: ["word"], fields: { word: f.text() }, allow: all }),
        box: resource({
          id: "box",
          fields: { name: f.text() },
          relations: { items: many(now.item, { by: now.box }) },
          allow: all,
        } as never),
      },
    } as never),
    {
      versions: functionsOf(versions, changes, names),
      actions: {
        [now.item]: {
          [now.touch]: action({
            allow: anyone,
            input: { seed: f.integer() },
            async run({ input, record, db }: never) {
              const of = (db as Record<string, { update(id: string, input: Item): Promise<unknown> }>)[
                now.item
              ]
              await of?.update((record as { id: string }).id, touched((input as { seed: number }).seed))
            },
          } as never),
        },
      },
    } as never,
  )
  return {
    seed,
    declared: declared as Evolved["declared"],
    versions,
    names,
    changes,
    stamped,
    held,
    widened,
    hidden,
    touched,
  }
}
