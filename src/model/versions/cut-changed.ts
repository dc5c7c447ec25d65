// A field with another type, or other values, as a change of a version. It may have another name as well.
import type { FieldDeclaration, VersionChange } from "../declaration/declaration.ts"
import {
  type ExpressionDeclaration,
  fieldsIn,
  namesIn,
  readExpression,
  whensIn,
  withFieldNames,
} from "../expression.ts"
import type { Field, Resource } from "../model.ts"
import {
  type ComparedValues,
  comparedValues,
  placeholderOf,
  plain,
  type Revision,
  type Revisions,
} from "./cut-values.ts"

interface FieldPair {
  readonly field: Field
  /** The former one, as it was declared. */
  readonly was: FieldDeclaration
  readonly current: Field
}

interface ChangedField {
  readonly change: VersionChange
  /** A sentence about the author's part. */
  readonly byHand?: string
}

/** Undefined where clients notice no more than another name. */
export function changedField(
  revisions: Revisions,
  resource: Resource,
  pair: FieldPair,
): ChangedField | undefined {
  const { field, was, current } = pair
  const values = comparedValues(revisions, resource, pair)
  const difference = differenceOf(values, pair)
  if (difference === undefined) return undefined
  const { known, becomes, gone } = values
  // Where no value is gone, those that are new or renamed are changes of their own, which are undone first.
  const isWhole = gone > 0
  const reads = mapped(fitting(revisions.before, current.name, [current, field]), isWhole ? becomes : none)
  const writes =
    madeOf(pair) ??
    mapped(
      fitting(revisions.after, field.name, [field, current], isWhole ? none : becomes),
      isWhole ? new Map(known.map(([now, before]) => [before, now])) : none,
    )
  const [path, former] = [`${resource.name}.${current.name}`, plain(was, revisions.before)]
  const isRenamed = current.name !== field.name
  const toDo = authorsPart(revisions, pair, values)
  const said = `\`${resource.name}.${field.name}\`${isRenamed ? ` is called \`${current.name}\` and` : ""} ${difference}`
  return {
    change: isRenamed
      ? {
          changed: path,
          was: { [field.name]: former },
          reads: { [field.name]: reads },
          writes: { [current.name]: writes },
        }
      : { changed: path, was: former, reads, writes },
    ...(toDo !== undefined && { byHand: `${said}: ${toDo}.` }),
  }
}

const none: ReadonlyMap<string, string> = new Map()

const typeOf = ({ scalar, list }: Field): string => (list ? `a list of ${scalar}` : scalar)

/** Undefined where clients do not notice. */
function differenceOf(
  { old, fresh, gone }: ComparedValues,
  { field: was, current: is }: FieldPair,
): string | undefined {
  if (typeOf(was) !== typeOf(is)) return `is ${typeOf(is)}, ${typeOf(was)} before`
  // Values that are new or renamed since are changes of their own, and states are changed with their machines.
  if (!is.state && (gone > 0 || (old.length === 0 && fresh.length > 0))) return "has other values"
  if (was.optional !== is.optional) return is.optional ? "may be missing" : "is always there"
  return undefined
}

/** Parts to complete, and guesses to look at. */
function authorsPart(
  { before, after }: Revisions,
  pair: FieldPair,
  { old, fresh, known, becomes, gone }: ComparedValues,
): string | undefined {
  const { field, current } = pair
  const [isOther, made] = [typeOf(field) !== typeOf(current), madeOf(pair)]
  const isWhole = gone > 0 || old.length === 0
  const taken = known.map(([, before]) => before)
  const isOpen = {
    reads: isOther || (isWhole && fresh.some((one) => !old.includes(one) && !becomes.has(one))),
    writes:
      made === undefined &&
      (isOther || (isWhole && old.some((one) => !fresh.includes(one) && !taken.includes(one)))),
  }
  const open = (["reads", "writes"] as const).filter((part) => isOpen[part])
  if (open.length > 0)
    return `say in ${open.map((part) => `\`${part}\``).join(" and ")} how values become each other, or say \`code: true\` and give functions`
  const guess = (part: string, value: unknown, of: string): string =>
    `\`${part}\` has \`${JSON.stringify(value)}\` in place of ${of}`
  const isGuessed = (from: Field, to: Field): boolean =>
    from.optional && !to.optional && to.default?.kind !== "value"
  const guessed = [
    ...(isGuessed(current, field) ? [guess("reads", placeholderOf(before, field), "no value")] : []),
    ...(made === undefined && isGuessed(field, current)
      ? [guess("writes", placeholderOf(after, current), "no value")]
      : []),
    ...[...(gone > 0 ? becomes : none)]
      .filter(([now]) => known.filter(([one]) => one === now).length > 1)
      .map(([now, before]) => guess("reads", before, JSON.stringify(now))),
  ]
  return guessed.length > 0 ? `${guessed.join(" and ")}; say another one if that is meant` : undefined
}

/** By `from`, in which the field's own name means the former value. Undefined where records of before are not made by that alone. */
function madeOf({ field, current }: FieldPair): ExpressionDeclaration | undefined {
  const { from } = current
  const made = from !== undefined && readExpression(from, () => {})
  if (from === undefined || !made) return undefined
  const names = [...fieldsIn(made), ...whensIn(made).flatMap(namesIn)]
  if (names.length === 0 || names.some((name) => name !== current.name)) return undefined
  // Of the same type it fills in missing values alone.
  const [first] = made.kind === "coalesce" ? made.of : []
  const isKept = first?.kind === "field" && field.optional && !current.optional
  if (typeOf(field) === typeOf(current) && !isKept) return undefined
  return withFieldNames(from, () => field.name)
}

/** The member itself, with what stands in place of no value where the other field needs one: its default, if it has one. */
function fitting(
  revision: Revision,
  member: string,
  [from, to]: readonly [from: Field, to: Field],
  then: ReadonlyMap<string, string> = none,
): ExpressionDeclaration {
  if (!from.optional || to.optional) return member
  const value = placeholderOf(revision, to)
  return { coalesce: [member, { value: (typeof value === "string" && then.get(value)) || value }] }
}

/** With values in the place of others, where there are some. */
const mapped = (of: ExpressionDeclaration, values: ReadonlyMap<string, string>): ExpressionDeclaration =>
  values.size === 0 ? of : { map: [of, Object.fromEntries(values)] }
