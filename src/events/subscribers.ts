// Several kinds of those who follow the log beside handlers, as one: each knows its own by their names.
import type { Subscribers } from "./followed.ts"

export const joinSubscribers = (all: readonly Subscribers[]): Subscribers => ({
  gone: async (names) => (await Promise.all(all.map((one) => one.gone(names)))).flat(),
  followed: async () => (await Promise.all(all.map((one) => one.followed()))).flat(),
  async ended(name) {
    await Promise.all(all.map((one) => one.ended?.(name)))
  },
})
