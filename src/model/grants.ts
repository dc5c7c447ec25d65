// Grants of one caller: roles, scopes and tiers that it may have records give to their users.
import type { Condition, Slot } from "./condition.ts"
import type { GrantDeclaration } from "./policy-declaration.ts"

export interface Granting {
  /** Records that give nothing but what the caller may grant: `access` has it for create and update. */
  readonly within: Condition<Slot>
  /** Each of `grants`, and the records that the caller may have give it; false for none. */
  readonly each: readonly Granted[]
}

export interface Granted extends GrantDeclaration {
  readonly may: Condition<Slot> | false
}
