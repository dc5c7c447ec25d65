// Says what of a database is not served, or served otherwise.
import type { Note } from "../../model/introspection/catalog.ts"
import type { Terminal } from "../../observe/terminal/terminal.ts"
import { columns } from "./columns.ts"

export function sayNotes(terminal: Terminal, notes: readonly Note[]): void {
  if (notes.length === 0) return
  terminal.say(
    terminal.err.bold(notes.length === 1 ? "One thing to know:" : `${notes.length} things to know:`),
  )
  const rows = columns(
    notes.map(({ place, what, reason }) => [
      `  ${place.join(".")}`,
      `${what}${/^[A-Z]/.test(reason) ? "." : ":"} ${reason}`,
    ]),
  )
  for (const row of rows.split("\n")) terminal.say(row)
  terminal.say("")
}
