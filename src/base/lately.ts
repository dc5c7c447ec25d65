// Keeps what was made of texts that come again, such as addresses and names of hosts, as long as there are not too many.

/** @param make of a text; what it gives is never undefined @param most texts that are kept: one more, and all are forgotten */
export function lately<Made extends NonNullable<unknown>>(
  make: (of: string) => Made,
  most: number,
): (of: string) => Made {
  const known = new Map<string, Made>()
  return (of) => {
    const found = known.get(of)
    if (found !== undefined) return found
    if (known.size >= most) known.clear()
    const made = make(of)
    known.set(of, made)
    return made
  }
}
