// Changes in the histories of older versions: differences of newest fields become differences of former ones.
import { type JsonText, textOf } from "../base/json.ts"
import { evaluate } from "../model/evaluation/evaluate.ts"
import { formerFields, isFormerField } from "../model/former-fields.ts"
import type { Model, Resource } from "../model/model.ts"
import { fieldNamed, resourceNamed } from "../plan/lookup.ts"
import {
  cursorBegin,
  cursorEnd,
  formerLogged,
  formerPlaceholder,
  formerSource,
} from "../plan/placeholders.ts"
import type { Answer, Value } from "../plan/read-plan.ts"
import { acceptValue } from "../plan/values/coerce-input.ts"
import { valueTypeOf } from "../plan/values/values.ts"

const mark = new RegExp(
  `${cursorBegin}${formerPlaceholder}([^[${cursorEnd}+-]*)([+-]?)(\\[[^${cursorEnd}]*)${cursorEnd}`,
  "g",
)

/** @param model of the older version */
export function fillFormerChanges(answer: Answer, model: Model): Answer {
  const filled = (text: JsonText): JsonText =>
    text.replace(mark, (_, name: string, sign: string, changes: string) =>
      JSON.stringify(
        formerChanges(model, resourceNamed(model, name), JSON.parse(changes) as readonly Change[], sign),
      ),
    )
  return { ...answer, roots: answer.roots.map((root) => root && filled(textOf(root))) }
}

interface Change {
  readonly field: string
  readonly from: Value
  readonly to: Value
}

const isChange = ({ from, to }: { readonly from: unknown; readonly to: unknown }): boolean =>
  JSON.stringify(from) !== JSON.stringify(to)

/** @param sign `+` where the record was made, `-` where it was deleted: then one side is missing */
function formerChanges(
  model: Model,
  resource: Resource,
  all: readonly Change[],
  sign: string,
): readonly object[] {
  const logged = new Map<string, Change>()
  const sources = new Map<string, Change>()
  const left: object[] = []
  for (const change of all)
    if (change.field.startsWith(formerLogged)) logged.set(change.field.slice(formerLogged.length), change)
    else if (change.field.startsWith(formerSource))
      sources.set(change.field.slice(formerSource.length), change)
    else left.push(change)
  // A field that is a source may be the version's own, too.
  for (const { name, current = name, ...field } of resource.fields.values()) {
    const change = isFormerField(field) ? undefined : sources.get(current)
    if (change && isChange(change)) left.push({ ...change, field: name })
  }
  for (const [name, change] of logged) {
    const type = valueTypeOf(model, fieldNamed(resource, name))
    const isOne = (value: Value) => value === null || acceptValue(type, value, "json").ok
    if (isOne(change.from) && isOne(change.to)) left.push({ ...change, field: name })
  }
  for (const { field, expression, sources: names } of formerFields(resource)) {
    if (logged.has(field.name)) continue
    const known = names.map((name) => sources.get(name))
    // The log from before this version may be incomplete.
    if (known.some((one) => one === undefined)) continue
    const value = (side: "from" | "to") =>
      evaluate(expression, field, new Map(known.map((one, at) => [names[at] ?? "", one?.[side] ?? null])))
    const from = sign === "+" ? null : value("from")
    const to = sign === "-" ? null : value("to")
    if (isChange({ from, to })) left.push({ field: field.name, from, to })
  }
  return left
}
