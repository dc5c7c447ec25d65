// What is done to a request that fits: anything that somebody might send by mistake or on purpose.
import type { Random } from "./random.ts"
import type { FuzzRequest, Json } from "./request.ts"

type Mutation = (random: Random, request: FuzzRequest) => FuzzRequest

export function mutated(random: Random, request: FuzzRequest): FuzzRequest {
  let result = request
  for (let left = 1 + random.whole(3); left > 0; left -= 1) result = random.one(mutations)(random, result)
  return result
}

const nested = (levels: number): Json => {
  let value: Json = 1
  for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? [value] : { a: value }
  return value
}

/** Objects as a parser of JSON makes them: `__proto__` is a member like any other. */
const parsed = (text: string): Json => JSON.parse(text) as Json

const oddValues = (random: Random): Json =>
  random.one<() => Json>([
    () => null,
    () => random.one([true, false, 0, -0, 1, -1, 1.5, 1e308, 5e-324, 2 ** 31, 2 ** 53, 2 ** 63, -1e21]),
    () =>
      random.one([
        "",
        " ",
        "\0",
        "a\0b",
        "\ud800",
        "\udfffx",
        "null",
        "true",
        "NaN",
        "Infinity",
        "0x10",
        "1e400",
      ]),
    () =>
      random.one([
        "$r0.id",
        "$.id",
        "../..",
        "%00",
        "%",
        "\u202e",
        "ord_1",
        "__proto__",
        "constructor",
        "toString",
      ]),
    () => "9".repeat(1 + random.whole(400)),
    () => random.one(["a", "é", "😀", "%", "_", "\\"]).repeat(random.one([100, 5_000, 60_000])),
    () =>
      parsed(
        `{"${random.one(["toString", "valueOf", "constructor", "__proto__", "length", "then", "toJSON"])}": ${random.one(["1", "null", "{}", '"x"'])}}`,
      ),
    () => [],
    () => ({}),
    () => nested(random.one([5, 60, 300, 3_000])),
    () => Array.from({ length: random.one([2, 50, 300, 2_000]) }, () => random.one<Json>([1, "a", null, {}])),
    () =>
      Object.fromEntries(Array.from({ length: random.one([3, 120]) }, (_, index) => [`m${index}`, index])),
  ])()

/** Every place of a value, by the names and positions that lead to it. */
function placesOf(value: Json, most = 400): readonly (readonly (string | number)[])[] {
  const places: (readonly (string | number)[])[] = [[]]
  const waiting: { readonly value: Json; readonly at: readonly (string | number)[] }[] = [{ value, at: [] }]
  for (let next = waiting.pop(); next && places.length < most; next = waiting.pop()) {
    if (typeof next.value !== "object" || next.value === null) continue
    for (const [name, inner] of Object.entries(next.value)) {
      const at = [...next.at, name]
      places.push(at)
      waiting.push({ value: inner as Json, at })
    }
  }
  return places
}

/** With another value at a place; undefined takes it out. */
export function replacedAt(
  value: Json,
  place: readonly (string | number)[],
  by: Json | undefined,
): Json | undefined {
  const [step, ...rest] = place
  if (step === undefined) return by
  if (typeof value !== "object" || value === null) return value
  const entries = Object.entries(value).flatMap(([name, inner]): [string, Json][] => {
    if (name !== String(step)) return [[name, inner as Json]]
    const changed = replacedAt(inner as Json, rest, by)
    return changed === undefined ? [] : [[name, changed]]
  })
  if (Array.isArray(value)) return entries.map(([, inner]) => inner)
  return Object.fromEntries(entries)
}

const isJson = (body: FuzzRequest["body"]): body is Json =>
  body !== undefined && !(body instanceof Uint8Array)

const changedBody: Mutation = (random, request) => {
  if (!isJson(request.body)) return { ...request, body: oddValues(random) }
  const place = random.one(placesOf(request.body))
  return {
    ...request,
    body: replacedAt(request.body, place, random.percent(20) ? undefined : oddValues(random)),
  }
}

const addedMember: Mutation = (random, request) => {
  if (!isJson(request.body)) return request
  const objects = placesOf(request.body).filter((place) => isObject(valueAt(request.body as Json, place)))
  if (objects.length === 0) return request
  const place = random.one(objects)
  const holder = valueAt(request.body, place) as Readonly<Record<string, Json>>
  const name = random.one([
    "__proto__",
    "constructor",
    "toString",
    "id",
    "",
    "and",
    "or",
    "not",
    "some",
    "name\0",
    "a".repeat(300),
  ])
  const grown = Object.fromEntries([...Object.entries(holder), [name, oddValues(random)]])
  return { ...request, body: replacedAt(request.body, place, grown) }
}

const isObject = (value: Json | undefined): boolean =>
  typeof value === "object" && value !== null && !Array.isArray(value)

function valueAt(value: Json, place: readonly (string | number)[]): Json | undefined {
  let found: Json | undefined = value
  for (const step of place) found = (found as Readonly<Record<string, Json>> | undefined)?.[step]
  return found
}

/** Of the text as it is sent: bytes are changed, cut and doubled. */
const brokenBytes: Mutation = (random, request) => {
  if (!isJson(request.body)) return request
  const bytes = Buffer.from(JSON.stringify(request.body))
  const at = random.whole(bytes.length)
  const byte = Buffer.from([random.whole(256)])
  const pieces = random.one([
    [bytes.subarray(0, at)],
    [bytes.subarray(0, at), byte, bytes.subarray(at + 1)],
    [bytes.subarray(0, at), byte, bytes.subarray(at)],
    [bytes.subarray(0, at), bytes.subarray(Math.max(0, at - 20))],
    [Buffer.from([0xef, 0xbb, 0xbf]), bytes],
  ])
  return { ...request, body: Buffer.concat(pieces) }
}

/** A document with one of its words changed, left out or said twice. */
const brokenDocument: Mutation = (random, request) => {
  const body = request.body
  if (!isJson(body) || !isObject(body)) return brokenBytes(random, request)
  const { query } = body as Readonly<Record<string, Json>>
  if (typeof query !== "string") return changedBody(random, request)
  const tokens = query.match(/\w+|"[^"]*"|\S|\s+/g) ?? [""]
  const at = random.whole(tokens.length)
  const word = random.one([
    "",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "null",
    "$v0",
    "__typename",
    "...",
    "@skip(if: true)",
    "@include(if: $no)",
    "id",
    "1e999",
    "99999999999999999999",
    '"\\ud800"',
    '"\\u0000"',
    "fragment",
    "subscription",
    "... on Thing { id }",
    "...F",
    "#",
    "&",
    "__schema { types { name } }",
    'a: __type(name: "Thing") { fields { name } }',
    ...tokens.slice(0, 3),
    random.one(tokens),
  ])
  const changed = tokens.with(at, random.percent(50) ? word : `${tokens[at]} ${word}`)
  return { ...request, body: { ...(body as Readonly<Record<string, Json>>), query: changed.join("") } }
}

const changedQuery: Mutation = (random, request) => {
  const { query } = request
  const names = [
    "filter",
    "sort",
    "fields",
    "include",
    "limit",
    "after",
    "before",
    "from",
    "total",
    "aggregate",
    "groupBy",
    "groups",
    "ids",
  ]
  const name = random.one([
    ...names,
    "filter[id][eq]",
    "filter[]",
    "filter[name]",
    "include[parts][limit]",
    "filter[a][b][c]",
    "__proto__",
    "x",
    "",
  ])
  const odd = oddValues(random)
  const value = typeof odd === "string" ? odd : JSON.stringify(odd)
  const short = value.length > 4_000 ? value.slice(0, 4_000) : value
  const kind = random.whole(4)
  if (kind === 0 && query.length > 0) return { ...request, query: [...query, random.one(query)] }
  if (kind === 1 && query.length > 0) {
    const at = random.whole(query.length)
    return {
      ...request,
      query: query.with(at, [query[at]?.[0] ?? "", changedText(random, query[at]?.[1] ?? "")]),
    }
  }
  if (kind === 2)
    return {
      ...request,
      raw: random.one([
        "%",
        "%zz=1",
        "%ff=%fe",
        "a=%00",
        "&&&",
        "=",
        "filter=%7B",
        "filter[%ff]=1",
        "+",
        "?",
      ]),
    }
  return { ...request, query: [...query, [name, short]] }
}

function changedText(random: Random, text: string): string {
  const at = random.whole(text.length + 1)
  const character = random.one([
    "",
    "\0",
    "\ud800",
    "é",
    '"',
    "{",
    "}",
    "[",
    ",",
    "-",
    "~",
    "%",
    "A",
    "0",
    " ",
    "\\",
  ])
  return random.percent(50)
    ? text.slice(0, at) + character + text.slice(at + 1)
    : text.slice(0, at) + character + text.slice(at)
}

const changedPath: Mutation = (random, request) => {
  const segments = request.path.split("/")
  const at = random.whole(segments.length)
  const segment = random.one([
    "",
    ".",
    "..",
    "%",
    "%00",
    "%ff",
    "%2F",
    "%ED%A0%80",
    "a=b",
    "=",
    ",",
    "id=1,id=2",
    "*",
    "query",
    "batch",
    "transitions",
    "nodes",
    "viewer",
    "__proto__",
    "toString",
    "~",
    "a~b",
    "0",
    "x".repeat(2_000),
    changedText(random, segments[at] ?? "")
      .toWellFormed()
      .replaceAll(/[^!-~]|[?#]/g, "%20"),
  ])
  return { ...request, path: segments.with(at, segment).join("/") || "/" }
}

const changedHeaders: Mutation = (random, request) => {
  const { headers } = request
  const odd = random.one([
    [
      "if-match",
      random.one([
        "*",
        '""',
        '"1"',
        'W/"1"',
        "1",
        '"1", "2"',
        '"99999999999999999999"',
        '"-1"',
        "garbage",
        '"\xff"',
        ",",
      ]),
    ],
    ["if-none-match", random.one(["*", '"1"', "garbage", ""])],
    [
      "prefer",
      random.one([
        "return=minimal",
        "max-affected=0",
        "max-affected=-1",
        "max-affected=999999999",
        "count=exact,return=minimal",
        ";;,=",
        'return="minimal',
      ]),
    ],
    [
      "accept",
      random.one([
        "*/*",
        "text/html",
        "application/json;q=0",
        "text/csv",
        "application/x-ndjson",
        "garbage",
        ",",
        "application/graphql-response+json",
      ]),
    ],
    [
      "content-type",
      random.one([
        "text/plain",
        "application/json; charset=utf-16",
        "application/graphql",
        "application/merge-patch+json",
        "application/json-patch+json",
        "multipart/form-data; boundary=x",
        "garbage",
        "",
      ]),
    ],
    [
      "idempotency-key",
      random.one([
        "k",
        '"k"',
        "",
        "\u0000".slice(1),
        "x".repeat(300),
        '"unclosed',
        "é",
        "00000000-0000-4000-8000-000000000001",
      ]),
    ],
    ["range", random.one(["bytes=0-1", "items=0-", "garbage"])],
    ["content-encoding", random.one(["gzip", "identity", "br"])],
    [
      "authorization",
      random.one([
        "",
        "Bearer",
        "Bearer x.y.z",
        "Basic QQ==",
        `Bearer ${"x".repeat(9_000)}`,
        "Bearer workshop_key_1",
      ]),
    ],
    ["x-request-id", random.one(["", "x".repeat(500), "\t", "é"])],
    ["origin", random.one(["null", "http://evil.example"])],
    ["host", random.one(["", "a b", "[::1", "localhost:99999999", "x".repeat(300)])],
    ["expect", "100-continue"],
    ["access-control-request-method", "PUT"],
    ["transfer-encoding", "chunked"],
  ] as const)
  if (headers.length > 0 && random.percent(25))
    return { ...request, headers: headers.toSpliced(random.whole(headers.length), 1) }
  return { ...request, headers: [...headers.filter(([name]) => name !== odd[0] || random.percent(20)), odd] }
}

const otherMethod: Mutation = (random, request) => ({
  ...request,
  method: random.one([
    "GET",
    "POST",
    "PUT",
    "PATCH",
    "DELETE",
    "HEAD",
    "OPTIONS",
    "TRACE",
    "QUERY",
    "PROPFIND",
    "LINK",
  ]),
})

const otherPerson: Mutation = (random, request) => ({
  ...request,
  as: random.one(["anonymous", "creator", "reader", "staff"]),
})

/** Many terms where there was one: what is balanced, bounded or flat has to show it. */
const manyTerms: Mutation = (random, request) => {
  const count = random.one([60, 300, 1_500])
  const term = random.one<Json>([
    { name: { contains: "a" } },
    { id: { eq: "1" } },
    { open: { eq: true } },
    { not: { name: { eq: "a" } } },
    {},
  ])
  const condition: Json = { [random.one(["and", "or"])]: Array.from({ length: count }, () => term) }
  const { body } = request
  const place =
    isJson(body) && placesOf(body).find((at) => ["where", "filter", "v0"].includes(String(at.at(-1))))
  if (place && isJson(body)) return { ...request, body: replacedAt(body, place, condition) }
  return {
    ...request,
    query: [...request.query.filter(([name]) => name !== "filter"), ["filter", JSON.stringify(condition)]],
  }
}

const repeatedField: Mutation = (random, request) => {
  const { body } = request
  const query = isJson(body) && isObject(body) ? (body as Readonly<Record<string, Json>>)["query"] : undefined
  if (typeof query !== "string") return manyTerms(random, request)
  const open = query.indexOf(
    "{",
    query.startsWith("mutation") || query.startsWith("query") ? query.indexOf(")") : 0,
  )
  const inner = query.slice(open + 1, query.lastIndexOf("}"))
  const field = inner.replace(/^\s*\w+:/, "")
  const repeated = Array.from({ length: random.one([2, 20, 120]) }, (_, index) => `r${index}: ${field}`).join(
    " ",
  )
  const text = `${query.slice(0, open + 1)} ${repeated} }`
  return { ...request, body: { ...(body as Readonly<Record<string, Json>>), query: text } }
}

const mutations: readonly Mutation[] = [
  changedBody,
  changedBody,
  changedBody,
  addedMember,
  brokenBytes,
  brokenDocument,
  brokenDocument,
  changedQuery,
  changedQuery,
  changedPath,
  changedHeaders,
  changedHeaders,
  otherMethod,
  otherPerson,
  manyTerms,
  repeatedField,
]
