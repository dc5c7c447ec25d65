// Statements of Bifold's own, apart from any plan: of its own tables. Each is built once a dialect, and asked with values.
import { present } from "../base/invariant.ts"
import type { Value } from "../plan/read-plan.ts"
import { type ColumnType, plainText } from "./column-type.ts"
import type { Dialect } from "./dialect.ts"
import { bound, type Fragment, render } from "./fragment.ts"
import type { Bind, Parameter, Statement } from "./statement.ts"

export interface Question {
  readonly statement: Statement
  readonly parameters: readonly Parameter[]
}

/** Places of values in a statement that is being built: the question gives them. */
export interface Places<Given> {
  readonly value: (pick: (of: Given) => Value, type?: ColumnType) => Fragment
  readonly int64: (pick: (of: Given) => bigint | number | null) => Fragment
  /** Whether a text is one of several, however many. */
  readonly isIn: (text: Fragment, pick: (of: Given) => readonly string[]) => Fragment
}

/** @param example has the shape of all that the statement is asked with: which members are there, and how many elements */
type Build<Given> = (dialect: Dialect, places: Places<Given>, example: Given) => Fragment

const int64: ColumnType = { scalar: "int64", list: false, stored: "plain" }

/**
 * @param build a statement with a row of a few columns at the most
 * @param shape tells apart the statements that `build` makes, few altogether
 */
export function prepareQuestion<Given = void>(
  build: Build<Given>,
  shape: (of: Given) => string = () => "",
): (dialect: Dialect, of: Given) => Question {
  const prepared = new Map<string, Prepared<Given>>()
  return (dialect, of) => {
    const key = `${dialect.name} ${shape(of)}`
    let found = prepared.get(key)
    if (found === undefined) {
      found = prepare(dialect, build, of)
      prepared.set(key, found)
    }
    const { statement, encode } = found
    return { statement, parameters: encode.map((one) => one(of)) }
  }
}

interface Prepared<Given> {
  readonly statement: Statement
  /** In the order of the placeholders. */
  readonly encode: readonly ((of: Given) => Parameter)[]
}

function prepare<Given>(dialect: Dialect, build: Build<Given>, example: Given): Prepared<Given> {
  const encoders = new Map<Bind, (of: Given) => Parameter>()
  const place = (encode: (of: Given) => Parameter): Fragment => {
    const bind: Bind = { slot: 0, encode: () => null }
    encoders.set(bind, encode)
    return bound(bind)
  }
  const value: Places<Given>["value"] = (pick, type = plainText) =>
    dialect.parameter(
      place((of) => dialect.encode(pick(of), type)),
      type,
    )
  const places: Places<Given> = {
    value,
    int64: (pick) =>
      value((of) => {
        const number = pick(of)
        return number === null ? null : BigInt(number)
      }, int64),
    isIn: (text, pick) =>
      dialect.isIn(
        text,
        place((of) => {
          const tuples = pick(of).map((one) => [one])
          return dialect.encodeSet(tuples, [plainText])
        }),
        plainText,
      ),
  }
  const { text, binds } = render(build(dialect, places, example), dialect.placeholder)
  return {
    statement: { text, binds, columns: [0], cursors: [], flaws: false },
    encode: binds.map((bind) => present(encoders.get(bind), "a place has its value")),
  }
}
