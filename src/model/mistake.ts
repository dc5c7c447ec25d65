// How the compiler is made to tell a mistake: nothing is assignable to this, and its text stands in the error.

/** `Known` are the names that are there. */
export interface Mistake<Message extends string, Known = never> {
  readonly mistake: Message
  readonly known?: Known
}

/** `Spread<Names>[0]` is shown as the names; the compiler shows a union that a type has named as that type. */
export type Spread<Names> = Names extends unknown ? [Names] : never

/** `unknown` where all is well; else what nothing is assignable to. */
export type Checked<Mistakes> = [Mistakes] extends [never] ? unknown : Mistakes
