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
