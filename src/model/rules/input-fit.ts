// Whether whatever an input accepts can be held by the field that is set to it: nothing looks at it a second time.
import type { FieldDeclaration, ServiceDeclaration } from "../declaration.ts"
import { own } from "../keys.ts"
import type { ScalarName } from "../scalars.ts"

/** Texts that are held as such. */
const texts: ReadonlySet<ScalarName> = new Set(["text", "email", "url", "slug"])

/** Why some value would not fit, as the rest of a sentence. */
export function whyTooWide(
  service: ServiceDeclaration,
  given: FieldDeclaration,
  held: FieldDeclaration,
): string | undefined {
  const isText = held.scalar === "text" && texts.has(given.scalar)
  if (given.list !== held.list || (given.scalar !== held.scalar && !isText))
    return `it is ${kind(given)}, not ${kind(held)}`
  if (held.scalar === "oneOf") return whyOther(service, given, held)
  if (held.pattern !== undefined && given.pattern !== held.pattern)
    return `its pattern has to be ${held.pattern} as well`
  if (held.precision !== undefined && held.scale !== undefined) {
    const [precision, scale] = [given.precision ?? Infinity, given.scale ?? Infinity]
    if (scale > held.scale || precision - scale > held.precision - held.scale)
      return `it may have other digits than the ${held.precision} with ${held.scale} after the point that are held`
  }
  return whyBeyond("", given, held) ?? whyBeyond("of its items ", given.items ?? {}, held.items ?? {})
}

const kind = ({ scalar, list }: FieldDeclaration): string => (list ? `a list of ${scalar}` : scalar)

function whyOther(
  { enums }: ServiceDeclaration,
  given: FieldDeclaration,
  held: FieldDeclaration,
): string | undefined {
  const valuesOf = ({ of }: FieldDeclaration): readonly string[] =>
    (typeof of === "string" ? own(enums, of)?.values : of) ?? []
  const values = valuesOf(held)
  const other = valuesOf(given).filter((value) => !values.includes(value))
  return other.length === 0 ? undefined : `it may be ${other.map((value) => `"${value}"`).join(", ")}`
}

interface Range {
  readonly min?: number
  readonly max?: number
}

function whyBeyond(what: string, given: Range, held: Range): string | undefined {
  if (held.min !== undefined && (given.min ?? -Infinity) < held.min)
    return `the min ${what}has to be at least ${held.min}`
  if (held.max !== undefined && (given.max ?? Infinity) > held.max)
    return `the max ${what}has to be at most ${held.max}`
  return undefined
}
