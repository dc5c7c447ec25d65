import assert from "node:assert/strict"
import { test } from "node:test"
import { textOf } from "../../src/base/json.ts"
import { csv, json, ndjson, negotiate } from "../../src/http/accept.ts"
import { wholeBody } from "../../src/http/answer.ts"
import { unrepresentable } from "../../src/plan/placeholders.ts"
import { itemsOf, membersOf } from "../../src/rest/http/json-text.ts"
import { csvForm, type Form, ndjsonForm } from "../../src/rest/http/records.ts"
import { pageAddress, pageCursors, pageLinks } from "../../src/rest/http/respond.ts"
import { flawedAnswer } from "../../src/rest/question/problem.ts"

const chosen: readonly (readonly [accept: string | undefined, type: string | undefined])[] = [
  [undefined, "application/json"],
  ["", "application/json"],
  ["*/*", "application/json"],
  ["text/html,application/xhtml+xml,*/*;q=0.8", "application/json"],
  ["text/csv", "text/csv"],
  ["TEXT/CSV; header=present", "text/csv"],
  ["text/csv; header=absent", undefined],
  ["text/*, application/json;q=0.5", "text/csv"],
  ["application/x-ndjson, application/json;q=0.9", "application/x-ndjson"],
  ["application/json; charset=utf-8", "application/json"],
  ["application/json;q=0, */*", "text/csv"],
  ["application/json;q=2", undefined],
  ["image/png", undefined],
]

for (const [accept, type] of chosen)
  test(`Accept: ${accept} is answered by ${type ?? "nothing"}`, () => {
    assert.equal(negotiate(accept, [json, csv, ndjson])?.name, type)
  })

test("JSON text is taken apart without a change to what it holds", () => {
  const text = '{"a": 12345678901234567890, "b\\"," : [1,{"c":"],}"}] ,"d":"\\\\","e":{}}'
  assert.deepEqual(
    [...membersOf(text)].map(([name, value]) => [name, value.trim()]),
    [
      ["a", "12345678901234567890"],
      ['b",', '[1,{"c":"],}"}]'],
      ["d", '"\\\\"'],
      ["e", "{}"],
    ],
  )
  assert.deepEqual(
    [...itemsOf('[1, "a,b", [2,3], {}]')].map((item) => item.trim()),
    ["1", '"a,b"', "[2,3]", "{}"],
  )
  assert.deepEqual([...itemsOf("[ ]")], [])
  assert.deepEqual([...membersOf("{}")], [])
})

const sent = async (form: Form, list: string): Promise<string> => textOf(await wholeBody(form.pieces(list)))

test("NDJSON has one record per line, also when its JSON has line breaks", async () => {
  assert.equal(
    await sent(ndjsonForm, '{"data":[{"a":1,"b":{\n"c":2}},{"a":"x\\n"}],"page":{}}'),
    '{"a":1,"b":{ "c":2}}\n{"a":"x\\n"}\n',
  )
  assert.equal(await sent(ndjsonForm, '{"data":[],"page":{}}'), "")
})

test("CSV tells a missing value from an empty text, and keeps digits", async () => {
  const list =
    '{"data":[{"id":"a_1","n":1.10,"t":"","j":{"x":[1, 2]},"one":null},{"id":"a_2","n":null,"t":"a \\"b\\", c\\n","j":null,"one":{"n":"é"}}],"page":{}}'
  assert.equal(
    await sent(csvForm([["id"], ["n"], ["t"], ["j"], ["one", "n"]].map((path) => ({ path }))), list),
    'id,n,t,j,one.n\r\na_1,1.10,"","{""x"":[1, 2]}",\r\na_2,,"a ""b"", c\n",,é\r\n',
  )
})

test("the cursors of the outermost page are found, whatever the data hold", () => {
  const inner = '{"data":[],"page":{"next":"inner","prev":null}}'
  const text = `{"data":[{"lines":${inner},"t":"\\"page\\":{\\"next\\":\\"x\\",\\"prev\\":null"}],"page":{"next":null,"prev":"p","total":3},"groups":[{"key":{"t":"\\"page\\":{\\"next\\":"}}]}`
  assert.doesNotThrow(() => JSON.parse(text))
  assert.deepEqual(pageCursors(text), { next: null, prev: "p" })
  assert.deepEqual(pageCursors(inner), { next: "inner", prev: null })
})

test("links keep all parameters but the position, and are URI references", () => {
  const address = pageAddress("/api/orders", 'limit=2&filter={"a":"<é>"}&after=x&%66rom=end&before=y')
  assert.equal(
    pageLinks(address, { next: "n", prev: "p" }),
    [
      '</api/orders?limit=2&filter=%7B%22a%22:%22%3C%C3%A9%3E%22%7D&after=n>; rel="next"',
      '</api/orders?limit=2&filter=%7B%22a%22:%22%3C%C3%A9%3E%22%7D&before=p>; rel="prev"',
      '</api/orders?limit=2&filter=%7B%22a%22:%22%3C%C3%A9%3E%22%7D>; rel="first"',
    ].join(", "),
  )
  assert.equal(pageLinks(address, { next: null, prev: null }), undefined)
  const bare = pageAddress("/orders", "after=x")
  assert.equal(pageLinks(bare, { next: "n", prev: null }), '</orders?after=n>; rel="next"')
  assert.equal(
    pageLinks(bare, { next: null, prev: "p" }),
    '</orders?before=p>; rel="prev", </orders>; rel="first"',
  )
})

test("stored values that do not fit are named by their places, and only they", () => {
  const { problems } = flawedAnswer(
    `{"data":[{"total":${unrepresentable}},{"a/b":[1,${unrepresentable}],"t":"\\u0003"}]}`,
  )
  assert.deepEqual(
    problems.map(({ code, place }) => [code, place]),
    [
      ["unrepresentable_value", ["data", 0, "total"]],
      ["unrepresentable_value", ["data", 1, "a/b", 1]],
    ],
  )
})
