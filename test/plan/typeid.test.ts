// The ids that Bifold makes: against the vectors of the TypeID specification, and in their order.
import assert from "node:assert/strict"
import { test } from "node:test"
import { createIds, typeidSuffix } from "../../src/plan/values/typeid.ts"

/** https://github.com/jetify-com/typeid/blob/main/spec/valid.yml */
const vectors: readonly (readonly [string, string])[] = [
  ["00000000-0000-0000-0000-000000000000", "00000000000000000000000000"],
  ["00000000-0000-0000-0000-000000000001", "00000000000000000000000001"],
  ["00000000-0000-0000-0000-00000000000a", "0000000000000000000000000a"],
  ["00000000-0000-0000-0000-000000000010", "0000000000000000000000000g"],
  ["00000000-0000-0000-0000-000000000020", "00000000000000000000000010"],
  ["ffffffff-ffff-ffff-ffff-ffffffffffff", "7zzzzzzzzzzzzzzzzzzzzzzzzz"],
  ["0110c853-1d09-52d8-d73e-1194e95b5f19", "0123456789abcdefghjkmnpqrs"],
  ["01890a5d-ac96-774b-bcce-b302099a8057", "01h455vb4pex5vsknk084sn02q"],
]

const bits = (uuid: string): bigint => BigInt(`0x${uuid.replaceAll("-", "")}`)

function uuidOf(suffix: string): string {
  let value = 0n
  for (const letter of suffix)
    value = value * 32n + BigInt("0123456789abcdefghjkmnpqrstvwxyz".indexOf(letter))
  return value
    .toString(16)
    .padStart(32, "0")
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-")
}

const momentOf = (suffix: string): number => Number.parseInt(uuidOf(suffix).replace("-", "").slice(0, 12), 16)

test("the suffixes of the TypeID specification", () => {
  for (const [uuid, suffix] of vectors) assert.equal(typeidSuffix(bits(uuid)), suffix)
})

test("an id is a UUID of version 7 of the clock's moment and the bytes of chance", () => {
  // The 74 bits of chance of the specification's own example: 74b and 3cceb302099a8057.
  const chance = ((0x74bn << 62n) | 0x3cce_b302_099a_8057n).toString(16).padStart(20, "0")
  const ids = createIds(
    () => Buffer.from(chance, "hex"),
    () => 0x01890a5dac96,
  )
  assert.equal(ids(), "01h455vb4pex5vsknk084sn02q")
  for (let count = 0; count < 1_000; count += 1)
    assert.match(
      uuidOf(createIds()()),
      /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    )
  assert.ok(Math.abs(momentOf(createIds()()) - Date.now()) < 5_000)
})

const isRising = (ids: readonly string[]): boolean =>
  ids.every((id, index) => index === 0 || id > (ids[index - 1] ?? ""))

test("100,000 ids of one process rise, and none is given twice", () => {
  const next = createIds()
  const ids = Array.from({ length: 100_000 }, next)
  assert.ok(isRising(ids))
  assert.equal(new Set(ids).size, ids.length)
})

test("ids rise while the clock stands still, goes back and goes on", () => {
  const moments = [5_000, 5_000, 5_000, 4_000, 0, 4_999, 5_001, 5_000, 9_000]
  const next = createIds(undefined, () => moments.shift() ?? 9_000)
  const ids = Array.from({ length: 12 }, next)
  assert.ok(isRising(ids), ids.join())
  assert.deepEqual(ids.map(momentOf), [...Array(6).fill(5_000), 5_001, 5_001, ...Array(4).fill(9_000)])
})

test("when a millisecond's chance is used up, the next millisecond is taken in advance", () => {
  const next = createIds(
    (bytes) => new Uint8Array(bytes).fill(0xff),
    () => 7,
  )
  const ids = Array.from({ length: 3 }, next)
  assert.ok(isRising(ids), ids.join())
  assert.deepEqual(ids.map(momentOf), [7, 8, 9])
})

test("the next id cannot be told from the last", () => {
  const next = createIds(undefined, () => 7)
  const ids = Array.from({ length: 50 }, () => bits(uuidOf(next())))
  const steps = new Set(ids.map((id, index) => id - (ids[index - 1] ?? 0n)))
  assert.equal(steps.size, ids.length)
})
