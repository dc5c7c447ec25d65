// A whole model as a picture: resources with their fields, and lines between the relations of two ends.

import { present } from "../base/invariant.ts"
import { match } from "../base/match.ts"
import type { Model, Resource } from "../model/model.ts"
import { type Row, rowsOf } from "./entities.ts"
import { type Box, type Layout, type Line, layOut, type Point, type Port } from "./layout.ts"
import { element, escapeText, fontFamily, group, lineThrough, picture, spot, textAt } from "./svg.ts"
import { type Font, widthOf } from "./text.ts"
import { type Count, type End, type Tie, tiesOf } from "./ties.ts"

const fonts = {
  name: { size: 14, bold: true },
  row: { size: 12.5 },
} as const satisfies Readonly<Record<string, Font>>

const margin = 20
const headHeight = 34
const rowHeight = 20
const foot = 8
const inset = 12
/** Between the longest name and the longest type of a table. */
const gap = 22

interface Table {
  readonly resource: Resource
  readonly rows: readonly Row[]
  readonly width: number
  readonly height: number
}

export async function modelSvg(model: Model): Promise<string> {
  const tables = [...model.resources.values()].map(tableOf)
  const ties = tiesOf(model)
  const layout = await layOutTables(tables, ties)
  const lines = ties.map((_, index) => lineThrough(wayOf(layout, index), "line"))
  const ends = ties.flatMap((tie, index) => endMarks(tie, wayOf(layout, index)))
  const boxes = tables.map((table) => {
    const corner = present(layout.corners.get(table.resource.name), `${table.resource.name} has no place`)
    return group(corner, tableMarks(table))
  })
  return picture({
    width: layout.width + 2 * margin,
    height: layout.height + 2 * margin,
    title: `The model of ${model.title}`,
    description: ties.map(tell).join(" "),
    style,
    content: [group({ x: margin, y: margin }, [...lines, ...boxes, ...ends])],
  })
}

function tableOf(resource: Resource): Table {
  const rows = rowsOf(resource)
  const widest = (texts: readonly string[]): number =>
    Math.max(0, ...texts.map((text) => widthOf(text, fonts.row)))
  const columns = widest(rows.map(({ name }) => name)) + gap + widest(rows.map(({ type }) => type))
  return {
    resource,
    rows,
    width: Math.max(columns, widthOf(resource.name, fonts.name)) + 2 * inset,
    height: headHeight + rows.length * rowHeight + foot,
  }
}

/**
 * Lines run from left to right and end at the rows of their relations. Which table stands left of which is found first,
 * with lines that end anywhere: the side at which a line ends follows from it.
 */
async function layOutTables(tables: readonly Table[], ties: readonly Tie[]): Promise<Layout> {
  const boxes = tables.map(({ resource, width, height }): Box => ({ id: resource.name, width, height }))
  const plain = ties.map(([a, b], index): Line => ({ id: lineId(index), from: a.resource, to: b.resource }))
  const first = await layOut(boxes, plain, options)
  const leftOf = (name: string): number => first.corners.get(name)?.x ?? 0
  const turned = ties.map(([a, b]) => leftOf(a.resource) > leftOf(b.resource))
  const ported = ties.map(([a, b], index): readonly [PortOf, PortOf] => {
    const isLoop = a.resource === b.resource
    const from = turned[index] ? b : a
    const to = turned[index] ? a : b
    return [
      { of: from, id: `${lineId(index)}:from`, side: "EAST" },
      { of: to, id: `${lineId(index)}:to`, side: isLoop ? "EAST" : "WEST" },
    ]
  })
  const withPorts = tables.map((table, index): Box => {
    const own = ported.flat().filter(({ of }) => of.resource === table.resource.name)
    return { ...present(boxes[index], "a table has a box"), ports: own.map((port) => portOf(table, port)) }
  })
  const lines = ported.map(([from, to], index): Line => ({ id: lineId(index), from: from.id, to: to.id }))
  const laid = await layOut(withPorts, lines, options)
  const ways = [...laid.ways].map(
    ([id, points], index) => [id, turned[index] ? points.toReversed() : points] as const,
  )
  return { ...laid, ways: new Map(ways) }
}

const lineId = (index: number): string => `tie ${index}`
const wayOf = (layout: Layout, index: number): readonly Point[] =>
  present(layout.ways.get(lineId(index)), "a tie has a way")

interface PortOf {
  readonly of: End
  readonly id: string
  readonly side: Port["side"]
}

function portOf({ rows }: Table, { of, id, side }: PortOf): Port {
  const index = rows.findIndex(({ name, kind }) => kind === "relation" && name === of.relation)
  return { id, side, y: index < 0 ? headHeight / 2 : headHeight + (index + 0.5) * rowHeight + 2 }
}

const options = {
  "elk.direction": "RIGHT",
  "elk.spacing.nodeNode": "28",
  "elk.spacing.edgeNode": "22",
  "elk.spacing.edgeEdge": "12",
  "elk.spacing.nodeSelfLoop": "26",
  "elk.layered.spacing.nodeNodeBetweenLayers": "64",
  "elk.layered.spacing.edgeNodeBetweenLayers": "24",
  "elk.layered.spacing.edgeEdgeBetweenLayers": "12",
} as const

function tableMarks({ resource, rows, width, height }: Table): readonly string[] {
  const { name, description } = resource
  const head = `M0 ${headHeight}V8Q0 0 8 0H${width - 8}Q${width} 0 ${width} 8V${headHeight}Z`
  return [
    ...(description === undefined ? [] : [element("title", {}, escapeText(description))]),
    element("rect", { class: "table", width, height, rx: 8 }),
    element("path", { class: "head", d: head }),
    textAt({ x: inset, y: 22 }, "name", name),
    ...rows.flatMap((row, index) => {
      const y = headHeight + index * rowHeight + 17
      return [
        textAt({ x: inset, y }, row.kind, row.name),
        textAt({ x: width - inset, y }, row.kind === "relation" ? "target" : "type", row.type),
      ]
    }),
  ]
}

function endMarks([a, b]: Tie, way: readonly Point[]): readonly string[] {
  const [start, next] = way as readonly [Point, Point]
  const [last, before] = way.toReversed() as [Point, Point]
  return [
    countMark(a.count, start, next.x > start.x ? 1 : -1),
    countMark(b.count, last, before.x > last.x ? 1 : -1),
  ]
}

/** At a table's edge; lines leave it sideways. */
function countMark(count: Count, { x, y }: Point, away: 1 | -1): string {
  const bar = (distance: number): string => `M${spot({ x: x + away * distance, y: y - 5 })}v10`
  return match(
    { kind: count },
    {
      one: () => element("path", { class: "line", d: bar(7) }),
      optional: () =>
        element("path", { class: "line", d: bar(7) }) +
        element("circle", { class: "none", cx: x + away * 13, cy: y, r: 4 }),
      many: () => {
        const tip = spot({ x: x + away * 11, y })
        return element("path", {
          class: "line",
          d: `M${spot({ x, y: y - 6 })}L${tip}L${spot({ x, y: y + 6 })}`,
        })
      },
    },
  )
}

function tell([a, b]: Tie): string {
  const words: Readonly<Record<Count, string>> = { one: "one", optional: "one or no", many: "many" }
  const side = (from: End, to: End): string =>
    `each ${from.resource} has ${words[to.count]} ${to.resource}${from.relation === undefined ? "" : ` as ${from.relation}`}`
  const text = `${side(a, b)}, ${side(b, a)}.`
  return text.charAt(0).toUpperCase() + text.slice(1)
}

const style = `
text { font-family: ${fontFamily}; font-size: 12.5px }
.ground { fill: #ffffff }
.line { fill: none; stroke: #57606a; stroke-width: 1.3 }
.none { fill: #ffffff; stroke: #57606a; stroke-width: 1.3 }
.table { fill: #f6f8fa; stroke: #afb8c1 }
.head { fill: #ddf4ff; stroke: #54aeff }
.name { font-size: 14px; font-weight: 600; fill: #0a3069 }
.id, .field { fill: #1f2328 }
.type { fill: #57606a; text-anchor: end }
.relation { fill: #0550ae }
.target { fill: #0550ae; text-anchor: end }
@media (prefers-color-scheme: dark) {
  .ground { fill: #0d1117 }
  .line { stroke: #8b949e }
  .none { fill: #0d1117; stroke: #8b949e }
  .table { fill: #161b22; stroke: #444c56 }
  .head { fill: #0c2d4a; stroke: #388bfd }
  .name { fill: #cae8ff }
  .id, .field { fill: #e6edf3 }
  .type { fill: #9aa4af }
  .relation, .target { fill: #79c0ff }
}`
