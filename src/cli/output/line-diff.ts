// Differences between two files of rules, line by line, each with the resource and the action that it is about.

export interface PlacedLine {
  readonly text: string
  /** Null of what stands above all resources. */
  readonly resource: string | null
  /** Null of what stands above all actions. */
  readonly action: string | null
  /** Null of what stands above all actors. */
  readonly actor: string | null
}

export interface DiffLine extends PlacedLine {
  readonly kind: "same" | "gone" | "new"
}

/** Lines that stay the same before and behind each difference. */
const around = 3

/**
 * The lines of each resource and action of which something differs: of the actors that it differs for, and some around. What
 * is gone stands before what is new. The same text elsewhere is another line.
 */
export function diffLines(
  before: readonly PlacedLine[],
  after: readonly PlacedLine[],
): readonly (readonly DiffLine[])[] {
  return [
    ...Map.groupBy(compared(before, after), ({ resource, action }) => `${resource}\n${action}`).values(),
  ]
    .map(near)
    .filter((lines) => lines.length > 0)
}

function near(lines: readonly DiffLine[]): readonly DiffLine[] {
  const differs = ({ kind }: DiffLine): boolean => kind !== "same"
  const actors = new Set(lines.filter(differs).map(({ actor }) => actor))
  return lines.filter(
    ({ actor }, index) =>
      (actor !== null && actors.has(actor)) ||
      lines.slice(Math.max(0, index - around), index + around + 1).some(differs),
  )
}

const isSame = (a: PlacedLine | undefined, b: PlacedLine | undefined): boolean =>
  a?.text === b?.text && a?.resource === b?.resource && a?.action === b?.action && a?.actor === b?.actor

/** By the longest common subsequence of what lies between equal beginnings and ends. */
function compared(before: readonly PlacedLine[], after: readonly PlacedLine[]): readonly DiffLine[] {
  const shorter = Math.min(before.length, after.length)
  let head = 0
  while (head < shorter && isSame(before[head], after[head])) head += 1
  let tail = 0
  while (tail < shorter - head && isSame(before.at(-1 - tail), after.at(-1 - tail))) tail += 1
  const same = (line: PlacedLine): DiffLine => ({ kind: "same", ...line })
  return [
    ...before.slice(0, head).map(same),
    ...changed(before.slice(head, before.length - tail), after.slice(head, after.length - tail)),
    ...before.slice(before.length - tail).map(same),
  ]
}

function changed(before: readonly PlacedLine[], after: readonly PlacedLine[]): readonly DiffLine[] {
  // lengths[i][j]: of the longest common subsequence of before from i and after from j.
  const lengths = Array.from({ length: before.length + 1 }, () => new Uint32Array(after.length + 1))
  const at = (i: number, j: number): number => lengths[i]?.[j] ?? 0
  for (let i = before.length - 1; i >= 0; i -= 1)
    for (let j = after.length - 1; j >= 0; j -= 1) {
      const row = lengths[i]
      if (row)
        row[j] = isSame(before[i], after[j]) ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
    }
  const lines: DiffLine[] = []
  let [i, j] = [0, 0]
  while (i < before.length || j < after.length) {
    const [old, next] = [before[i], after[j]]
    if (old !== undefined && isSame(old, next)) {
      lines.push({ kind: "same", ...old })
      i += 1
      j += 1
    } else if (old !== undefined && (next === undefined || at(i + 1, j) >= at(i, j + 1))) {
      lines.push({ kind: "gone", ...old })
      i += 1
    } else if (next !== undefined) {
      lines.push({ kind: "new", ...next })
      j += 1
    }
  }
  return lines
}
