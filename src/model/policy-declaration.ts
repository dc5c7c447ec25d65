// Permissions in a declaration: data, which plan/access/parse-policy.ts reads.

/**
 * Callers, or conditions on records: data, in the form of a condition. Several in a list: any of them is enough. In an
 * object all members must hold; besides the record's own members it takes `role`, `scope`, `signedIn`, `anyone` and
 * `together` (told from members by what they hold: a text or `true`), and a comparison may be with `{ viewer: "id" }`.
 */
export type RuleDeclaration = RuleObject | readonly RuleObject[]
export type RuleObject = Readonly<Record<string, unknown>>

export const actions = ["read", "create", "update", "delete"] as const

export type WriteAction = Exclude<(typeof actions)[number], "read">

/** An action that is not named is allowed to nobody. */
export type AllowDeclaration = { readonly [Action in (typeof actions)[number]]?: RuleDeclaration }
