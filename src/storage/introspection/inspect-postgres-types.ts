// The base type of a PostgreSQL column below domains and arrays, and its type modifier (length, precision, scale).
import { present } from "../../base/invariant.ts"
import type { PostgresType } from "../../model/introspection/catalog.ts"

/** A row of pg_type; see the query in inspect-postgres-queries.ts. */
export interface TypeRow {
  readonly oid: string
  readonly name: string
  readonly schema: string
  /** `b` base, `c` composite, `d` domain, `e` enum, `p` pseudo, `r` range, `m` multirange. */
  readonly kind: string
  /** For arrays: the element's type. */
  readonly element: string | null
  /** For domains: the type below. */
  readonly base: string | null
  readonly modifier: number
  readonly dimensions: number
  readonly checks: readonly string[]
}

const formOf: Readonly<Record<string, PostgresType["form"]>> = {
  e: "enum",
  r: "range",
  m: "range",
  c: "composite",
  p: "pseudo",
}

/** The type of a column in a row of pg_attribute. */
interface TypeUse {
  readonly type: string
  readonly modifier: number
  readonly dimensions: number
  readonly shown: string
  readonly folded: boolean
}

/** From the type of a column to what it is made of. */
export function typeReader(rows: readonly TypeRow[]): (use: TypeUse) => PostgresType {
  const byOid = new Map(rows.map((row) => [row.oid, row]))
  const at = (oid: string): TypeRow => present(byOid.get(oid), `pg_type has no row ${oid}`)
  return ({ type: oid, modifier, dimensions, shown, folded }) => {
    let row = at(oid)
    const domain = row.base !== null && ({ domain: true } as const)
    let [length, depth] = [modifier, dimensions]
    const checks: string[] = []
    for (let below = row.base ?? row.element; below !== null; below = row.base ?? row.element) {
      if (row.base !== null) {
        checks.push(...row.checks)
        if (length < 0) length = row.modifier
        depth = Math.max(depth, row.dimensions)
      } else depth = Math.max(depth, 1)
      row = at(below)
    }
    const form = formOf[row.kind] ?? "base"
    const { name, schema } = row
    return {
      kind: "postgres",
      name,
      schema,
      form,
      shown,
      ...domain,
      dimensions: depth,
      ...readModifier(name, length),
      ...(folded || name === "citext" ? { folded: true } : {}),
      checks,
    }
  }
}

/** Their modifier is the number of digits of a second's fraction (PostgreSQL source, `anytime_typmod_check`). */
const fractions: ReadonlySet<string> = new Set(["time", "timetz", "timestamp", "timestamptz"])

/** PostgreSQL source, `numeric_typmod_*` and `VARHDRSZ`: other modifiers carry four bytes of header. */
function readModifier(name: string, modifier: number): Pick<PostgresType, "length" | "precision" | "scale"> {
  if (modifier < 0) return {}
  if (name === "varchar" || name === "bpchar") return { length: modifier - 4 }
  if (fractions.has(name)) return { precision: modifier }
  if (name !== "numeric") return {}
  const packed = modifier - 4
  const scale = ((packed & 0x7ff) ^ 1024) - 1024 // eleven bits with a sign
  return { precision: (packed >> 16) & 0xffff, scale }
}
