// The tables of the versions of an API, with their changes.
import * as z from "zod"
import type { JsonValue } from "../../base/json.ts"
import type { FieldDeclaration, VersionChange, VersionDeclaration } from "../declaration/declaration.ts"
import { type ExpressionDeclaration, isExpressionForm } from "../expression.ts"
import { field } from "./fields.ts"
import {
  boolean,
  either,
  expression,
  type Form,
  isObject,
  list,
  maybe,
  members,
  names,
  number,
  only,
  orObject,
  plain,
  record,
  text,
  textOr,
} from "./forms.ts"
import { array, jsonSource, object, type Source } from "./source-text.ts"

type Change<Kind extends string> = Extract<VersionChange, { readonly [Name in Kind]: unknown }>

const isExpressions = (input: unknown): boolean =>
  isObject(input) &&
  Object.keys(input).length > 0 &&
  !Object.keys(input).every((key) => isExpressionForm(key))
const expressions = either<ExpressionDeclaration | Readonly<Record<string, ExpressionDeclaration>>>(
  (input) => (isExpressions(input) ? record(expression, "expressions by name") : expression),
)
const formerFields = either<FieldDeclaration | Readonly<Record<string, FieldDeclaration>>>((input) =>
  isObject(input) && !Object.hasOwn(input, "scalar") ? record(field, "fields by name") : field,
)
const description = maybe(text)
const changes: { readonly [name: string]: Form<never> } = {
  breaking: members<Change<"breaking">>("{ breaking, description }", { breaking: text, description }),
  renamed: members<Change<"renamed">>("{ renamed, to }", { renamed: text, to: text, description }),
  added: members<Change<"added">>("{ added, writes }, or { added, as } of a value", {
    added: text,
    as: maybe(text),
    writes: maybe(
      plain<string | number | boolean>(
        z.union([text.schema, number.schema, boolean.schema], "a text, a number, true or false"),
      ),
    ),
    description,
  }),
  removed: members<Change<"removed">>("{ removed, was, reads }", {
    removed: text,
    was: field,
    reads: expression,
    writes: maybe(only("ignored")),
    description,
  }),
  widened: members<Change<"widened">>("{ widened, to, first }", {
    widened: text,
    to: text,
    first: textOr(names, "a member of the related resource, or a list of them"),
    required: maybe(boolean),
    description,
  }),
  changed: members<Change<"changed">>("{ changed, was, reads, writes }, or { changed, was, code: true }", {
    changed: textOr(names, "a path, or a list of paths"),
    was: formerFields,
    code: maybe(only(true)),
    reads: maybe(expressions),
    writes: maybe(expressions),
    description,
  }),
}
const anyChange = plain<never>(
  z.custom(
    () => false,
    "{ renamed, to }, { added }, { removed, was, reads }, { changed, was, reads, writes }, { changed, was, code: true }, { widened, to, first } or { breaking }",
  ),
)
/** Printed in the order in which it is written: its first member says its kind. */
const change: Form<VersionChange> = {
  schema: either(
    (input) =>
      Object.entries(changes).find(([kind]) => isObject(input) && Object.hasOwn(input, kind))?.[1] ??
      anyChange,
  ).schema,
  print: (value) =>
    object(
      Object.entries(value).flatMap(([name, one]) => {
        const source = name === "was" ? formerFields.print(one, "") : jsonSource(one as JsonValue)
        return source === undefined ? [] : [[name, source] as const]
      }),
    ),
}
export const printChanges = (all: readonly VersionChange[]): Source =>
  array(all.flatMap((one) => change.print(one, "") ?? []))
const listOfChanges: Form<readonly VersionChange[]> = {
  ...list(change, "a list of changes"),
  print: printChanges,
}
export const versions = record<VersionDeclaration>(
  orObject(
    listOfChanges,
    members<Exclude<VersionDeclaration, readonly VersionChange[]>>("{ changes, description, ends }", {
      changes: listOfChanges,
      description,
      ends: maybe(text),
    }),
  ),
  "versions by their dates",
  "open",
)
