// Requests of a host that are being answered, which a service that closes waits for.
interface UnderWay {
  /** Gives what ends it. */
  begin(): () => void
  /** Resolves when all have ended or the time is over, with how many had not. @param most milliseconds */
  settled(most: number): Promise<number>
}

export function createUnderWay(): UnderWay {
  let count = 0
  let last = (): void => {}
  return {
    begin() {
      count += 1
      let ended = false
      return () => {
        if (ended) return
        ended = true
        count -= 1
        if (count === 0) last()
      }
    },
    async settled(most) {
      if (count === 0) return 0
      const { promise, resolve } = Promise.withResolvers<void>()
      last = resolve
      const over = setTimeout(resolve, most)
      await promise
      clearTimeout(over)
      return count
    },
  }
}
