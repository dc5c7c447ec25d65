// Exact arithmetic in PostgreSQL, whose numeric is exact already.
import type { Numbers, Range } from "../dialect.ts"
import { type Fragment, join, literal, sql, whole } from "../fragment.ts"

export function settle(numbers: Numbers, range?: Range): Fragment {
  return range ? within(numeric(numbers), range) : numeric(numbers)
}

function numeric(numbers: Numbers): Fragment {
  if (numbers.kind !== "arithmetic") return sql`(${numbers.value})::numeric`
  return sql`(${join(numbers.of.map(numeric), signs[numbers.operator])})`
}

const signs = { add: sql` + `, subtract: sql` - `, multiply: sql` * ` } as const

/**
 * Values out of range, or not a number, are put at one of two ends just beyond it, and those are missing: so that what may
 * have taken long is named once. A missing value goes to an end as well, as GREATEST passes it over.
 */
function within(value: Fragment, { scalar, scale, least, greatest }: Range): Fragment {
  const [below, above] = [decimal(least - 1n, scale), decimal(greatest + 1n, scale)]
  const rounded = sql`round(${value}, ${whole(scale)})`
  const found = sql`nullif(nullif(least(greatest(${rounded}, ${below}), ${above}), ${below}), ${above})`
  return scalar === "decimal" ? found : sql`${found}::${types[scalar]}`
}

const types = { integer: sql`integer`, int64: sql`bigint` } as const

const decimal = (units: bigint, scale: number): Fragment => sql`${literal(`${units}e-${scale}`)}::numeric`
