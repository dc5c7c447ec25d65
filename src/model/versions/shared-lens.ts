// Former fields that are written together, also through changes of several versions: they share one lens.
import { type Expression, fieldsIn, sourcesIn } from "../expression.ts"
import type { Field, Lens, Resource } from "../model.ts"
import { apiName } from "../names.ts"
import type { Undoing } from "./undoing.ts"

/** Inputs of the lenses of these fields that stay in the version before. */
export const sharedInputs = (
  { fields, settable = fields }: Resource,
  written: Iterable<string>,
  gone: readonly string[],
): readonly string[] => [
  ...new Set(
    [...written]
      .flatMap((name) => settable.get(name)?.lens?.inputs ?? [])
      .filter((name) => !gone.includes(name)),
  ),
]

/** @param lens in place of those that need a field that is gone; without it their other fields are read-only */
export function withSharedLens(
  { report, since }: Undoing,
  resource: Resource,
  gone: readonly string[],
  lens?: Lens,
): Resource {
  const { fields, settable } = resource
  const isBroken = (field: Field): boolean => field.lens?.inputs.some((name) => gone.includes(name)) === true
  const isShared = (name: string): boolean => lens?.inputs.includes(name) === true
  const change = (of: ReadonlyMap<string, Field>): ReadonlyMap<string, Field> =>
    new Map(
      [...of].map(([name, field]): [string, Field] => {
        if (!isBroken(field)) return [name, field]
        const { lens: _, ...rest } = field
        return [name, lens && isShared(name) ? { ...rest, lens } : { ...rest, readonly: true }]
      }),
    )
  for (const [name, field] of fields)
    if (isBroken(field) && !isShared(name))
      report?.(
        `${apiName(resource)} writes "${name}" together with ${gone.map((one) => `"${one}"`).join(" and ")} since ${since}, which versions before cannot give.`,
        "Declare what they write there, or leave out the `writes` of the later change.",
      )
  const left = settable && [...change(settable)].filter(([, field]) => !field.readonly)
  return { ...resource, fields: change(fields), ...(left && { settable: new Map(left) }) }
}

/** Former fields that are set: those that were read-only are not, unless `writes` asks for them. */
export function inputsOf(
  before: readonly Field[],
  writes: ReadonlyMap<string, Expression>,
): readonly string[] {
  const asked = [...writes.values()]
  const isAsked = (name: string): boolean =>
    asked.some((expression) => expression.kind === "code" || fieldsIn(expression).includes(name))
  return before.filter(({ name, readonly }) => !readonly || isAsked(name)).map(({ name }) => name)
}

export interface SplitLens extends Lens {
  /** Former fields whose newer ones a later change drops. */
  readonly dropped: readonly string[]
}

/** @param composed what `writes` comes to in the newest version */
export function droppedOf(
  inputs: readonly string[],
  writes: ReadonlyMap<string, Expression>,
  composed: ReadonlyMap<string, Expression>,
): readonly string[] {
  const asked = [...writes.values()].flatMap(sourcesIn)
  const kept = new Set([...composed.values()].flatMap(sourcesIn))
  return inputs.filter((name) => asked.includes(name) && !kept.has(name))
}

/** For a former field that is accepted, never wanted, and written nowhere. */
export const droppedLens = (name: string): Lens => ({ inputs: [name], writes: new Map() })

/** Undefined for a field that is read-only. */
export const setBy = (lens: SplitLens, name: string): Lens | undefined =>
  lens.inputs.includes(name) ? lens : lens.dropped.includes(name) ? droppedLens(name) : undefined
