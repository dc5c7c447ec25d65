// The table of a field's members.
import * as z from "zod"
import { suggest } from "../../base/suggest.ts"
import { isDatabaseDefault } from "../declaration/build-field.ts"
import type { FieldDeclaration } from "../declaration/declaration.ts"
import { defaultColumn } from "../declaration/default-names.ts"
import { type ScalarName, type StoredForm, scalars, storedForms } from "../scalars.ts"
import {
  expression,
  type Form,
  flag,
  formerNames,
  formerValues,
  hintMark,
  json,
  list,
  maybe,
  members,
  membersSource,
  names,
  number,
  only,
  plain,
  record,
  rule,
  text,
  textOr,
  unwritten,
} from "./forms.ts"
import { array, call, object, type Source, string, word } from "./source-text.ts"

const quoted = storedForms.map((form) => `"${form}"`)
export const stored: Form<StoredForm> = {
  schema: z.enum(storedForms, `${quoted.slice(0, -1).join(", ")} or ${quoted.at(-1)}`),
  print: (value) => (value === "plain" ? undefined : string(value)),
}
const scalarNames = Object.keys(scalars) as [ScalarName, ...ScalarName[]]
const scalar = z.enum(scalarNames, {
  error: ({ input }) => `the name of a scalar${hintMark}${suggest(String(input), scalarNames) ?? ""}`,
})
/** Values of decimals are texts; their bounds are not. */
const bound = plain<number>(
  z.number({
    error: ({ input }) =>
      typeof input === "string" && /^-?\d+(\.\d+)?$/.test(input)
        ? `a finite number${hintMark}Write it without quotation marks: ${input}.`
        : "a finite number",
  }),
)
const declared = unwritten(list(text, "a list of names"))
const items = members<NonNullable<FieldDeclaration["items"]>>("{ min, max }", {
  min: maybe(bound),
  max: maybe(bound),
  declared: maybe(declared),
  eventTypes: maybe(unwritten(only(true))),
})
const fallback: Form<NonNullable<FieldDeclaration["default"]>> = {
  schema: json.schema,
  print: (value, name) => (isDatabaseDefault(value) ? word("databaseDefault") : json.print(value, name)),
}

export const fieldMembers = members<FieldDeclaration>("a field, as `f` gives it", {
  scalar: unwritten({ schema: scalar }),
  list: maybe(unwritten(only(true))),
  of: maybe(unwritten(textOr(names, "a list of values, or the name of one of the service's enums"))),
  items: maybe(unwritten(items)),
  optional: maybe(flag),
  unique: maybe(flag),
  readonly: maybe(flag),
  immutable: maybe(flag),
  generated: maybe(flag),
  computed: maybe(expression),
  default: maybe(fallback),
  defaultDelay: maybe(unwritten(number)),
  min: maybe(bound),
  max: maybe(bound),
  declared: maybe(declared),
  pattern: maybe(text),
  form: maybe(unwritten(text)),
  precision: maybe(number),
  scale: maybe(number),
  was: maybe(formerNames),
  from: maybe(expression),
  formerly: maybe(formerValues),
  column: maybe(text),
  stored: maybe(stored),
  read: maybe(rule),
  write: maybe(rule),
  description: maybe(text),
})

/** The call of the field's builder, with its options. */
export const field: Form<FieldDeclaration> = {
  schema: fieldMembers.schema,
  print({ scalar, list: isList, items: each = {}, of, ...rest }, name) {
    const { column, readonly, ...set } = rest
    const usual = defaultColumn(name, { scalar })
    const all = membersSource(fieldMembers.table, {
      scalar,
      ...set,
      ...(readonly && !rest.generated && { readonly }),
      ...(column !== undefined && column !== usual && { column }),
    })
    const choices = of === undefined ? [] : [typeof of === "string" ? string(of) : array(of.map(string))]
    const build = (members: typeof all): Source =>
      call(`f.${scalar}`, ...choices, ...(members.length > 0 ? [object(members)] : []))
    if (!isList) return build(all)
    const ofItems = all.filter(([member]) => perItem.has(member))
    const ofList = all.filter(([member]) => !perItem.has(member))
    const item = build([...membersSource(items.table, each), ...ofItems])
    return call("f.list", item, ...(ofList.length > 0 ? [object(ofList)] : []))
  },
}

/** Settings of each value in a list. */
const perItem: ReadonlySet<string> = new Set(["pattern", "precision", "scale"])

export const fields = record(field, "an object of fields")
