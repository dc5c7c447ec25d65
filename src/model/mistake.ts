// Makes the compiler report a mistake: no value is assignable to this type, and its text stands in the error.

/** `Known` are the names that are there. */
export interface Mistake<Message extends string, Known = never> {
  readonly mistake: Message
  readonly known?: Known
}

/** `Spread<Names>[0]` is shown as the names; the compiler shows a union that a type has named as that type. */
export type Spread<Names> = Names extends unknown ? [Names] : never

/** `unknown` without mistakes; else a type that no value is assignable to. */
export type Checked<Mistakes> = [Mistakes] extends [never] ? unknown : Mistakes
