// What differs between two texts, line by line, with the lines around it.

export interface DiffLine {
  /** `gap` stands for lines that are left out. */
  readonly kind: "same" | "gone" | "new" | "gap"
  readonly text: string
}

/** Lines that stay the same before and behind each difference. */
const around = 3

/** Empty when the texts are equal. What is gone stands before what is new. */
export function diffLines(before: string, after: string): readonly DiffLine[] {
  if (before === after) return []
  const lines = compared(before.split("\n"), after.split("\n"))
  const differs = lines.flatMap(({ kind }, index) => (kind === "same" ? [] : [index]))
  const shown = new Set(
    differs.flatMap((index) => Array.from({ length: 2 * around + 1 }, (_, step) => index + step - around)),
  )
  return lines.flatMap((line, index): DiffLine[] => {
    if (shown.has(index)) return [line]
    return shown.has(index - 1) || index === 0 ? [{ kind: "gap", text: "" }] : []
  })
}

/** By the longest common subsequence of what lies between equal beginnings and ends. */
function compared(before: readonly string[], after: readonly string[]): readonly DiffLine[] {
  const shorter = Math.min(before.length, after.length)
  let head = 0
  while (head < shorter && before[head] === after[head]) head += 1
  let tail = 0
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1
  const same = (text: string): DiffLine => ({ kind: "same", text })
  return [
    ...before.slice(0, head).map(same),
    ...changed(before.slice(head, before.length - tail), after.slice(head, after.length - tail)),
    ...before.slice(before.length - tail).map(same),
  ]
}

function changed(before: readonly string[], after: readonly string[]): readonly DiffLine[] {
  // lengths[i][j]: of the longest common subsequence of before from i and after from j.
  const lengths = Array.from({ length: before.length + 1 }, () => new Uint32Array(after.length + 1))
  const at = (i: number, j: number): number => lengths[i]?.[j] ?? 0
  for (let i = before.length - 1; i >= 0; i -= 1)
    for (let j = after.length - 1; j >= 0; j -= 1) {
      const row = lengths[i]
      if (row) row[j] = before[i] === after[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
    }
  const lines: DiffLine[] = []
  let [i, j] = [0, 0]
  while (i < before.length || j < after.length) {
    const [old, next] = [before[i], after[j]]
    if (old !== undefined && old === next) {
      lines.push({ kind: "same", text: old })
      i += 1
      j += 1
    } else if (old !== undefined && (next === undefined || at(i + 1, j) >= at(i, j + 1))) {
      lines.push({ kind: "gone", text: old })
      i += 1
    } else {
      lines.push({ kind: "new", text: next ?? "" })
      j += 1
    }
  }
  return lines
}
