// From user code as it was written to actions of the Model.

import { omitUndefined } from "../../base/compact.ts"
import { buildField } from "../declaration/build-field.ts"
import type {
  ActionDeclaration,
  ComputedDeclaration,
  FieldDeclaration,
  HooksDeclaration,
  RunAsDeclaration,
  ServiceDeclaration,
} from "../declaration/declaration.ts"
import { listed } from "../declaration/states.ts"
import type { Action, CodeComputed, Field, Hook, Resource } from "../model.ts"
import { pascalCase } from "../names.ts"

/** Milliseconds that user code may take where it does not say otherwise. */
const usualDeadline = 5_000

type Actions = Readonly<Record<string, ActionDeclaration>> | undefined

/** @param owner the resource's name; empty for operations of the service. */
export function buildActions(owner: string, actions: Actions): ReadonlyMap<string, Action> | undefined {
  const all = Object.entries(actions ?? {})
  if (all.length === 0) return undefined
  return new Map(all.map(([name, it]) => [name, buildAction(owner, name, it)]))
}

function buildAction(owner: string, name: string, action: ActionDeclaration): Action {
  const { description, input, output, emits, allow, as, deadline = usualDeadline, run } = action
  const fields = (
    part: "input" | "output",
    declared: ActionDeclaration["input"],
  ): ReadonlyMap<string, Field> =>
    new Map(
      Object.entries(declared ?? {}).map(([member, it]) => [
        member,
        buildField(ownerOf(owner, name, part), {}, member, it),
      ]),
    )
  return omitUndefined<Action>({
    name,
    description,
    input: fields("input", input),
    output: fields("output", output),
    emits: emits === undefined ? undefined : listed(emits),
    allow,
    as: lentBy(as),
    deadline,
    run: run as Action["run"],
    access: undefined,
  })
}

const lentBy = (as: RunAsDeclaration | undefined): Action["as"] =>
  as && { roles: as.roles ?? [], scopes: as.scopes ?? [] }

export const buildHooks = (declared: HooksDeclaration | undefined): Resource["before"] =>
  declared &&
  Object.fromEntries(
    Object.entries(declared).map(([name, told]) => {
      const { as, run } = typeof told === "function" ? { run: told } : told
      return [name, omitUndefined<Hook>({ as: lentBy(as), run: run as Hook["run"] })]
    }),
  )

/** The name of its own enumeration: `OrderApplyCouponMode`, and in the answer `OrderApplyCouponGivenMode`. */
const ownerOf = (owner: string, name: string, part: "input" | "output"): string =>
  `${owner}${owner === "" ? name : pascalCase(name)}${part === "output" ? "Given" : ""}`

interface CodeField {
  /** The base of its enumeration's name. */
  readonly owner: string
  readonly name: string
  readonly field: FieldDeclaration
}

/** Milliseconds in which values are computed, unless declared otherwise. */
const usualComputing = 2_000

/** @param owner the resource's name */
export function buildComputed(
  owner: string,
  declared: Readonly<Record<string, ComputedDeclaration>> | undefined,
): ReadonlyMap<string, CodeComputed> | undefined {
  const all = Object.entries(declared ?? {})
  if (all.length === 0) return undefined
  return new Map(
    all.map(([name, { type, needs, deadline = usualComputing, run }]) => [
      name,
      {
        field: buildField(owner, {}, name, type),
        needs: [...new Set(needs)],
        deadline,
        run: run as CodeComputed["run"],
      },
    ]),
  )
}

/** Every field of user code's inputs and outputs. */
export function codeFields({ code }: ServiceDeclaration): readonly CodeField[] {
  const of = (owner: string, actions: Actions): readonly CodeField[] =>
    Object.entries(actions ?? {}).flatMap(([called, action]) =>
      (["input", "output"] as const).flatMap((part) =>
        Object.entries(action[part] ?? {}).map(([name, field]) => ({
          owner: ownerOf(owner, called, part),
          name,
          field,
        })),
      ),
    )
  return [
    ...Object.entries(code?.computed ?? {}).flatMap(([owner, fields]) =>
      Object.entries(fields).map(([name, { type: field }]) => ({ owner, name, field })),
    ),
    ...Object.entries(code?.actions ?? {}).flatMap(([owner, actions]) => of(owner, actions)),
    ...of("", code?.operations),
  ]
}
