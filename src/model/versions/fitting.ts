// Checks that reads and writes of a change come to values of its fields: each request would be refused otherwise.
import { omitUndefined } from "../../base/compact.ts"
import type { FieldDeclaration, ResourceDeclaration, ServiceDeclaration } from "../declaration/declaration.ts"
import type { Expression } from "../expression.ts"
import type { Field, Relation, Resource } from "../model.ts"
import { scalars } from "../scalars.ts"
import { mayBeNull } from "../validation/computed-types.ts"
import type { Undoing } from "./undoing.ts"

type Beside = Pick<Resource, "fields"> & Partial<Pick<Resource, "relations">>

/** Reports what does not fit the field. @param beside the fields that the expression names, and relations */
export function checkFitting(
  undoing: Undoing,
  field: Field,
  expression: Expression,
  { isChanged, ...beside }: Beside & { readonly isChanged: boolean },
): void {
  const { report } = undoing
  if (!report) return
  const service = serviceOf(undoing)
  const wanted = wantedOf(field)
  const typing = {
    service,
    resource: declarationOf(beside),
    name: field.name,
    called: field.scalar,
    ...(isChanged && { remedy: remedyOf(field) }),
    report: (_: unknown, message: string, hint?: string) => report(message, hint),
  }
  const read = wanted.scalar === "decimal" ? withDecimals(expression) : expression
  if (!mayBeNull(typing, wanted, read, []) || field.optional) return
  // Relations are followed in `reads` alone.
  const part = beside.relations ? "reads" : "writes"
  report(
    `\`${part}\` of "${field.name}" may come to no value, and "${field.name}" is not optional.`,
    `Say what stands instead: ${insteadOf(field, expression)}.`,
  )
}

/** A field that was removed is not given by code. */
const remedyOf = ({ scalar }: Field): string =>
  scalar === "boolean" || scalar === "oneOf"
    ? "Choose the values with `if`, or say `code: true` and give functions."
    : "Say `code: true` and give functions where no expression makes the one of the other."

function insteadOf({ default: given }: Field, expression: Expression): string {
  if (expression.kind !== "field") return "with `coalesce` or `else`"
  const value = given?.kind === "value" ? JSON.stringify(given.value) : "…"
  return `{ coalesce: [${JSON.stringify(expression.field)}, { value: ${value} }] }`
}

/** The service as far as changes are undone. */
export const serviceOf = ({ resources, enums }: Undoing["newest"]): ServiceDeclaration =>
  ({
    name: "versions",
    resources: Object.fromEntries([...resources].map(([name, it]) => [name, declarationOf(it)])),
    enums: Object.fromEntries([...enums].map(([name, { values }]) => [name, { values: [...values] }])),
  }) as unknown as ServiceDeclaration

/** Numbers in an expression are exact as they are written. */
const withDecimals = (expression: Expression): Expression =>
  JSON.parse(JSON.stringify(expression), (_, part) =>
    part?.kind === "constant" && typeof part.value === "number"
      ? { ...part, value: String(part.value) }
      : part,
  )

const declarationOf = ({ fields, relations = new Map() }: Beside): ResourceDeclaration =>
  ({
    fields: Object.fromEntries([...fields].map(([name, field]) => [name, fieldOf(field)])),
    relations: Object.fromEntries(
      [...relations].map(([name, { kind, target }]: readonly [string, Relation]) => [name, { kind, target }]),
    ),
  }) as unknown as ResourceDeclaration

export const fieldOf = ({ scalar, list, optional, enumeration }: Field): FieldDeclaration =>
  omitUndefined<FieldDeclaration>({
    scalar,
    list: list || undefined,
    optional: optional || undefined,
    of: enumeration,
  })

/** A number that the field cannot have is told where it is met, and so is a text. */
function wantedOf(field: Field): FieldDeclaration {
  const wanted = fieldOf(field)
  if (wanted.scalar === "integer" || wanted.scalar === "int64") return { ...wanted, scalar: "decimal" }
  return scalars[wanted.scalar].family === "text" ? { ...wanted, scalar: "text" } : wanted
}
