// Numbers of 32 bits (IEEE 754 binary32) by what is shown of them: the shortest decimal that is nearer to the number than
// half the way to the next ones, as PostgreSQL writes it.

/** Whether a number of 32 bits that is put in place of this one is shown as this one. */
export const fitsFloat32 = (number: number): boolean => printFloat32(number) === number

/** The number as 32 bits keep it; an infinity where it is too great. */
export function printFloat32(number: number): number {
  const single = Math.fround(number)
  if (!Number.isFinite(single) || single === 0) return single + 0
  return Math.sign(single) * shortest(Math.abs(single))
}

/** So many digits tell any two of them apart. */
const mostDigits = 9

function shortest(single: number): number {
  const exponent = Number(single.toExponential().split("e")[1])
  const ends = halfWays(single)
  for (let digits = 1; digits <= mostDigits; digits++) {
    const scale = digits - 1 - exponent
    const [value, one] = scaled(single, scale)
    const [low, high] = ends.map((end) => scaled(end, scale))
    const below = value / one
    // The nearer one, of two that are as near the even one.
    const rest = 2n * (value % one)
    const isUp = rest > one || (rest === one && below % 2n === 1n)
    const found = (isUp ? [below + 1n, below] : [below, below + 1n]).find(
      (units) => low && high && units * low[1] > low[0] && units * high[1] < high[0],
    )
    if (found !== undefined) return Number(`${found}e${-scale}`)
  }
  return Number(single.toPrecision(mostDigits))
}

/** Doubles hold what lies between two neighbours of 32 bits exactly. */
function halfWays(single: number): readonly number[] {
  const bytes = new DataView(new ArrayBuffer(4))
  bytes.setFloat32(0, single)
  const bits = bytes.getUint32(0)
  const neighbour = (step: number): number => {
    bytes.setUint32(0, bits + step)
    return bytes.getFloat32(0)
  }
  const below = neighbour(-1)
  const above = neighbour(1)
  return [(single + below) / 2, Number.isFinite(above) ? (single + above) / 2 : single + (single - below) / 2]
}

/** Times ten to the power of the scale, as a fraction. */
function scaled(number: number, scale: number): readonly [above: bigint, below: bigint] {
  // 2 ** 200 makes a whole number of any that has 32 bits, and of what lies half the way between two.
  const [above, below] = [BigInt(number * 2 ** 200), 1n << 200n]
  return scale < 0 ? [above, below * 10n ** BigInt(-scale)] : [above * 10n ** BigInt(scale), below]
}
