// Tables, as the report has them, and as markdown.
export interface Table {
  readonly title: string
  readonly head: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

export function markdown({ title, head, rows }: Table, level: number): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`
  const ruler = `|${head.map((_, index) => (index === 0 ? "---" : "--:")).join("|")}|`
  return [`${"#".repeat(level)} ${title}`, "", line(head), ruler, ...rows.map(line)].join("\n")
}

/** The section with the table's title in a document, as it is there or as the new table has it. */
export function withTable(document: string, table: Table): string {
  const section = sectionOf(document, table.title)
  const text = `${markdown(table, 2)}\n\n`
  return section === undefined ? `${document.trimEnd()}\n\n${text}` : document.replace(section, () => text)
}

/** From its heading to the next thing of its level; undefined when there is none. */
export function sectionOf(document: string, title: string): string | undefined {
  const start = document.indexOf(`## ${title}\n`)
  if (start < 0) return undefined
  const end = /\n(?=## |<!--)/.exec(document.slice(start))?.index
  return document.slice(start, end === undefined ? undefined : start + end + 1)
}
