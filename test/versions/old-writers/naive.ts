// A naive interpreter of versions, written from docs/guide/versions.md: steps between two versions as plain functions on
// records. It shares no code with the engine.

export type Json = null | boolean | number | string
export type Item = Readonly<Record<string, Json>>

export interface Member {
  readonly name: string
  readonly kind: "text" | "integer" | "decimal" | "boolean" | "oneOf"
  /** Of `oneOf`. */
  readonly values?: readonly string[]
  /** Names that values had: entries of the log may have them still. */
  readonly formerly?: Readonly<Record<string, readonly string[]>>
  readonly optional: boolean
  /** Absent: there is none. */
  readonly preset?: Json
}

/** Members of a version, and what they became in the next one. Members without a step stay as they are. */
export interface Step {
  readonly before: readonly string[]
  readonly after: readonly string[]
  /** Members as they were, of those since. */
  read(item: Item): Item
  /** Absent: they are read-only. */
  readonly write?: ((item: Item) => Item) | "ignored"
  /** Members since, of which `read` makes those before, where they are not all of `after`. */
  readonly from?: readonly string[]
  /** Another name, and nothing else. */
  readonly isRename?: true
  /** By two functions: histories leave the members before out. */
  readonly isCode?: true
  /** What new records of older versions get in members that came with this step. */
  readonly supplied?: Item
}

export interface Version {
  readonly name: string
  readonly members: readonly Member[]
  /** To the next version. */
  readonly steps: readonly Step[]
}

/** In a new record, in one that is replaced by an input, or in an update. */
export type Mode = "create" | "replace" | "update"

/** Values of the newest members, or undefined: the write is refused. */
export type Written = Item | undefined

/** Given, or a default; or neither, and what the changes come to with none. */
type Found = { readonly is: "value"; readonly value: Json } | { readonly is: "none"; readonly value: Json }

const has = (item: object, name: string): boolean => Object.hasOwn(item, name)

/** Whether a version may set the member: `nothing` is read-only, in the next version or a later one. */
export function takes(
  versions: readonly Version[],
  at: number,
  name: string,
): "values" | "ignored" | "nothing" {
  const version = versions[at]
  if (!version || at === versions.length - 1) return "values"
  const step = version.steps.find(({ before }) => before.includes(name))
  if (!step) return takes(versions, at + 1, name)
  if (step.write === undefined) return "nothing"
  if (step.write === "ignored") return "ignored"
  const later = step.after.map((one) => takes(versions, at + 1, one))
  return later.includes("nothing")
    ? "nothing"
    : later.every((one) => one === "ignored")
      ? "ignored"
      : "values"
}

/** What is written by an input of a version. */
export function written(versions: readonly Version[], at: number, input: Item, mode: Mode): Written {
  const isWhole = mode !== "update"
  const { members } = versions[at] as Version
  if (Object.keys(input).some((name) => !members.some((one) => one.name === name))) return undefined
  let found = new Map<string, Found>()
  for (const { name, optional, preset } of members) {
    const how = takes(versions, at, name)
    if (how === "nothing" && has(input, name)) return undefined
    if (has(input, name) && input[name] === null && !optional) return undefined
    if (how !== "values") continue
    if (has(input, name)) found.set(name, { is: "value", value: input[name] ?? null })
    else if (!isWhole) continue
    else if (preset !== undefined) found.set(name, { is: "value", value: preset })
    else if (optional) found.set(name, { is: "none", value: null })
    else return undefined
  }
  for (let one = at; one < versions.length - 1; one += 1) {
    const next = forward(versions, one, found, mode)
    if (!next) return undefined
    found = next
  }
  return finish(versions, found, mode)
}

/** Members of the next version. */
function forward(
  versions: readonly Version[],
  at: number,
  found: ReadonlyMap<string, Found>,
  mode: Mode,
): Map<string, Found> | undefined {
  const [version, next] = [versions[at], versions[at + 1]] as [Version, Version]
  const changed = new Set(version.steps.flatMap(({ before }) => before))
  const result = new Map([...found].filter(([name]) => !changed.has(name)))
  const put = (name: string, one: Found): void => {
    const preset = next.members.find((member) => member.name === name)?.preset
    result.set(name, one.is === "none" && preset !== undefined ? { is: "value", value: preset } : one)
  }
  for (const { before, after, write, supplied } of version.steps) {
    if (typeof write !== "function") {
      // Older versions give new records nothing else there.
      for (const name of mode === "create" ? after : [])
        put(name, supplied ? { is: "value", value: supplied[name] ?? null } : { is: "none", value: null })
      continue
    }
    // A later change drops every member that it becomes.
    if (after.every((name) => takes(versions, at + 1, name) === "ignored")) continue
    const values = before.flatMap((name) => found.get(name) ?? [])
    if (values.length === 0) continue
    if (values.length < before.length) return undefined
    const is = values.some((one) => one.is === "value") ? "value" : "none"
    const came = write(Object.fromEntries(before.map((name) => [name, found.get(name)?.value ?? null])))
    for (const name of after) put(name, { is, value: came[name] ?? null })
  }
  return result
}

function finish(versions: readonly Version[], found: ReadonlyMap<string, Found>, mode: Mode): Written {
  const { members } = versions.at(-1) as Version
  const item: Record<string, Json> = {}
  for (const { name, optional } of members) {
    const one = found.get(name)
    if (!one && mode !== "create") continue
    const value = one?.value ?? null
    if (value === null && !optional) return undefined
    item[name] = value
  }
  return item
}

/** The member of a version that became a newest one by itself. */
function formerOf(versions: readonly Version[], at: number, name: string): string | undefined {
  let found: string | undefined = name
  for (let one = versions.length - 2; one >= at && found !== undefined; one -= 1) {
    const step: Step | undefined = versions[one]?.steps.find(({ after }) => after.includes(found as string))
    if (step) found = step.before.length === 1 ? step.before[0] : undefined
  }
  return found
}

/** Values of enumerations and booleans that repeat what the version is shown of the record stay as they are in it. */
export function repeated(
  versions: readonly Version[],
  at: number,
  { input, mode, now }: { readonly input: Item; readonly mode: Mode; readonly now: Item },
  old: Item,
): Item {
  const then = shown(versions, at, old)
  const isKept = (member: Member): boolean => {
    if (member.kind !== "boolean" && member.kind !== "oneOf") return false
    const name = formerOf(versions, at, member.name)
    const own = versions[at]?.members.find((one) => one.name === name)
    if (name === undefined || !own) return false
    const value = has(input, name) ? input[name] : mode === "update" ? undefined : own.preset
    return value !== undefined && value !== null && value === then[name]
  }
  const stays = (versions.at(-1) as Version).members.filter(isKept).map(({ name }) => name)
  return Object.fromEntries(
    Object.entries(now).map(([name, value]) => [name, stays.includes(name) ? (old[name] ?? value) : value]),
  )
}

/** The newest record as a version has it, in the order of its members. */
export function shown(versions: readonly Version[], at: number, item: Item): Item {
  let result = item
  for (let one = versions.length - 2; one >= at; one -= 1) {
    const { members, steps } = versions[one] as Version
    const made = Object.assign({}, result, ...steps.map((step) => step.read(result)))
    result = Object.fromEntries(members.map(({ name }) => [name, made[name] ?? null]))
  }
  return Object.fromEntries((versions[at] as Version).members.map(({ name }) => [name, result[name] ?? null]))
}

/** Whether a member of a version is made by functions, of this change or of a later one: histories do not tell of it. */
export function isByCode(versions: readonly Version[], at: number, name: string): boolean {
  const step = versions[at]?.steps.find(({ before }) => before.includes(name))
  if (step)
    return step.isCode === true || (step.from ?? step.after).some((one) => isByCode(versions, at + 1, one))
  return at < versions.length - 1 && isByCode(versions, at + 1, name)
}

/** Whether a member has been renamed only until now. */
export function isPlain(versions: readonly Version[], at: number, name: string): boolean {
  const step = versions[at]?.steps.find(({ before }) => before.includes(name))
  if (step) return step.isRename === true && step.after.every((one) => isPlain(versions, at + 1, one))
  return at >= versions.length - 1 || isPlain(versions, at + 1, name)
}
