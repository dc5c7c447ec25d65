// From own code as it was written to actions of the Model.
import { buildField } from "./build-field.ts"
import type { ActionDeclaration, FieldDeclaration, ServiceDeclaration } from "./declaration.ts"
import { given } from "./given.ts"
import type { Action, Field } from "./model.ts"
import { pascalCase } from "./names.ts"

/** Milliseconds that own code may take where it does not say otherwise. */
const usualDeadline = 5_000

type Actions = Readonly<Record<string, ActionDeclaration>> | undefined

/** @param owner the resource's name; empty for operations of the service. */
export function buildActions(owner: string, actions: Actions): ReadonlyMap<string, Action> | undefined {
  const all = Object.entries(actions ?? {})
  if (all.length === 0) return undefined
  return new Map(all.map(([name, it]) => [name, buildAction(owner, name, it)]))
}

function buildAction(owner: string, name: string, action: ActionDeclaration): Action {
  const { description, input, output, allow, as, deadline = usualDeadline, run } = action
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
  return given<Action>({
    name,
    description,
    input: fields("input", input),
    output: fields("output", output),
    allow,
    as: as && { roles: as.roles ?? [], scopes: as.scopes ?? [] },
    deadline,
    run: run as Action["run"],
    access: undefined,
  })
}

/** What an enumeration of its own is named after: `OrderApplyCouponMode`, and in the answer `OrderApplyCouponGivenMode`. */
const ownerOf = (owner: string, name: string, part: "input" | "output"): string =>
  `${owner}${owner === "" ? name : pascalCase(name)}${part === "output" ? "Given" : ""}`

interface CodeField {
  /** What its enumeration is named after. */
  readonly owner: string
  readonly name: string
  readonly field: FieldDeclaration
}

/** Every field of own code's inputs and outputs. */
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
    ...Object.entries(code?.actions ?? {}).flatMap(([owner, actions]) => of(owner, actions)),
    ...of("", code?.operations),
  ]
}
