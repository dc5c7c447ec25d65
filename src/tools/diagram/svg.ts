// SVG as text: elements, and a picture that is legible on light and on dark pages.
import type { Point } from "./layout.ts"

type Attributes = Readonly<Record<string, string | number | undefined>>

/** @param content markup, or nothing */
export function element(name: string, attributes: Attributes, ...content: readonly string[]): string {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${escapeText(typeof value === "number" ? rounded(value) : `${value}`)}"`)
  const start = `<${name}${written.join("")}`
  return content.length === 0 ? `${start}/>` : `${start}>${content.join("")}</${name}>`
}

/** At most two decimals, so that a picture stays the same to the byte. */
const rounded = (value: number): string => String(Math.round(value * 100) / 100)

/** Characters that XML 1.0 section 2.2 has no way to write become a replacement character. */
export const escapeText = (text: string): string =>
  text
    .replaceAll(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, "\u{fffd}")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")

export const textAt = ({ x, y }: Point, className: string, text: string): string =>
  element("text", { class: className, x, y }, escapeText(text))

export const group = ({ x, y }: Point, content: readonly string[]): string =>
  element("g", { transform: `translate(${rounded(x)} ${rounded(y)})` }, "\n", content.join("\n"), "\n")

/** A line with round bends. */
export function lineThrough(points: readonly Point[], className: string): string {
  const parts = points.map((point, index) => {
    const before = points[index - 1]
    const after = points[index + 1]
    if (!before) return `M${spot(point)}`
    if (!after) return `L${spot(point)}`
    return `L${spot(towards(point, before))}Q${spot(point)} ${spot(towards(point, after))}`
  })
  return element("path", { class: className, d: parts.join("") })
}

export const spot = ({ x, y }: Point): string => `${rounded(x)} ${rounded(y)}`

const bend = 8

/** A little way from one point to another, at most half of it. */
function towards(from: Point, to: Point): Point {
  const length = Math.hypot(to.x - from.x, to.y - from.y)
  const part = length === 0 ? 0 : Math.min(bend, length / 2) / length
  return { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part }
}

/** Fonts that the systems have; text.ts knows the widest. */
export const fontFamily = `system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif`

export interface Picture {
  readonly width: number
  readonly height: number
  readonly title: string
  /** A description for people who cannot see the picture. */
  readonly description: string
  readonly style: string
  readonly content: readonly string[]
}

/** The picture has its own background, so that nothing depends on the page around it. */
export function picture({ width, height, title, description, style, content }: Picture): string {
  const size = { width: Math.ceil(width), height: Math.ceil(height) }
  const attributes = {
    xmlns: "http://www.w3.org/2000/svg",
    ...size,
    viewBox: `0 0 ${size.width} ${size.height}`,
    role: "img",
    "aria-labelledby": "title description",
  }
  const parts = [
    element("title", { id: "title" }, escapeText(title)),
    element("desc", { id: "description" }, escapeText(description)),
    element("style", {}, `\n${style.trim()}\n`),
    element("rect", { class: "ground", ...size, rx: 10 }),
    ...content,
  ]
  return `${element("svg", attributes, "\n", parts.join("\n"), "\n")}\n`
}
