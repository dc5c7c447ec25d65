// Tables, as the report has them, and as markdown.
export interface Table {
  readonly title: string
  /** Paragraphs before it. */
  readonly notes?: readonly string[]
  readonly head: readonly string[]
  readonly rows: readonly (readonly string[])[]
  /** Others of the same section. */
  readonly below?: readonly Table[]
}

function markdown({ title, notes = [], head, rows, below = [] }: Table, level: number): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`
  const ruler = `|${head.map((_, index) => (index === 0 ? "---" : "--:")).join("|")}|`
  return [
    `${"#".repeat(level)} ${title}`,
    ...notes,
    [line(head), ruler, ...rows.map(line)].join("\n"),
    ...below.map((table) => markdown(table, level + 1)),
  ].join("\n\n")
}

const ownWords = "<!-- What follows is written by people and kept when the tables are written anew. -->"

/** The section with the table's title in a document: in its place, or before what people wrote. */
export function withTable(document: string, table: Table): string {
  const section = sectionOf(document, table.title)
  const text = `${markdown(table, 2)}\n\n`
  if (section !== undefined) return document.replace(section, () => text)
  return document.includes(ownWords)
    ? document.replace(ownWords, () => text + ownWords)
    : `${document.trimEnd()}\n\n${text}`
}

/** The section, from its heading to the next heading or comment; undefined when the document lacks it. */
function sectionOf(document: string, title: string): string | undefined {
  const start = `\n${document}`.indexOf(`\n## ${title}\n`)
  if (start < 0) return undefined
  const end = /\n(?=## |<!--)/.exec(document.slice(start))?.index
  return document.slice(start, end === undefined ? undefined : start + end + 1)
}
