// Where the tables of a model stand, and where the lines between them begin and end.
import { present } from "../base/invariant.ts"
import type { Model, Resource } from "../model/model.ts"
import { type Row, rowsOf } from "./entities.ts"
import { type Box, type Line, layOut, type Point, type Port } from "./layout.ts"
import { type Font, widthOf } from "./text.ts"
import type { End, Tie } from "./ties.ts"

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
 * Lines run from left to right and end at the rows of their relations. Which table stands left of which is found first,
 * with lines that end anywhere: the side at which a line ends follows from it.
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
