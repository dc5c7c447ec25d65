// A chart with two logarithmic axes as SVG: measured lines, and the dashed ones that they should follow.

interface ChartLine {
  readonly name: string
  readonly points: readonly (readonly [x: number, y: number])[]
  readonly expected: (x: number) => number
}

export interface Chart {
  readonly title: string
  /** The titles of the axes. */
  readonly x: string
  readonly y: string
  readonly lines: readonly ChartLine[]
}

const [width, height] = [460, 300]
const [left, right, top, bottom] = [58, 16, 40, 46]
const colours = ["#0969da", "#bf3989"]

export function chartSvg({ title, x, y, lines }: Chart): string {
  const points = lines.flatMap((line) => line.points)
  const across = scale(
    points.map(([at]) => at),
    left,
    width - right,
  )
  const costs = lines.flatMap((line) => line.points.flatMap(([at, cost]) => [cost, line.expected(at)]))
  const up = scale(costs, height - bottom, top)
  const round = (value: number): string => value.toFixed(1)
  const path = (at: readonly (readonly [number, number])[]): string =>
    at.map(([px, py], index) => `${index === 0 ? "M" : "L"}${round(across(px))} ${round(up(py))}`).join("")
  const drawn = lines.map(({ name, points: own, expected }, index) => {
    const colour = colours[index % colours.length]
    const dashed = path(own.map(([at]) => [at, expected(at)]))
    const dots = own.map(
      ([at, cost]) => `<circle cx="${round(across(at))}" cy="${round(up(cost))}" r="3" fill="${colour}"/>`,
    )
    const legend = `<text x="${left + 8 + index * 110}" y="${top - 8}" style="fill: ${colour}">${name}</text>`
    return `<path d="${dashed}" fill="none" stroke="${colour}" stroke-dasharray="4 4" opacity="0.6"/><path d="${path(own)}" fill="none" stroke="${colour}" stroke-width="2"/>${dots.join("")}${legend}`
  })
  const labelsX = ticks(across.least, across.most).map(
    (at) =>
      `<line class="grid" x1="${round(across(at))}" x2="${round(across(at))}" y1="${top}" y2="${height - bottom}"/><text x="${round(across(at))}" y="${height - bottom + 16}" text-anchor="middle">${short(at)}</text>`,
  )
  const labelsY = ticks(up.least, up.most).map(
    (at) =>
      `<line class="grid" x1="${left}" x2="${width - right}" y1="${round(up(at))}" y2="${round(up(at))}"/><text x="${left - 6}" y="${round(up(at) + 4)}" text-anchor="end">${short(at)}</text>`,
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title">
<title id="title">${title}: ${y} by ${x}; dashed is the line that it should follow</title>
<style>
text { font: 12px system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; fill: #57606a }
.heading { font-weight: 600; font-size: 14px; fill: #1f2328 }
.grid { stroke: #d0d7de }
@media (prefers-color-scheme: dark) {
  text { fill: #9aa4af }
  .heading { fill: #e6edf3 }
  .grid { stroke: #30363d }
}
</style>
<text class="heading" x="${left}" y="16">${title}</text>
${labelsX.join("\n")}
${labelsY.join("\n")}
${drawn.join("\n")}
<text x="${(left + width - right) / 2}" y="${height - 8}" text-anchor="middle">${x}</text>
<text transform="translate(14 ${(top + height - bottom) / 2}) rotate(-90)" text-anchor="middle">${y}</text>
</svg>
`
}

interface Scale {
  (value: number): number
  readonly least: number
  readonly most: number
}

/** Logarithmic; from the power of ten below the least value to the one above the greatest. */
function scale(values: readonly number[], from: number, to: number): Scale {
  const least = Math.floor(Math.log10(Math.min(...values)))
  const most = Math.max(least + 1, Math.ceil(Math.log10(Math.max(...values))))
  const place = (value: number): number => from + ((Math.log10(value) - least) / (most - least)) * (to - from)
  return Object.assign(place, { least: 10 ** least, most: 10 ** most })
}

function ticks(least: number, most: number): readonly number[] {
  const found: number[] = []
  for (let at = least; at <= most * 1.001; at *= 10) found.push(at)
  return found
}

const short = (value: number): string =>
  value >= 1e6 ? `${value / 1e6}M` : value >= 1e3 ? `${value / 1e3}k` : String(value)
