// Services whose API has changed at random, and what each version is, worked out by plain functions on objects.
import type { Random } from "../../examples/storefront/random.ts"
import { anyone, f, many, resource, service } from "../../src/index.ts"
import type { FieldDeclaration, VersionChange } from "../../src/model/declaration/declaration.ts"

type Value = string | number | null
export type Item = Readonly<Record<string, Value>>

type Kind = "text" | "optional" | "integer" | "decimal" | "size"
type Shape = ReadonlyMap<string, Kind>

/** One step of the API, and what it means for a record. */
interface Step {
  readonly change: VersionChange
  readonly after: Shape
  /** A record of the version before in the shape of the version since, and back. */
  forward(item: Item, isNew: boolean): Item
  back(item: Item): Item
}

export interface Evolved {
  readonly service: ReturnType<typeof service>
  /** Oldest first. */
  readonly versions: readonly { readonly name: string; readonly shape: Shape }[]
  /** A record as it is written by a version, as the newest stores it. */
  stored(version: number, item: Item, isNew: boolean): Item
  /** A stored record as a version reads it. */
  shown(version: number, item: Item): Item
  /** Values for a new record of a version. */
  made(version: number): Item
  /** The first version that has several people of an item, in place of an owner. */
  readonly widenedAt: number
  /** The owner that older versions have. */
  owner(people: readonly Person[]): Person | undefined
}

export interface Person {
  readonly id: string
  readonly name: string
  readonly rank: number | null
}

const fieldOf = (kind: Kind): FieldDeclaration => {
  switch (kind) {
    case "text":
      return f.text({ max: 200 })
    case "optional":
      return f.text({ optional: true, max: 200 })
    case "integer":
      return f.integer()
    case "decimal":
      return f.decimal({ precision: 14, scale: 2 })
    case "size":
      return f.oneOf(["small", "large"])
  }
}

const without = (item: Item, ...names: readonly string[]): Item =>
  Object.fromEntries(Object.entries(item).filter(([name]) => !names.includes(name)))

const renamed = (item: Item, from: string, to: string): Item =>
  from in item ? { ...without(item, from), [to]: item[from] ?? null } : item

const cents = (text: Value): number => Math.round(Number(text) * 100)
const amount = (of: Value): string => (Number(of) / 100).toFixed(2)

/** Missing values come last, and the key tells apart what is alike. */
function compareBy(order: readonly string[], a: Person, b: Person): number {
  for (const term of [...order, "id"]) {
    const name = term.replace("-", "") as keyof Person
    const [one, other] = [a[name], b[name]]
    if (one === other) continue
    if (one === null || other === null) return one === null ? 1 : -1
    return (one < other ? -1 : 1) * (term.startsWith("-") ? -1 : 1)
  }
  return 0
}

export function evolve(random: Random, count: number): Evolved {
  let names = 0
  const fresh = (): string => `field${String.fromCharCode(97 + (names % 26))}${names++}`
  const first: Shape = new Map<string, Kind>([
    [fresh(), "text"],
    [fresh(), "optional"],
    [fresh(), "integer"],
    [fresh(), "size"],
    [fresh(), "text"],
  ])
  const stepsOf: (readonly Step[])[] = []
  const shapes: Shape[] = [first]
  let shape = first
  for (let version = 1; version < count; version++) {
    const steps: Step[] = []
    const touched = new Set<string>()
    for (let made = 0; made < 1 + random.between(0, 2); made++) {
      const step = stepOf(random, shape, fresh, touched)
      if (!step) continue
      steps.push(step)
      shape = step.after
    }
    stepsOf.push(steps)
    shapes.push(shape)
  }
  const widenedAt = random.between(1, count - 1)
  const order = random.pick([["-rank"], ["rank", "-name"], ["name"], ["-id"]] as const)
  const widened: VersionChange = { widened: "item.owner", to: "people", first: [...order] as [string] }
  const nameOf = (version: number): string => `2026-${String(version + 1).padStart(2, "0")}-01`
  const versions = shapes.map((one, at) => ({ name: nameOf(at), shape: one }))
  const later = (version: number): readonly Step[] => stepsOf.slice(version).flat()
  return {
    versions,
    service: service({
      name: "evolved",
      versions: Object.fromEntries(
        versions
          .map(
            ({ name }, at) =>
              [
                name,
                [
                  ...(at === 0 ? [] : (stepsOf[at - 1] ?? [])).map(({ change }) => change),
                  ...(at === widenedAt ? [widened] : []),
                ],
              ] as const,
          )
          .reverse(),
      ),
      resources: {
        item: resource({
          id: "itm",
          history: true,
          fields: Object.fromEntries([...shape].map(([name, kind]) => [name, fieldOf(kind)])),
          relations: { people: many("person", { through: "ownership" }) },
          allow: { read: anyone, create: anyone, update: anyone },
        } as never),
        person: resource({
          id: "per",
          fields: { name: f.text(), rank: f.integer({ optional: true }) },
          allow: { read: anyone, create: anyone },
        }),
      },
    } as never),
    stored: (version, item, isNew) => later(version).reduce((one, step) => step.forward(one, isNew), item),
    shown: (version, item) => later(version).reduceRight((one, step) => step.back(one), item),
    widenedAt,
    owner: (people) => people.toSorted((a, b) => compareBy(order, a, b))[0],
    made: (version) =>
      Object.fromEntries(
        [...(shapes[version] ?? first)].map(([name, kind]) => [name, valueFor(random, kind)]),
      ),
  }
}

function valueFor(random: Random, kind: Kind): Value {
  switch (kind) {
    case "optional":
      return random.between(0, 2) === 0 ? null : words(random)
    case "text":
      return words(random)
    case "integer":
      return random.between(0, 19999) - 10_000
    case "decimal":
      return ((random.between(0, 1999999) - 1_000_000) / 100).toFixed(2)
    case "size":
      return random.between(0, 1) === 0 ? "small" : "large"
  }
}

const words = (random: Random): string =>
  Array.from(
    { length: 1 + random.between(0, 2) },
    () => ["Ada", "O'Hara", "Zoë", "50%", '"x"', "a\\b"][random.between(0, 5)],
  ).join(" ")

function stepOf(random: Random, shape: Shape, fresh: () => string, touched: Set<string>): Step | undefined {
  const free = [...shape].filter(([name]) => !touched.has(name))
  const pick = (kind: Kind): string | undefined => {
    const of = free.filter(([, one]) => one === kind)
    return of[random.between(0, Math.max(0, of.length - 1))]?.[0]
  }
  const replaced = (names: readonly string[], by: readonly (readonly [string, Kind])[]): Shape => {
    for (const [name] of by) touched.add(name)
    return new Map([...[...shape].filter(([name]) => !names.includes(name)), ...by])
  }
  switch (random.between(0, 6)) {
    case 0: {
      const [name, kind] = free[random.between(0, Math.max(0, free.length - 1))] ?? []
      if (name === undefined || kind === undefined) return undefined
      const to = fresh()
      return {
        change: { renamed: `item.${name}`, to },
        after: replaced([name], [[to, kind]]),
        forward: (item) => renamed(item, name, to),
        back: (item) => renamed(item, to, name),
      }
    }
    case 1: {
      const name = fresh()
      const writes = words(random)
      return {
        change: { added: `item.${name}`, writes },
        after: replaced([], [[name, "text"]]),
        forward: (item, isNew) => (isNew ? { ...item, [name]: writes } : item),
        back: (item) => without(item, name),
      }
    }
    case 2: {
      const name = pick("optional")
      if (name === undefined) return undefined
      const reads = words(random)
      // A field that stays as it is.
      const other = free.find(([one, kind]) => kind === "text" && one !== name)?.[0]
      if (other !== undefined) touched.add(other)
      return {
        change: {
          removed: `item.${name}`,
          was: f.text({ optional: true, max: 200 }),
          reads: other ?? { value: reads },
          writes: "ignored",
        },
        after: replaced([name], []),
        forward: (item) => without(item, name),
        back: (item) => ({ ...item, [name]: other === undefined ? reads : (item[other] ?? null) }),
      }
    }
    case 3: {
      const name = pick("integer")
      if (name === undefined) return undefined
      const to = random.between(0, 1) === 0 ? name : fresh()
      return {
        change: {
          changed: `item.${to}`,
          was: { [name]: f.integer() },
          reads: { [name]: { multiply: [to, 100] } },
          writes: { [to]: { multiply: [name, 0.01] } },
        },
        after: replaced([name], [[to, "decimal"]]),
        forward: (item) => (name in item ? { ...without(item, name), [to]: amount(item[name] ?? 0) } : item),
        back: (item) => ({ ...without(item, to), [name]: cents(item[to] ?? 0) }),
      }
    }
    case 4: {
      const name = pick("text")
      if (name === undefined) return undefined
      const [one, other] = [fresh(), fresh()]
      return {
        change: {
          changed: [`item.${one}`, `item.${other}`],
          was: { [name]: f.text({ max: 200 }) },
          reads: { [name]: { concat: [one, { value: " " }, other] } },
          writes: { [one]: { before: [name, " "] }, [other]: { after: [name, " "] } },
        },
        after: replaced(
          [name],
          [
            [one, "text"],
            [other, "text"],
          ],
        ),
        forward(item) {
          if (!(name in item)) return item
          const [begin = "", ...rest] = String(item[name]).split(" ")
          return { ...without(item, name), [one]: begin, [other]: rest.join(" ") }
        },
        back: (item) => ({ ...without(item, one, other), [name]: `${item[one]} ${item[other]}` }),
      }
    }
    case 5: {
      const name = pick("size")
      if (name === undefined) return undefined
      const to = fresh()
      return {
        change: {
          changed: `item.${to}`,
          was: { [name]: f.oneOf(["small", "large"]) },
          reads: { [name]: { map: [to, { large: "small", small: "large" }] } },
          writes: { [to]: { map: [name, { small: "large", large: "small" }] } },
        },
        after: replaced([name], [[to, "size"]]),
        forward: (item) =>
          name in item ? { ...without(item, name), [to]: item[name] === "small" ? "large" : "small" } : item,
        back: (item) => ({ ...without(item, to), [name]: item[to] === "small" ? "large" : "small" }),
      }
    }
    default: {
      const name = pick("text")
      if (name === undefined) return undefined
      const reads = words(random)
      return {
        change: {
          changed: `item.${name}`,
          was: f.text({ max: 200 }),
          reads: { coalesce: [name, { value: reads }] },
          writes: name,
        },
        after: replaced([name], [[name, "optional"]]),
        forward: (item) => item,
        back: (item) => ({ ...item, [name]: item[name] ?? reads }),
      }
    }
  }
}
