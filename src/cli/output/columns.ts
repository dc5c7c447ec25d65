// Text in columns, whatever its letters' widths and colors.
import Table from "cli-table3"

/** Columns without lines between them. */
export function columns(rows: readonly (readonly string[])[]): string {
  const table = new Table({
    chars: borderless,
    style: { head: [], border: [], "padding-left": 0, "padding-right": 3 },
  })
  for (const row of rows) table.push([...row])
  return table
    .toString()
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n")
}

export const borderless = {
  top: "",
  "top-mid": "",
  "top-left": "",
  "top-right": "",
  bottom: "",
  "bottom-mid": "",
  "bottom-left": "",
  "bottom-right": "",
  left: "",
  "left-mid": "",
  mid: "",
  "mid-mid": "",
  right: "",
  "right-mid": "",
  middle: "",
}
