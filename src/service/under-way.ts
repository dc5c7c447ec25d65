// Requests of a host that are being answered, which a service that closes waits for.
interface UnderWay {
  /** Gives what ends it. */
  begin(): EndsAnswer
  /** Resolves when all have ended or the time is over, with how many had not. @param most milliseconds */
  settled(most: number): Promise<number>
}

export interface EndsAnswer {
  (): void
  /** Is called when the service closes while the answer lasts; once, and at once where it is closing already. */
  whenClosing(hasten: () => void): void
}

export function createUnderWay(): UnderWay {
  const hastened = new Map<EndsAnswer, (() => void) | undefined>()
  let closing = false
  let last = (): void => {}
  return {
    begin() {
      const end: EndsAnswer = () => {
        if (hastened.delete(end) && hastened.size === 0) last()
      }
      end.whenClosing = (hasten) => {
        if (closing) hasten()
        else if (hastened.has(end)) hastened.set(end, hasten)
      }
      hastened.set(end, undefined)
      return end
    },
    async settled(most) {
      closing = true
      for (const hasten of [...hastened.values()]) hasten?.()
      if (hastened.size === 0) return 0
      const { promise, resolve } = Promise.withResolvers<void>()
      last = resolve
      const over = setTimeout(resolve, most)
      await promise
      clearTimeout(over)
      return hastened.size
    },
  }
}
