// Where boxes stand and lines run, found by ELK: https://eclipse.dev/elk/reference/options.html

import elk from "elkjs/lib/elk.bundled.js"
import type { ElkNode, ElkPort, LayoutOptions } from "elkjs/lib/elk-api.js"
import { present } from "../../base/invariant.ts"

/** All measures are pixels; `x` and `y` are of the upper left corner. */
export interface Point {
  readonly x: number
  readonly y: number
}

export interface Box {
  readonly id: string
  readonly width: number
  readonly height: number
  /** Where lines may end at it; anywhere when absent. */
  readonly ports?: readonly Port[]
}

export interface Port {
  readonly id: string
  readonly side: "WEST" | "EAST"
  /** Below the box's upper edge. */
  readonly y: number
}

/** From a box or a port to another. */
export interface Line {
  readonly id: string
  readonly from: string
  readonly to: string
}

export interface Layout {
  readonly width: number
  readonly height: number
  readonly corners: ReadonlyMap<string, Point>
  readonly ways: ReadonlyMap<string, readonly Point[]>
}

/** The same for the same boxes and lines. */
export async function layOut(
  boxes: readonly Box[],
  lines: readonly Line[],
  options: LayoutOptions,
): Promise<Layout> {
  const graph: ElkNode = {
    id: "root",
    layoutOptions: {
      "elk.algorithm": "layered",
      "elk.edgeRouting": "ORTHOGONAL",
      "elk.layered.considerModelOrder.strategy": "NODES_AND_EDGES",
      "elk.randomSeed": "1",
      "elk.padding": "[top=0,left=0,bottom=0,right=0]",
      ...options,
    },
    children: boxes.map(nodeOf),
    edges: lines.map(({ id, from, to }) => ({ id, sources: [from], targets: [to] })),
  }
  const laid = await new elk.default().layout<ElkNode>(graph)
  return {
    width: laid.width ?? 0,
    height: laid.height ?? 0,
    corners: new Map((laid.children ?? []).map(({ id, x, y }) => [id, { x: x ?? 0, y: y ?? 0 }])),
    ways: new Map(
      (laid.edges ?? []).map(({ id, sections }) => {
        const { startPoint, bendPoints, endPoint } = present(sections?.[0], `${id} has no way`)
        return [id, [startPoint, ...(bendPoints ?? []), endPoint]]
      }),
    ),
  }
}

function nodeOf({ id, width, height, ports }: Box): ElkNode {
  if (!ports) return { id, width, height }
  return {
    id,
    width,
    height,
    layoutOptions: { "elk.portConstraints": "FIXED_POS" },
    ports: ports.map(
      (port): ElkPort => ({
        id: port.id,
        x: port.side === "WEST" ? 0 : width,
        y: port.y,
        width: 0,
        height: 0,
        layoutOptions: { "elk.port.side": port.side },
      }),
    ),
  }
}
