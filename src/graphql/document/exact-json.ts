// JSON whose numbers keep the digits that they were written with.

/** Not in TypeScript's library yet: https://tc39.es/proposal-json-parse-with-source/ */
const exact = JSON as unknown as {
  parse(text: string, revive: (key: string, value: unknown, context: { source?: string }) => unknown): unknown
  rawJSON(text: string): object
}

/** Numbers become objects that `JSON.stringify` writes as they were. */
export const parseExact = (text: string): unknown =>
  exact.parse(text, (_key, value, { source }) =>
    typeof value === "number" && source !== undefined ? exact.rawJSON(source) : value,
  )
