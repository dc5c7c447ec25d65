// A whole model as a picture: resources with their fields, and lines between the relations of two ends.
import { present } from "../base/invariant.ts"
import { match } from "../base/match.ts"
import type { Model } from "../model/model.ts"
import type { Point } from "./layout.ts"
import { element, escapeText, fontFamily, group, lineThrough, picture, spot, textAt } from "./svg.ts"
import { headHeight, inset, placeTables, rowHeight, type Table, tablesOf } from "./tables.ts"
import { type Count, type End, type Tie, tiesOf } from "./ties.ts"

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
