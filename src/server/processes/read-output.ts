// Lines of a stream of text, which need not end.
import type { Readable } from "node:stream"

/** Characters after which a line is told without its end. */
const longest = 8_192

/** Lines without anything to read are left out. */
export function readOutput(stream: Readable, tell: (line: string) => void): void {
  let rest = ""
  const tellAny = (line: string): void => {
    if (line.trim() !== "") tell(line)
  }
  stream.setEncoding("utf8")
  stream.on("data", (text: string) => {
    const lines = (rest + text).split("\n")
    rest = lines.pop() ?? ""
    for (const line of lines) tellAny(line)
    if (rest.length < longest) return
    tellAny(rest)
    rest = ""
  })
  stream.on("end", () => tellAny(rest))
}
