// Requests as people write them down in files, and the requests that are sent.

/** `GET /orders` and continued lines, as in test/cases and the documentation, to a percent-encoded address. */
export function readHttp(text: string): {
  readonly method: string
  readonly path: string
  readonly query: string
} {
  const joined = text
    .split("\n")
    .map((line) => line.trim())
    .join("")
  const [, method = "", target = ""] = /^([A-Z]+)\s?(.*)$/.exec(joined) ?? []
  // encodeURI also encodes the percent signs of what is encoded already.
  const address = encodeURI(target).replaceAll("%25", "%")
  const mark = address.indexOf("?")
  return mark < 0
    ? { method, path: address, query: "" }
    : { method, path: address.slice(0, mark), query: address.slice(mark + 1) }
}

/** A request with headers and a body, as HTTP has them; a body that is JSON says so by itself. */
export function readMessage(text: string): ReturnType<typeof readHttp> & {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
} {
  const [head = "", ...rest] = text.split(/\n\n/)
  const body = rest.join("\n\n").trim()
  const lines = head.split("\n").map((line) => line.trim())
  const isHeader = (line: string): boolean => /^[A-Za-z-]+: /.test(line)
  const headers = lines.filter(isHeader).map((line): [string, string] => {
    const mark = line.indexOf(":")
    return [line.slice(0, mark).toLowerCase(), line.slice(mark + 1).trim()]
  })
  return {
    ...readHttp(lines.filter((line) => !isHeader(line)).join("\n")),
    headers: {
      ...(body === "" ? {} : { "content-type": "application/json" }),
      ...Object.fromEntries(headers),
    },
    body: Buffer.from(body),
  }
}
