// Spellings of parameters: those of docs/reference/rest.md ("Spellings"), of URLSearchParams and of Python's urlencode.
// Those of packages are in test/clients/spellings.
import assert from "node:assert/strict"
import { after, before, describe, test } from "node:test"
import fc from "fast-check"
import { f, many, one, resource, service } from "../../src/model/declaration/service.ts"
import { planRequest } from "../../src/rest/read/plan.ts"
import { cleanUp } from "../support/database.ts"
import { inPlace } from "../support/described.ts"
import { loadOpen } from "../support/everybody.ts"
import { dialects, exampleRecords, type OpenService, openExample } from "../support/open-service.ts"
import { answerTo, canonical, flat, type Parameters, questions } from "../support/spellings.ts"
import { cursors } from "./kiosk.ts"

const { model } = exampleRecords("storefront")
const context = { model, cursors }

const planOf = (path: string, query: string) =>
  planRequest(context, { method: "GET", path, query, body: new Uint8Array() })

const serialisers: Readonly<Record<string, (parameters: Parameters) => string>> = {
  URLSearchParams: (parameters) =>
    String(
      new URLSearchParams(
        flat(parameters).flatMap(([name, texts]) => texts.map((text): [string, string] => [name, text])),
      ),
    ),
  /** `urllib.parse.urlencode(…, doseq=True)`, and `requests` with lists in `params`. */
  python: (parameters) =>
    flat(parameters)
      .flatMap(([name, texts]) => texts.map((text) => [name, text].map(quotePlus).join("=")))
      .join("&"),
  "by hand": (parameters) =>
    flat(parameters)
      .flatMap(([name, texts]) => texts.map((text) => `${name}=${encodeURIComponent(text)}`))
      .join("&"),
}

const quotePlus = (text: string): string =>
  encodeURIComponent(text)
    .replaceAll(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll("%20", "+")

test("serialisers that repeat names ask what the canonical spelling asks", () => {
  fc.assert(
    fc.property(questions, ({ path, parameters }) => {
      const plan = planOf(path, canonical(parameters))
      for (const [name, serialise] of Object.entries(serialisers)) {
        const query = serialise(parameters)
        assert.deepEqual(planOf(path, query), plan, `${name}: ${query}`)
      }
    }),
    { numRuns: 500 },
  )
})

/** Each line: spellings of one question. */
const equal: readonly (readonly [string, ...string[]])[] = [
  [
    "filter[status][in]=paid,shipped",
    "filter[status][in]=paid&filter[status][in]=shipped",
    "filter[status][in][]=paid&filter[status][in][]=shipped",
    "filter[status][in][0]=paid&filter[status][in][1]=shipped",
    "filter[status][in][1]=shipped&filter[status][in][0]=paid",
    "filter.status.in=paid,shipped",
    "filter.status.in[0]=paid&filter.status.in[1]=shipped",
    "filter.status.in.0=paid&filter.status.in.1=shipped",
    "filter%5Bstatus%5D%5Bin%5D%5B%5D=paid&filter%5Bstatus%5D%5Bin%5D%5B%5D=shipped",
    'filter={"status":{"in":["paid","shipped"]}}',
  ],
  [
    "filter[customer.email][endsWith]=@example.org",
    "filter[customer][email][endsWith]=@example.org",
    "filter.customer.email.endsWith=@example.org",
    'filter={"customer":{"email":{"endsWith":"@example.org"}}}',
  ],
  [
    "filter[customer.name]=x",
    "filter[customer][name]=x",
    "filter[customer][name][eq]=x",
    "filter.customer.name=x",
  ],
  [
    "filter[lines.some.quantity][gte]=4&filter[lines.some.product.name][contains]=tea",
    "filter[lines][some][quantity][gte]=4&filter[lines][some][product][name][contains]=tea",
    "filter[lines.some][quantity][gte]=4&filter[lines][some][product.name][contains]=tea",
  ],
  [
    'filter={"or":[{"status":{"eq":"paid"},"total":{"gte":"10"}},{"not":{"number":{"in":["a"]}}}]}',
    "filter[or][0][status]=paid&filter[or][0][total][gte]=10&filter[or][1][not][number][in][]=a",
    "filter[or][1][not][number][in]=a&filter[or][0][total][gte]=10&filter[or][0][status][eq]=paid",
    "filter.or[0].status=paid&filter.or[0].total.gte=10&filter.or[1].not.number.in[0]=a",
    "filter[or.0.status]=paid&filter[or.0.total][gte]=10&filter[or.1.not.number][in]=a",
  ],
  [
    "filter[number][in]=a\\,b,c\\\\",
    "filter[number][in]=a\\,b&filter[number][in]=c\\\\",
    "filter[number][in][]=a,b&filter[number][in][]=c\\",
    "filter[number][in][0]=a,b&filter[number][in][1]=c\\",
  ],
  ["filter[number][in]=", "filter[number][in][]", 'filter={"number":{"in":[]}}'],
  ["filter[number][in][]=", "filter[number][in][0]=", 'filter={"number":{"in":[""]}}'],
  [
    "fields=number,total",
    "fields=number&fields=total",
    "fields[]=number&fields[]=total",
    "fields[1]=total&fields[0]=number",
    "fields.0=number&fields.1=total",
  ],
  [
    "sort=-total,number",
    "sort=-total&sort=number",
    "sort[]=-total&sort[]=number",
    "sort[0]=-total&sort[1]=number",
  ],
  [
    "aggregate=count,sum.total&groupBy=status,customerId",
    "aggregate=count&aggregate=sum.total&groupBy=status&groupBy=customerId",
    "aggregate[]=count&aggregate[]=sum.total&groupBy[]=status&groupBy[]=customerId",
    "aggregate[0]=count&aggregate[1]=sum.total&groupBy[0]=status&groupBy[1]=customerId",
  ],
  [
    "include=customer,lines.product&include[lines][limit]=2&include[lines.product][fields]=name,price&include[lines][filter][quantity][in]=1,2",
    "include=customer&include=lines.product&include[lines][limit]=2&include[lines][product][fields]=name&include[lines][product][fields]=price&include[lines][filter][quantity][in][]=1&include[lines][filter][quantity][in][]=2",
    'include[]=customer&include[]=lines.product&include.lines.limit=2&include.lines.product.fields[0]=name&include.lines.product.fields[1]=price&include[lines][filter]={"quantity":{"in":[1,2]}}',
    "include[0]=customer&include[1]=lines.product&include[lines][limit]=2&include[lines.product][fields][]=name&include[lines.product][fields][]=price&include.lines.filter.quantity.in=1,2",
  ],
]

/** As a browser sends it; what is encoded already stays as it is. */
const encoded = (query: string): string => encodeURI(query).replaceAll("%25", "%")

for (const [first, ...others] of equal)
  test(`${first} has ${others.length} other spellings`, () => {
    const plan = planOf("/orders", encoded(first))
    for (const other of others) assert.deepEqual(planOf("/orders", encoded(other)), plan, other)
  })

test("the records of ids, and types of events, are lists like others", () => {
  const plan = planOf("/nodes", "ids=ord_1,cus_2")
  for (const query of ["ids=ord_1&ids=cus_2", "ids[]=ord_1&ids[]=cus_2", "ids[0]=ord_1&ids[1]=cus_2"])
    assert.deepEqual(planOf("/nodes", query), plan, query)
})

test("members and relations that are named like operators and parameters", () => {
  const named = loadOpen(
    service({
      name: "named",
      resources: {
        thing: resource({
          id: "thg",
          fields: { search: f.text(), in: f.text(), fields: f.text() },
          relations: { owner: one("thing"), filter: one("thing"), parts: many("thing", { by: "owner" }) },
        }),
      },
    }),
  )
  const ask = (query: string) =>
    planRequest({ model: named, cursors }, { method: "GET", path: "/things", query, body: new Uint8Array() })
  const meant: readonly (readonly [string, string])[] = [
    ["filter[search]=x", '{"search":{"eq":"x"}}'],
    ["filter[search][search]=x", '{"search":{"search":"x"}}'],
    ["filter[in][in][in][]=x", "refused"],
    ["filter[in][in][]=x", '{"in":{"in":["x"]}}'],
    ["filter[owner][search][eq]=x", '{"owner":{"search":{"eq":"x"}}}'],
    ["filter[owner.search]=x", '{"owner":{"search":{"eq":"x"}}}'],
    ["filter[owner.search][search]=x", '{"owner":{"search":{"search":"x"}}}'],
    ["filter[owner][search]=x", "refused"],
    ["filter[or][0][search]=x", '{"or":[{"search":{"eq":"x"}}]}'],
    ["filter[not][in]=x", '{"not":{"in":{"eq":"x"}}}'],
    ["filter[parts][some][in][in]=x,y", '{"parts":{"some":{"in":{"in":["x","y"]}}}}'],
  ]
  for (const [query, json] of meant)
    if (json === "refused") assert.throws(() => ask(query), query)
    else assert.deepEqual(ask(query), ask(`filter=${json}`), query)
  const ofIncluded = ask("include=owner.filter.filter&include[owner.filter.filter][fields]=search")
  assert.deepEqual(
    ask("include=owner.filter.filter&include.owner.fields=in&include[owner.filter.filter][fields]=search"),
    ask(
      "include[]=owner.filter.filter&include[owner][fields][0]=in&include[owner.filter.filter][fields][]=search",
    ),
  )
  assert.notDeepEqual(ofIncluded, ask("include=owner.filter.filter"))
  assert.throws(() => ask("include=owner.filter&include[owner][filter][fields]=search"), /asked of lists/)
})

/** Refused queries, the parameter of the problem, and names in its message. */
const refused: readonly (readonly [query: string, parameter: string, ...names: string[]])[] = [
  [
    'filter={"status":{"eq":"paid"}}&filter[total][gte]=1',
    "filter[total][gte]",
    "filter",
    "filter[total][gte]",
  ],
  ["filter.total.gte=1&filter={}", "filter", "filter.total.gte", "filter"],
  [
    "include=lines&include[lines][filter]={}&include[lines][filter][quantity]=1",
    "include[lines][filter][quantity]",
    "include[lines][filter]",
    "include[lines][filter][quantity]",
  ],
  ["filter={}&filter={}", "filter", "filter is given more than once"],
  ["fields=number&fields[]=total", "fields", "fields", "fields[]"],
  ["fields[]=number&fields[1]=total", "fields[]", "fields[]", "fields[1]"],
  ["sort=number&sort[0]=total", "sort", "sort", "sort[0]"],
  ["aggregate=count&aggregate[]=sum.total", "aggregate", "aggregate[]"],
  ["groupBy[]=status&groupBy=customerId&aggregate=count", "groupBy[]", "groupBy"],
  ["include=lines&include[]=customer", "include", "include[]"],
  ["filter[status][in]=paid&filter.status.in=shipped", "filter[status][in]", "filter.status.in"],
  ["filter[status][in]=paid&filter[status][in][]=shipped", "filter[status][in]", "filter[status][in][]"],
  [
    "include=lines.product&include[lines.product][fields]=name&include[lines][product][fields]=price",
    "include[lines.product][fields]",
    "include[lines][product][fields]",
  ],
  ["fields=number,total&fields=status", "fields", "number,total"],
  ["filter[status][in]=paid,shipped&filter[status][in]=placed", "filter[status][in]", "paid,shipped", "[]"],
  ["fields[]=number,total", "fields[]", "number,total"],
  ["fields[0]=number&fields[0]=total", "fields[0]", "fields[0] is given more than once"],
  ["fields[0]=number&fields[2]=total", "fields[0]", "fields has no item 1, and has fields[2]"],
  ["fields[999999999]=number", "fields[999999999]", "fields has no item 0"],
  ["filter[number][in][4294967296]=a", "filter[number][in][4294967296]", "no item 0"],
  [
    "filter[or][0][status]=paid&filter[or][999999999][status]=placed",
    "filter[or][0][status]",
    "no condition 1, and has 999999999",
  ],
  ["filter[or][1][status]=paid", "filter[or][1][status]", "no condition 0"],
  ["filter[or][][status]=paid", "filter[or][][status]", "is not a filter"],
  ["filter[or][status]=paid", "filter[or][status]", "`or` is a list of conditions"],
  ["filter[or][0][status]=paid&filter[or][x]=1", "filter[or][0][status]", "`or` is a list of conditions"],
  ["filter[or]=paid", "filter[or]", "is not a filter"],
  ["filter[or][0]=paid", "filter[or][0]", "is not a filter"],
  ["filter[]=x", "filter[]", "is not a filter"],
  ["filter[status][]=paid&filter[status][]=shipped", "filter[status][]", "given more than once"],
  ["filter[status]=paid&filter[status]=shipped", "filter[status]", "given more than once"],
  ["filter[status][0]=paid", "filter[status][0]", "filter[status] takes one value"],
  ["filter[status]=paid&filter.status.eq=shipped", "filter[status]", "also as filter.status.eq"],
  [
    "filter[status.eq]=paid&filter[status]=shipped",
    "filter[status]",
    "filter[status] and filter[status.eq] contradict",
  ],
  [
    "filter[status]=paid&filter[status.eq]=shipped",
    "filter[status.eq]",
    "filter[status.eq] and filter[status] contradict",
  ],
  ["limit[]=5", "limit[]", "limit takes one value"],
  ["limit=5&limit[0]=6", "limit", "also as limit[0]"],
  ["after=a&after=b", "after", "given more than once"],
  ["fields[x]=number", "fields[x]", "is not a parameter"],
  ["fields[]", "fields[]", "cannot be"],
  ["filter[number]x=1", "filter[number]x", "is not the name"],
  ["filter..number=1", "filter..number", "is not the name"],
  ["filter[a[b]]=1", "filter[a[b]]", "is not the name"],
  ["filter[__proto__][polluted]=1", "filter[__proto__][polluted]", "__proto__"],
  ["filter[constructor][prototype][eq]=1", "filter[constructor][prototype][eq]", "constructor"],
  ["filter[or][__proto__][status]=paid", "filter[or][__proto__][status]", "`or` is a list"],
  ["filter[status][__proto__][]=paid", "filter[status][__proto__][]", "takes one value"],
  ["__proto__[polluted]=1", "__proto__[polluted]", "is not a parameter"],
  ["fields[__proto__]=1", "fields[__proto__]", "is not a parameter"],
  [`filter${"[not]".repeat(130)}[status]=paid`, `filter${"[not]".repeat(130)}[status]`, "limit `steps`"],
  [`filter[${"not.".repeat(5_000)}status]=paid`, `filter[${"not.".repeat(5_000)}status]`, "limit `steps`"],
  [`filter${"[not]".repeat(100)}[status]=paid`, `filter${"[not]".repeat(100)}[status]`, "limit `depth`"],
]

for (const database of dialects)
  describe(`spellings on ${database}`, () => {
    let shop: OpenService
    const hooks = cleanUp(after)
    before(async () => {
      shop = await openExample(hooks, "storefront", database)
    })

    test("the answer to each spelling is that of the canonical one", async () => {
      await fc.assert(
        fc.asyncProperty(questions, async ({ path, parameters }) => {
          const expected = await answerTo(shop, path, canonical(parameters))
          assert.equal(expected.status, 200, expected.body)
          for (const [name, serialise] of Object.entries(serialisers))
            assert.deepEqual(await answerTo(shop, path, serialise(parameters)), expected, name)
        }),
        { numRuns: 40 },
      )
      for (const spellings of equal) {
        const [expected, ...others] = await Promise.all(
          spellings.map((query) => answerTo(shop, "/orders", encoded(query))),
        )
        assert.equal(expected?.status, 200, spellings[0])
        for (const other of others) assert.deepEqual(other, expected)
      }
    })

    test("contradictions are refused, with the names of both", async () => {
      for (const [query, parameter, ...names] of refused) {
        const response = await shop.rest({ method: "GET", path: "/orders", query: encodeURI(query) })
        assert.equal(response.status, 400, `${query} ${response.body}`)
        const [error, ...others] = JSON.parse(response.body).errors
        assert.deepEqual([others, error.parameter], [[], parameter], query)
        for (const name of names)
          assert.ok(`${error.detail} ${error.hint}`.includes(name), `${query}: ${error.detail}`)
      }
      assert.equal(Object.hasOwn(Object.prototype, "polluted"), false)
    })

    test("links lead on with the question as it was spelt", async () => {
      const spelt = "fields[]=number&fields[]=status&filter.status.in[0]=paid&filter[status][in][1]=shipped"
      assert.equal((await answerTo(shop, "/orders", spelt)).status, 400)
      const query =
        "fields%5B%5D=number&fields[]=status&filter[or][0][status]=paid&filter[or][1][status]=shipped&sort=-total&sort=number&limit=2"
      const first = await shop.rest({ method: "GET", path: "/orders", query })
      assert.equal(first.status, 200, first.body)
      const next = /<\/orders\?([^>]*)>; rel="next"/.exec(String(first.headers["link"]))?.[1] ?? ""
      assert.ok(next.startsWith(`${query}&after=`), next)
      const second = await shop.rest({ method: "GET", path: "/orders", query: next })
      assert.equal(second.status, 200, second.body)
      const canonicalQuery = query.replace(
        /^.*&filter\[or\].*&limit/,
        'fields=number,status&filter={"or":[{"status":{"eq":"paid"}},{"status":{"eq":"shipped"}}]}&sort=-total,number&limit',
      )
      const four = JSON.parse(
        (await answerTo(shop, "/orders", encodeURI(canonicalQuery.replace("limit=2", "limit=4")))).body,
      )
      assert.deepEqual([...JSON.parse(first.body).data, ...JSON.parse(second.body).data], four.data)
    })

    test("lists of the OpenAPI document are taken as it describes them, and exploded", async () => {
      const document = JSON.parse((await shop.rest({ method: "GET", path: "/openapi.json", query: "" })).body)
      const typeOf = ({ $ref, type }: { readonly $ref?: string; readonly type?: string } = {}) =>
        $ref === undefined ? type : document.components.schemas[$ref.slice($ref.lastIndexOf("/") + 1)].type
      const lists = inPlace(document).paths["/orders"].get.parameters.filter(
        ({ schema }: { readonly schema?: object }) => typeOf(schema) === "array",
      )
      assert.deepEqual(
        lists.map(({ name, style, explode }: Readonly<Record<string, unknown>>) => [name, style, explode]),
        // The style of a query is `form` (OpenAPI 3.1.1 section 4.8.12.2).
        ["fields", "include", "sort", "aggregate", "groupBy"].map((name) => [name, undefined, false]),
      )
      const items: Readonly<Record<string, readonly string[]>> = {
        sort: ["-total", "number"],
        fields: ["number", "total"],
        include: ["customer", "lines"],
        aggregate: ["count", "sum.total"],
        groupBy: ["status", "customerId"],
      }
      for (const { name } of lists) {
        const rest = name === "groupBy" ? "&aggregate=count" : ""
        const of = items[name] ?? []
        const described = await answerTo(shop, "/orders", `${name}=${of.join(",")}&limit=2${rest}`)
        assert.equal(described.status, 200, described.body)
        const exploded = of.map((item) => `${name}=${item}`).join("&")
        assert.deepEqual(await answerTo(shop, "/orders", `${exploded}&limit=2${rest}`), described)
      }
    })
  })
