// Chance that can be repeated: everything that is drawn follows from one number.

export interface Random {
  /** From 0 to below. */
  whole(below: number): number
  percent(chance: number): boolean
  one<Value>(values: readonly Value[]): Value
  some<Value>(values: readonly Value[], chance: number): Value[]
}

/** Mulberry32. @param seed a whole number of 32 bits */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const whole = (below: number): number => Math.floor(next() * below)
  return {
    whole,
    percent: (chance) => next() * 100 < chance,
    one(values) {
      if (values.length === 0) throw new Error("nothing to choose from")
      return values[whole(values.length)] as (typeof values)[number]
    },
    some: (values, chance) => values.filter(() => next() * 100 < chance),
  }
}
