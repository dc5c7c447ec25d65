// Cursors that were given out lately are found, and are those that would be sealed anew.
import assert from "node:assert/strict"
import { test } from "node:test"
import { rememberSigned } from "../../src/plan/draft/cursor.ts"

const counting = () => {
  let sealed = 0
  const seal = rememberSigned((scope, json) => {
    sealed += 1
    return `${scope} ${json}`
  })
  const sealedBy = (work: () => void): number => {
    const before = sealed
    work()
    return sealed - before
  }
  return { seal, sealedBy }
}

test("what is sealed twice is sealed no third time, in its own scope only", () => {
  const { seal, sealedBy } = counting()
  const times = (scope: string): number =>
    sealedBy(() => {
      for (let time = 0; time < 5; time += 1) assert.equal(seal(scope, "[1]"), `${scope} [1]`)
    })
  assert.equal(times("one"), 2)
  // The position was seen already, though in another scope.
  assert.equal(times("other"), 1)
  assert.equal(times("one"), 0)
})

test("a position that is long is not kept", () => {
  const { seal, sealedBy } = counting()
  const long = `["${"a".repeat(300)}"]`
  assert.equal(
    sealedBy(() => {
      for (let time = 0; time < 4; time += 1) seal("scope", long)
    }),
    4,
  )
})

test("however many there are, each has its own text, and only so many are kept", () => {
  const { seal, sealedBy } = counting()
  for (let index = 0; index < 12_000; index += 1)
    for (let time = 0; time < 3; time += 1) assert.equal(seal("scope", `[${index}]`), `scope [${index}]`)
  const last = sealedBy(() => seal("scope", "[11999]"))
  const first = sealedBy(() => seal("scope", "[0]"))
  assert.deepEqual([last, first], [0, 1])
})
