// The machines of a resource as a picture: states, and between them what leads from one to another. A transition is a
// box of its own, so that no line crosses its words and one that starts from several states is drawn once.
import { present } from "../../base/invariant.ts"
import type { Machine, Model, Resource } from "../../model/model.ts"
import { type Box, type Layout, type Line, layOut, type Point } from "./layout.ts"
import { element, fontFamily, group, lineThrough, picture, spot, textAt } from "./svg.ts"
import { type Font, type Label, labelOf, widthOf, wrap } from "./text.ts"

const fonts = {
  heading: { size: 15, bold: true },
  state: { size: 14, bold: true },
  name: { size: 13, bold: true },
  words: { size: 12 },
} as const satisfies Readonly<Record<string, Font>>

const margin = 20
/** Between machines, which stand in rows no wider than a page. */
const apart = 40
const pageWidth = 860
const dot = 14
const stateHeight = 38
const lineHeight = 16
/** Words of a transition are no wider than this, where they can be broken. */
const wordsWidth = 210

/** Throws a Refusal when the rules have mistakes. */
export async function statesSvg(
  model: Model,
  resource: Resource,
  machines: readonly Machine[],
): Promise<string> {
  const drawn: Drawn[] = []
  for (const machine of machines) drawn.push(await draw(model, resource, machine))
  const headed = machines.length > 1
  const heading = headed ? 28 : 0
  const { width, height, corners } = inRows(drawn, heading)
  const content = drawn.flatMap(({ name, marks }, index) => {
    const { x, y } = present(corners[index], `${name} has no place`)
    return [
      ...(headed ? [textAt({ x, y: y + 12 }, "heading", name)] : []),
      group({ x, y: y + heading }, marks),
    ]
  })
  const names = machines.map(({ name }) => `${resource.name}.${name}`)
  return picture({
    width,
    height,
    title: `The states of ${names.join(" and ")}`,
    description: drawn.map(({ told }) => told).join(" "),
    style,
    content,
  })
}

interface Placed {
  readonly width: number
  readonly height: number
  readonly corners: readonly Point[]
}

/** Beside one another while a page is wide enough for them, else below. */
function inRows(drawn: readonly Drawn[], heading: number): Placed {
  const corners: Point[] = []
  let [left, top, width, bottom] = [margin, margin, 0, 0]
  for (const each of drawn) {
    if (left > margin && left + each.width + margin > pageWidth) [left, top] = [margin, bottom + apart]
    corners.push({ x: left, y: top })
    width = Math.max(width, left + each.width + margin)
    bottom = Math.max(bottom, top + heading + each.height)
    left += each.width + apart
  }
  return { width, height: bottom + margin, corners }
}

interface Drawn {
  readonly name: string
  readonly width: number
  readonly height: number
  readonly marks: readonly string[]
  /** The same in words. */
  readonly told: string
}

interface Card {
  readonly label: Label
  readonly lines: readonly CardLine[]
  readonly box: Box
}

interface CardLine {
  readonly text: string
  readonly kind: "name" | "words" | "when"
}

async function draw(model: Model, resource: Resource, machine: Machine): Promise<Drawn> {
  const cards = new Map(
    [...machine.transitions.values()].map((it) => [it.name, cardOf(it.name, labelOf(model, resource, it))]),
  )
  const states = [...machine.states.keys()].map(stateBox)
  const boxes = [
    { id: "start", width: dot, height: dot },
    ...states,
    ...[...cards.values()].map(({ box }) => box),
  ]
  const layout = await layOut(boxes, linesOf(machine), {
    "elk.direction": "DOWN",
    "elk.spacing.nodeNode": "28",
    "elk.spacing.edgeNode": "18",
    "elk.spacing.edgeEdge": "14",
    "elk.layered.spacing.nodeNodeBetweenLayers": "26",
    "elk.layered.spacing.edgeNodeBetweenLayers": "14",
    "elk.layered.nodePlacement.strategy": "BRANDES_KOEPF",
    "elk.layered.nodePlacement.bk.fixedAlignment": "BALANCED",
  })
  const at = (box: Box): Point => present(layout.corners.get(box.id), `${box.id} has no place`)
  return {
    name: machine.name,
    width: layout.width,
    height: layout.height,
    marks: [
      ...linesOf(machine).flatMap(({ id, to }) => way(layout, id, !to.startsWith("transition:"))),
      ...[...cards.values()].flatMap((card) => cardMarks(card, at(card.box))),
      startMark(at({ id: "start", width: dot, height: dot })),
      ...states.flatMap((box) => stateMarks(machine, box, at(box))),
    ],
    told: tell(machine, cards),
  }
}

const stateBox = (name: string): Box => ({
  id: `state:${name}`,
  width: even(Math.max(72, widthOf(name, fonts.state) + 36)),
  height: stateHeight,
})

/** Middles at whole pixels let lines run straight. */
const even = (width: number): number => 2 * Math.ceil(width / 2)

function cardOf(name: string, label: Label): Card {
  const words = (text: string, kind: "words" | "when"): readonly CardLine[] =>
    wrap(text, fonts.words, wordsWidth).map((line) => ({ text: line, kind }))
  const lines: readonly CardLine[] = [
    ...wrap(label.name, fonts.name, wordsWidth).map((text) => ({ text, kind: "name" as const })),
    ...label.who.flatMap((text) => words(text, "words")),
    ...(label.when === undefined ? [] : words(label.when, "when")),
  ]
  const width = Math.max(
    ...lines.map(({ text, kind }) => widthOf(text, kind === "name" ? fonts.name : fonts.words)),
  )
  return {
    label,
    lines,
    box: { id: `transition:${name}`, width: even(width + 20), height: lines.length * lineHeight + 12 },
  }
}

function linesOf({ initial, transitions }: Machine): readonly Line[] {
  const through = [...transitions.values()].flatMap(({ name, from, to }): Line[] => [
    ...from.map((state) => ({ id: `${name}:${state}`, from: `state:${state}`, to: `transition:${name}` })),
    { id: `${name}>`, from: `transition:${name}`, to: `state:${to}` },
  ])
  return [{ id: ">", from: "start", to: `state:${initial}` }, ...through]
}

function way(layout: Layout, id: string, arrives: boolean): readonly string[] {
  const points = present(layout.ways.get(id), `${id} has no way`)
  return [lineThrough(points, "line"), ...(arrives ? [arrowHead(points)] : [])]
}

/** At the last of the points, in the direction of the way to it. */
function arrowHead(points: readonly Point[]): string {
  const [before, tip] = points.slice(-2) as [Point, Point]
  const length = Math.hypot(tip.x - before.x, tip.y - before.y) || 1
  const ahead = { x: (tip.x - before.x) / length, y: (tip.y - before.y) / length }
  const corner = (side: 1 | -1): Point => ({
    x: tip.x - 9 * ahead.x + side * 4.5 * ahead.y,
    y: tip.y - 9 * ahead.y - side * 4.5 * ahead.x,
  })
  return element("path", { class: "head", d: `M${spot(tip)}L${spot(corner(1))}L${spot(corner(-1))}Z` })
}

const startMark = ({ x, y }: Point): string =>
  element("circle", { class: "start", cx: x + dot / 2, cy: y + dot / 2, r: dot / 2 })

function stateMarks(
  { final, states }: Machine,
  { id, width, height }: Box,
  { x, y }: Point,
): readonly string[] {
  const name = id.slice("state:".length)
  const inner = { x: x + 4, y: y + 4, width: width - 8, height: height - 8, rx: 15 }
  const description = states.get(name)?.description
  return [
    element(
      "g",
      {},
      ...(description === undefined ? [] : [element("title", {}, description)]),
      element("rect", { class: "state", x, y, width, height, rx: 19 }),
      ...(final.includes(name) ? [element("rect", { class: "end", ...inner })] : []),
      textAt({ x: x + width / 2, y: y + height / 2 + 5 }, "name", name),
    ),
  ]
}

function cardMarks({ lines, box: { width, height } }: Card, { x, y }: Point): readonly string[] {
  return [
    element("rect", { class: "card", x, y, width, height, rx: 6 }),
    ...lines.map(({ text, kind }, index) =>
      textAt({ x: x + width / 2, y: y + 18 + index * lineHeight }, kind === "name" ? "does" : kind, text),
    ),
  ]
}

function tell(
  { name: machine, initial, final, transitions }: Machine,
  cards: ReadonlyMap<string, Card>,
): string {
  const parts = [...transitions.values()].map(({ name, from, to }) => {
    const { who, when } = present(cards.get(name), `${name} has no card`).label
    return `${name} leads from ${from.join(", ")} to ${to}, ${[...who, ...(when === undefined ? [] : [when])].join(" ")}.`
  })
  const ends = final.length === 0 ? "" : ` and ends as ${final.join(" or ")}`
  return [`${machine} begins as ${initial}${ends}.`, ...parts].join(" ")
}

const style = `
text { font-family: ${fontFamily}; text-anchor: middle }
.ground { fill: #ffffff }
.line { fill: none; stroke: #6e7781; stroke-width: 1.5 }
.head, .start { fill: #6e7781 }
.state { fill: #ddf4ff; stroke: #0969da; stroke-width: 1.5 }
.end { fill: none; stroke: #0969da; stroke-width: 1.5 }
.card { fill: #f6f8fa; stroke: #d0d7de }
.name { font-size: 14px; font-weight: 600; fill: #0a3069 }
.does { font-size: 13px; font-weight: 600; fill: #1f2328 }
.words { font-size: 12px; fill: #57606a }
.when { font-size: 12px; fill: #953800 }
.heading { font-size: 15px; font-weight: 600; fill: #1f2328; text-anchor: start }
@media (prefers-color-scheme: dark) {
  .ground { fill: #0d1117 }
  .line { stroke: #8b949e }
  .head, .start { fill: #8b949e }
  .state { fill: #0c2d4a; stroke: #388bfd }
  .end { stroke: #388bfd }
  .card { fill: #161b22; stroke: #30363d }
  .name { fill: #cae8ff }
  .does, .heading { fill: #e6edf3 }
  .words { fill: #9aa4af }
  .when { fill: #ffa657 }
}`
