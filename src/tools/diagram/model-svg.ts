// A whole model as a picture: resources with their fields, and lines between the relations of two ends.
import { present } from "../../base/invariant.ts"
import { match } from "../../base/match.ts"
import type { Model, Resource } from "../../model/model.ts"
import { type Count, type End, type Row, rowsOf, type Tie, tiesOf } from "./entities.ts"
import { type Box, type Line, layOut, type Point, type Port } from "./layout.ts"
import { element, escapeText, fontFamily, group, lineThrough, picture, spot, textAt } from "./svg.ts"
import { type Font, widthOf } from "./text.ts"

const margin = 20

export async function modelSvg(model: Model): Promise<string> {
  const tables = tablesOf(model)
  const ties = tiesOf(model)
  const layout = await placeTables(tables, ties)
  const lines = ties.map((_, index) => lineThrough(present(layout.ways[index], "a tie has a way"), "line"))
  const ends = ties.flatMap((tie, index) => endMarks(tie, present(layout.ways[index], "a tie has a way")))
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
      one: () => element("path", { class: "mark", d: bar(7) }),
      optional: () =>
        element("path", { class: "mark", d: bar(7) }) +
        element("circle", { class: "none", cx: x + away * 13, cy: y, r: 4 }),
      many: () => {
        const tip = spot({ x: x + away * 11, y })
        return element("path", {
          class: "mark",
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
.line, .mark { fill: none; stroke: #57606a; stroke-width: 1.3 }
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
  .line, .mark { stroke: #8b949e }
  .none { fill: #0d1117; stroke: #8b949e }
  .table { fill: #161b22; stroke: #444c56 }
  .head { fill: #0c2d4a; stroke: #388bfd }
  .name { fill: #cae8ff }
  .id, .field { fill: #e6edf3 }
  .type { fill: #9aa4af }
  .relation, .target { fill: #79c0ff }
}`

// Where the tables of a model stand, and where the lines between them begin and end.
export const headHeight = 34
export const rowHeight = 20
/** Between a table's edge and its text. */
export const inset = 12
const foot = 8
/** Between the longest name and the longest type of a table. */
const gap = 22

const fonts = {
  name: { size: 14, bold: true },
  row: { size: 12.5 },
} as const satisfies Readonly<Record<string, Font>>

export interface Table {
  readonly resource: Resource
  readonly rows: readonly Row[]
  readonly width: number
  readonly height: number
}

export const tablesOf = ({ resources }: Model): readonly Table[] => [...resources.values()].map(tableOf)

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

export interface PlacedTables {
  readonly width: number
  readonly height: number
  /** By resource: upper left corners. */
  readonly corners: ReadonlyMap<string, Point>
  /** For each tie, from its first end to its second. */
  readonly ways: readonly (readonly Point[])[]
}

/**
 * Lines run from left to right and end at the rows of their relations. The first layout, with lines that end anywhere,
 * finds each table's place. The side at which a line ends follows from it.
 */
export async function placeTables(tables: readonly Table[], ties: readonly Tie[]): Promise<PlacedTables> {
  const boxes = tables.map(({ resource, width, height }): Box => ({ id: resource.name, width, height }))
  const loose = ties.map(([a, b], index): Line => ({ id: lineId(index), from: a.resource, to: b.resource }))
  const { corners } = await layOut(boxes, loose, options)
  const plugs = ties.flatMap((tie, index) => plugsOf(tie, index, corners))
  const withPorts = tables.map((table, index): Box => {
    const own = plugs.filter(({ end }) => end.resource === table.resource.name)
    return { ...present(boxes[index], "a table has a box"), ports: portsOf(table, own) }
  })
  const lines = ties.map(
    (_, index): Line => ({ id: lineId(index), from: `${index}:left`, to: `${index}:right` }),
  )
  const laid = await layOut(withPorts, lines, options)
  const ways = ties.map((tie, index) => {
    const way = present(laid.ways.get(lineId(index)), "a tie has a way")
    return isTurned(tie, corners) ? way.toReversed() : way
  })
  return { ...laid, ways }
}

const lineId = (index: number): string => `tie ${index}`

/** Whether its first end stands right of its second. */
const isTurned = ([a, b]: Tie, corners: ReadonlyMap<string, Point>): boolean =>
  (corners.get(a.resource)?.x ?? 0) > (corners.get(b.resource)?.x ?? 0)

/** An end of a tie, at one side of its table. */
interface Plug {
  readonly id: string
  readonly end: End
  readonly side: Port["side"]
  /** How far down the other table stands. */
  readonly height: number
}

function plugsOf(tie: Tie, index: number, corners: ReadonlyMap<string, Point>): readonly Plug[] {
  const [left, right] = isTurned(tie, corners) ? [tie[1], tie[0]] : tie
  const heightOf = ({ resource }: End): number => corners.get(resource)?.y ?? 0
  const isLoop = left.resource === right.resource
  return [
    { id: `${index}:left`, end: left, side: "EAST", height: heightOf(right) },
    { id: `${index}:right`, end: right, side: isLoop ? "EAST" : "WEST", height: heightOf(left) },
  ]
}

/** An end without a relation is at the table's head, and several of them below one another, above the relations. */
function portsOf({ rows }: Table, plugs: readonly Plug[]): readonly Port[] {
  const rowOf = ({ end }: Plug): number =>
    rows.findIndex(({ name, kind }) => kind === "relation" && name === end.relation)
  const room = headHeight + rows.filter(({ kind }) => kind !== "relation").length * rowHeight
  return (["WEST", "EAST"] as const).flatMap((side) => {
    const here = plugs.filter((plug) => plug.side === side)
    const free = here.filter((plug) => rowOf(plug) < 0).toSorted((a, b) => a.height - b.height)
    const step = Math.min(14, (room - headHeight / 2) / free.length)
    const heightOf = (plug: Plug): number =>
      rowOf(plug) < 0
        ? headHeight / 2 + free.indexOf(plug) * step
        : headHeight + (rowOf(plug) + 0.5) * rowHeight + 2
    return here.map((plug): Port => ({ id: plug.id, side, y: heightOf(plug) }))
  })
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
