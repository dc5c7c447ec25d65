// Names for the API from names in a database: the usual casing, and a name where casing leaves nothing.
// Things of one name get distinct names.
import { camelCase, pascalCase, pluralise, singularise } from "../names.ts"

/** camelCase. A name without an ASCII letter or digit is spelled by its code points; `lead` precedes a leading digit. */
export function memberName(physical: string, lead: "table" | "column"): string {
  const plain =
    camelCase(physical) || [...physical].map((sign) => `u${(sign.codePointAt(0) ?? 0).toString(16)}`).join("")
  return /^[0-9]/.test(plain) ? lead + plain : plain
}

/** The camelCase singular of a table's name. */
export function resourceName(table: string): string {
  return singularise(memberName(table, "table"))
}

const keySuffix = /^(.+?)(?:Id|Fk|Uuid|Guid|Key|Ref)(\d*)$/
const looseSuffix = /^(.+?)(?:Code|No|Number|Name)$/
/** For names without any sign of where a word ends. */
const flatSuffix = /^(.+)(?:id|fk|uuid|guid|key|ref|code|no|number|name)$/
const keyPrefix = /^(?:id|fk)([A-Z].*)$/

/** The relation's name for a foreign key of one column: `artist` for `artist_id`; the target's own name for a bare `id`. */
export function roleOf(column: string, target: string): string {
  const name = memberName(column, "column")
  if (/^(id|fk|uuid|guid|key|ref)$/.test(name)) return target
  const [, stem, digits = ""] = keySuffix.exec(name) ?? []
  if (stem !== undefined) return stem + digits
  if (looseSuffix.exec(name)?.[1] === target) return target
  if (/^[a-z]+$/.test(name)) return flatRole(name, target)
  const rest = keyPrefix.exec(name)?.[1]
  return rest === undefined ? name : rest.charAt(0).toLowerCase() + rest.slice(1)
}

/** `productSubcategory` for `productsubcategoryid`, `shiptoAddress` for `shiptoaddressid`: the target's name shows the words. */
function flatRole(name: string, target: string): string {
  const flat = target.toLowerCase()
  // An orchid is no orch.
  if (name.endsWith(flat)) return name === flat ? target : name
  const stem = flatSuffix.exec(name)?.[1]
  if (stem === flat) return target
  if (stem?.endsWith(flat) && flat.length > 2)
    return stem.slice(0, -flat.length) + target.charAt(0).toUpperCase() + target.slice(1)
  return /^([a-z]{3,})id$/.exec(name)?.[1] ?? name
}

/** `followees` for the column `followee_id`. */
export const rolesOf = (column: string, target: string): string => pluralise(roleOf(column, target))

/** By code unit, so that the order is the same everywhere. */
export const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** `ordersByBillingAddress` */
export const by = (name: string, way: string): string => `${name}By${pascalCase(way)}`

/** Names that are taken. */
export interface Names {
  /**
   * The first candidate that is free; else the first one with the least number behind it. `claims` gives all that a
   * name would take, as the relation `customer` takes `customer` and `customerId`.
   */
  take(candidates: readonly [string, ...string[]], claims?: (name: string) => readonly string[]): string
}

export function collectNames(reserved: Iterable<string>): Names {
  const taken = new Set(reserved)
  return {
    take([first, ...others], claims = (name) => [name]) {
      const free = (name: string) => claims(name).every((claim) => !taken.has(claim))
      let name = [first, ...others].find(free)
      for (let number = 2; name === undefined; number += 1) {
        if (free(`${first}${number}`)) name = `${first}${number}`
      }
      for (const claim of claims(name)) taken.add(claim)
      return name
    },
  }
}
