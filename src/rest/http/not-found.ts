// Problems for a missing record: the same words whether the id cannot be one or no record has it.

import { type Refusal, refusal } from "../../base/problem.ts"
import type { Resource } from "../../model/model.ts"
import { apiName } from "../../model/names.ts"
import { subjectName } from "../../plan/lookup.ts"
import { notFoundText } from "../../plan/not-found.ts"
import { quoteInput } from "../../plan/quote-input.ts"
import type { Address } from "./route.ts"

export function missingRecord(resource: Resource, address: Address): Refusal {
  if (address.kind === "unique")
    return refusal("not_found", notFoundText(apiName(resource), ` with ${spelt(address.values)}`))
  const keys = resource.uniques.map((unique) =>
    unique.members.map((member) => `${subjectName(resource, member)}=…`).join(","),
  )
  return refusal("not_found", notFoundText(apiName(resource), ` ${quoteInput(address.text)}`), {
    ...(address.text.includes("=") && keys.length > 0
      ? { hint: `Besides the id, these name one: ${keys.join(" or ")}.` }
      : {}),
  })
}

export function missingNode(id: string): Refusal {
  return refusal("not_found", notFoundText("record", ` ${quoteInput(id)}`), {
    hint: "Records have global ids here, with the prefix of their resource.",
  })
}

function spelt(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name} ${quoteInput(value)}`)
    .join(" and ")
}
