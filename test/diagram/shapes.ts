// What a picture shows, read back from its text: boxes, lines and words with their places on the whole picture.

export interface Rectangle {
  readonly className: string
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

export interface Segment {
  readonly from: readonly [number, number]
  readonly to: readonly [number, number]
}

export interface Shapes {
  readonly rectangles: readonly Rectangle[]
  /** The straight parts of each line. */
  readonly lines: readonly (readonly Segment[])[]
  readonly texts: readonly string[]
}

export function shapesOf(svg: string): Shapes {
  const rectangles: Rectangle[] = []
  const lines: Segment[][] = []
  const texts: string[] = []
  const shifts: (readonly [number, number])[] = [[0, 0]]
  for (const [tag] of svg.matchAll(/<\/?[a-z]+\b[^>]*>/g)) {
    const [x, y] = shifts.at(-1) ?? [0, 0]
    if (tag.startsWith("<g")) {
      const [dx = 0, dy = 0] = numbersIn(textOf(tag, "transform"))
      shifts.push([x + dx, y + dy])
    } else if (tag === "</g>") shifts.pop()
    else if (tag.startsWith("<rect")) {
      const [left, top] = [x + numberOf(tag, "x"), y + numberOf(tag, "y")]
      const [right, bottom] = [left + numberOf(tag, "width"), top + numberOf(tag, "height")]
      rectangles.push({ className: textOf(tag, "class"), left, top, right, bottom })
    } else if (tag.startsWith("<path") && textOf(tag, "class") === "line")
      lines.push(segmentsOf(textOf(tag, "d"), x, y))
  }
  for (const [, text = ""] of svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)) texts.push(text)
  return { rectangles, lines, texts }
}

/** Of a path of `M`, `L` and `Q`: bends are taken to be their corners. */
function segmentsOf(path: string, x: number, y: number): Segment[] {
  const corners = [...path.matchAll(/[MLQ]([^MLQ]*)/g)].map(([, given = ""]) => {
    const [cx = 0, cy = 0] = numbersIn(given)
    return [x + cx, y + cy] as const
  })
  return corners.slice(1).map((to, index) => ({ from: corners[index] ?? to, to }))
}

const textOf = (tag: string, name: string): string => new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? ""

const numberOf = (tag: string, name: string): number => Number(textOf(tag, name) || 0)

const numbersIn = (text: string): readonly number[] => [...text.matchAll(/-?\d+(?:\.\d+)?/g)].map(Number)

export const isApart = (a: Rectangle, b: Rectangle): boolean =>
  a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top

/** Whether it runs through the inside; touching an edge is not running through. */
export function runsThrough({ from, to }: Segment, { left, top, right, bottom }: Rectangle): boolean {
  const most = 0.5
  return (
    Math.max(from[0], to[0]) > left + most &&
    Math.min(from[0], to[0]) < right - most &&
    Math.max(from[1], to[1]) > top + most &&
    Math.min(from[1], to[1]) < bottom - most
  )
}
