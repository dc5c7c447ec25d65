// The end of keys and endpoints, in Bifold's own language.
import type { FieldDeclaration, ResourceDeclaration } from "../declaration/declaration.ts"
import { f } from "../declaration/service.ts"
import { readDuration } from "../log.ts"

const member = "expiresAt"

interface Ending {
  readonly fields: { readonly expiresAt: FieldDeclaration }
  readonly ends: NonNullable<ResourceDeclaration["ends"]>
}

/** @param within the longest lifetime, such as `90 days`, and the lifetime of a record made without an end */
export function endingWithin(within: string | undefined, description: string): Ending {
  const delay = within === undefined ? undefined : readDuration(within)
  return {
    fields: {
      [member]: {
        ...f.timestamp({
          optional: true,
          description: `${description}${within === undefined ? "" : `, at most ${within} away`}.`,
        }),
        ...(delay !== undefined && { default: "now", defaultDelay: delay }),
      },
    },
    ends: { member, ...(within !== undefined && { within }) },
  }
}
