// The schema of a field.
import * as z from "zod"
import { suggest } from "../../base/suggest.ts"
import { type ScalarName, scalars } from "../scalars.ts"
import {
  expression,
  flag,
  formerNames,
  formerValues,
  hintMark,
  json,
  members,
  names,
  number,
  rule,
  text,
} from "./shapes.ts"

const storedForms = [
  "plain",
  "loose",
  "nocase",
  "rtrim",
  "local",
  "single",
  "cast",
  "unordered",
  "padded",
  "folded",
  "domain",
] as const
export const stored = z.enum(
  storedForms,
  '"plain", "loose", "nocase", "rtrim", "local", "single", "cast", "unordered", "padded", "folded" or "domain"',
)
const scalarNames = Object.keys(scalars) as [ScalarName, ...ScalarName[]]
/** Values of decimals are texts; their bounds are not. */
const bound = z.number({
  error: ({ input }) =>
    typeof input === "string" && /^-?\d+(\.\d+)?$/.test(input)
      ? `a finite number${hintMark}Write it without quotation marks: ${input}.`
      : "a finite number",
})
const items = members(
  {
    min: bound.optional(),
    max: bound.optional(),
    declared: z.array(text, "a list of names").optional(),
    eventTypes: z.literal(true, "true").optional(),
  },
  "{ min, max }",
)

export const field = members(
  {
    scalar: z.enum(scalarNames, {
      error: ({ input }) => `the name of a scalar${hintMark}${suggest(String(input), scalarNames) ?? ""}`,
    }),
    list: z.literal(true, "true").optional(),
    of: z.union([text, names], "a list of values, or the name of one of the service's enums").optional(),
    formerly: formerValues.optional(),
    optional: flag.optional(),
    unique: flag.optional(),
    readonly: flag.optional(),
    immutable: flag.optional(),
    generated: flag.optional(),
    defaultDelay: number.optional(),
    default: json.optional(),
    computed: expression.optional(),
    min: bound.optional(),
    max: bound.optional(),
    items: items.optional(),
    declared: z.array(text, "a list of names").optional(),
    pattern: text.optional(),
    form: text.optional(),
    precision: number.optional(),
    scale: number.optional(),
    was: formerNames.optional(),
    from: expression.optional(),
    column: text.optional(),
    stored: stored.optional(),
    read: rule.optional(),
    write: rule.optional(),
    description: text.optional(),
  },
  "a field, as `f` gives it",
)
