// The schema of the versions of an API, with their changes.
import * as z from "zod"
import { isExpressionForm } from "../expression.ts"
import { field } from "./fields.ts"
import {
  either,
  expression,
  flag,
  isObject,
  members,
  names,
  number,
  orObject,
  record,
  text,
} from "./shapes.ts"

const isExpressions = (input: unknown): boolean =>
  isObject(input) &&
  Object.keys(input).length > 0 &&
  !Object.keys(input).every((key) => isExpressionForm(key))
const expressions = either((input) =>
  isExpressions(input) ? record(expression, "expressions by name") : expression,
)
const formerFields = either((input) =>
  isObject(input) && !Object.hasOwn(input, "scalar") ? record(field, "fields by name") : field,
)
const versionChangeForms = {
  breaking: members({ breaking: text, description: text.optional() }, "{ breaking, description }"),
  renamed: members({ renamed: text, to: text, description: text.optional() }, "{ renamed, to }"),
  added: members(
    {
      added: text,
      as: text.optional(),
      writes: z.union([text, number, flag], "a text, a number, true or false").optional(),
      description: text.optional(),
    },
    "{ added, writes }, or { added, as } of a value",
  ),
  removed: members(
    {
      removed: text,
      was: field,
      reads: expression,
      writes: z.literal("ignored", '"ignored"').optional(),
      description: text.optional(),
    },
    "{ removed, was, reads }",
  ),
  widened: members(
    {
      widened: text,
      to: text,
      first: z.union([text, names], "a member of the related resource, or a list of them"),
      required: flag.optional(),
      description: text.optional(),
    },
    "{ widened, to, first }",
  ),
  changed: members(
    {
      changed: z.union([text, names], "a path, or a list of paths"),
      was: formerFields,
      code: z.literal(true, "true").optional(),
      reads: expressions.optional(),
      writes: expressions.optional(),
      description: text.optional(),
    },
    "{ changed, was, reads, writes }, or { changed, was, code: true }",
  ),
}
const anyChange = z.custom(
  () => false,
  "{ renamed, to }, { added }, { removed, was, reads }, { changed, was, reads, writes }, { changed, was, code: true }, { widened, to, first } or { breaking }",
)
const versionChange = either(
  (input) =>
    Object.entries(versionChangeForms).find(([kind]) => isObject(input) && Object.hasOwn(input, kind))?.[1] ??
    anyChange,
)
const versionChanges = z.array(versionChange, "a list of changes")
export const versions = record(
  orObject(
    versionChanges,
    members(
      { changes: versionChanges, description: text.optional(), ends: text.optional() },
      "{ changes, description, ends }",
    ),
  ),
  "versions by their dates",
)
