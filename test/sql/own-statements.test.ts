// Statements of Bifold's own are built once and asked with other values: none keeps a value of the question before.
import assert from "node:assert/strict"
import { test } from "node:test"
import type { Dialect } from "../../src/sql/dialect.ts"
import { postgres } from "../../src/sql/dialects/postgres.ts"
import { sqlite } from "../../src/sql/dialects/sqlite.ts"
import type { Question } from "../../src/sql/internal-query.ts"

type Ask = (dialect: Dialect, of: unknown) => Question

const files = ["epochs", "handler-state", "log-read"] as const
const load = async (query = ""): Promise<Readonly<Record<string, unknown>>> => {
  const all = await Promise.all(files.map((file) => import(`../../src/sql/log/${file}.ts${query}`)))
  return Object.assign({}, ...all) as Record<string, unknown>
}

const places = [
  { epoch: "aaaaaaaaaa", position: 7n },
  { epoch: "bbbbbbbbbb", position: 9n },
] as const
const holdings = [
  { holder: "one", seen: places[0] },
  { holder: "two", seen: places[1] },
] as const
const records = [
  { handler: "mail", record: "order_1" },
  { handler: "bill", record: "order_2" },
] as const
const filters = [
  { resource: "order", resources: ["order"], record: "order_1", types: ["order.paid"] },
  { resource: "note", resources: ["note", "order"], record: "note_2", types: [] },
] as const

/** Two questions a statement, in which each value differs; more where it has several shapes. */
const asked: Readonly<Record<string, readonly (readonly [unknown, unknown])[]>> = {
  renameLost: [places],
  renameKept: [places],
  rowsAfter: [
    [
      { after: 1n, most: 10, filter: {} },
      { after: 2n, most: 20, filter: {} },
    ],
    [
      { after: 1n, most: 10, filter: filters[0] },
      { after: 2n, most: 20, filter: filters[1] },
    ],
  ],
  partAfter: [
    [
      { after: 1n, most: 10, filter: { types: ["a"] } },
      { after: 2n, most: 20, filter: { types: ["b", "c"] } },
    ],
    [
      { after: 1n, most: 10, filter: filters[0] },
      { after: 2n, most: 20, filter: filters[1] },
    ],
  ],
  countAfter: [
    [
      { after: 1n, filter: { resource: "order" } },
      { after: 2n, filter: { resource: "note" } },
    ],
    [
      { after: 1n, filter: { record: "order_1" } },
      { after: 2n, filter: { record: "note_2" } },
    ],
  ],
  endWith: [[1n, 2n]],
  forkAfter: [["aaaaaaaaaa", "bbbbbbbbbb"]],
  forgetRows: [
    [
      { before: "2026-01-01T00:00:00.000Z", most: 10 },
      { before: "2026-02-01T00:00:00.000Z", most: 20 },
    ],
    [
      { before: "2026-01-01T00:00:00.000Z", below: 3n, most: 10 },
      { before: "2026-02-01T00:00:00.000Z", below: 4n, most: 20 },
    ],
  ],
  addHandler: [
    [
      { handler: "mail", position: 1n },
      { handler: "bill", position: 2n },
    ],
  ],
  waitingRecords: [
    [{ handler: "mail" }, { handler: "bill" }],
    [
      { handler: "mail", asked: true },
      { handler: "bill", asked: true },
    ],
    [{ asked: true }, { asked: true }],
    [{}, {}],
  ],
  moveHandler: [
    [
      { ...holdings[0], handler: "mail", partitions: [0, 1], position: 1n },
      { ...holdings[1], handler: "bill", partitions: [2], position: 2n },
    ],
  ],
  removeHandler: [
    [
      { holder: "one", handler: "mail" },
      { holder: "two", handler: "bill" },
    ],
  ],
  removeWaiting: [
    [
      { holder: "one", handler: "mail" },
      { holder: "two", handler: "bill" },
    ],
  ],
  keepRecord: [
    [
      { ...holdings[0], ...records[0], partition: 0, position: 1n, attempts: 1, due: 5, error: "no" },
      { ...holdings[1], ...records[1], partition: 1, position: 2n, attempts: 2, due: null, error: null },
    ],
  ],
  forgetRecord: [
    [
      { ...holdings[0], ...records[0], partition: 0 },
      { ...holdings[1], ...records[1], partition: 1 },
    ],
  ],
  askFor: [
    [
      { ...records[0], asked: "retry" },
      { ...records[1], asked: "skip" },
    ],
  ],
  takeAsked: [
    [
      { ...records[0], asked: "retry" },
      { ...records[1], asked: "skip" },
    ],
  ],
  takeLeases: [
    [
      { holder: "one", partitions: [0], length: 1_000, gone: [] },
      { holder: "two", partitions: [1], length: 2_000, gone: ["three", "four"] },
    ],
    [
      { holder: "one", partitions: [0, 1, 2], length: 1_000, gone: ["three"] },
      { holder: "two", partitions: [1, 2, 3], length: 2_000, gone: [] },
    ],
  ],
  joinLeases: [
    [
      { holder: "one", length: 1_000 },
      { holder: "two", length: 2_000 },
    ],
  ],
  renewLeases: [
    [
      { holder: "one", length: 1_000 },
      { holder: "two", length: 2_000 },
    ],
  ],
  leaveLeases: [
    [{ holder: "one" }, { holder: "two" }],
    [
      { holder: "one", partitions: [0, 1] },
      { holder: "two", partitions: [2] },
    ],
  ],
}

const withoutValues = [
  ...["removeEpochs", "removeLost", "lastPosition", "somethingUnnumbered", "lockNumbering", "numberRows"],
  ...["touchLog", "firstTime", "allHandlers", "forgetAstray", "setBackAstray", "removeGone", "allLeases"],
  ...["touchHandlers"],
]
/** Parts of statements, and readers of rows. */
const noStatements = [
  ...["placeIn", "epochAt", "latestPosition", "placeParameters", "isInLog", "isLost", "endOfEpoch"],
  ...["beginEpoch", "removeBehind", "beginEpochNow", "readMark", "readLease", "numbersRows"],
]

const dialects = { sqlite, postgres } as const

test("the table has each statement of the log and of handlers", async () => {
  const found = Object.entries(await load()).flatMap(([name, one]) =>
    typeof one === "function" ? [name] : [],
  )
  assert.deepEqual(found.toSorted(), [...Object.keys(asked), ...withoutValues, ...noStatements].toSorted())
})

for (const [called, dialect] of Object.entries(dialects))
  test(`a statement that is kept has the values of its question alone, ${called}`, async () => {
    const kept = await load()
    let fresh = 0
    const ask = (from: Readonly<Record<string, unknown>>, name: string, of: unknown): Question =>
      (from[name] as Ask)(dialect, of)
    const isAsFresh = async (name: string, of: unknown): Promise<Question> => {
      const given = ask(kept, name, of)
      const built = ask(await load(`?${called}${fresh++}`), name, of)
      assert.equal(given.statement.text, built.statement.text, name)
      assert.deepEqual(given.parameters, built.parameters, name)
      assert.equal(given.statement.binds.length, given.parameters.length, name)
      return given
    }
    for (const [name, pairs] of Object.entries(asked))
      for (const [one, other] of pairs) {
        const [first, second, again] = [
          await isAsFresh(name, one),
          await isAsFresh(name, other),
          await isAsFresh(name, one),
        ]
        assert.equal(second.statement, first.statement, `${name} is built once`)
        assert.deepEqual(again, first)
        for (const [index, parameter] of first.parameters.entries())
          assert.notDeepEqual(
            second.parameters[index],
            parameter,
            `${name} has a value of the question before`,
          )
      }
    for (const name of withoutValues) {
      const given = await isAsFresh(name, undefined)
      assert.equal(ask(kept, name, undefined).statement, given.statement)
      assert.deepEqual(given.parameters, [])
    }
  })
