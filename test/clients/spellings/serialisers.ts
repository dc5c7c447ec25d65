// The serialisers of qs, axios and openapi-fetch, in all of their forms of lists: each asks the storefront what the
// canonical spelling asks, or is refused where it cannot say it.
import assert from "node:assert/strict"
import { after, before, describe, test } from "node:test"
import axios from "axios"
import fc from "fast-check"
import { createQuerySerializer } from "openapi-fetch"
import qs from "qs"
import { cleanUp } from "../../support/database.ts"
import { dialects, type OpenService, openExample } from "../../support/open-service.ts"
import {
  answerTo,
  canonical,
  flat,
  hasConnective,
  type Parameters,
  questions,
  withEscapes,
} from "../../support/spellings.ts"
import { byAxios, byOpenapiFetch, byQs } from "./recipe.ts"

interface Serialiser {
  readonly serialise: (parameters: Parameters) => string
  /** Texts are taken as they are to be read: the caller does not escape list items. */
  readonly verbatim: boolean
  /** Conditions of `and` and `or` are written with their index. */
  readonly indexed: boolean
}

const list = {
  indices: { verbatim: true, indexed: true },
  brackets: { verbatim: true, indexed: false },
  repeat: { verbatim: false, indexed: false },
  comma: { verbatim: false, indexed: false },
} as const

const ofQs = (["indices", "brackets", "repeat", "comma"] as const).flatMap((arrayFormat) =>
  [false, true].flatMap((allowDots) =>
    [false, true].map((encodeValuesOnly): readonly [string, Serialiser] => [
      `qs, ${arrayFormat}${allowDots ? ", allowDots" : ""}${encodeValuesOnly ? ", encodeValuesOnly" : ""}`,
      {
        ...list[arrayFormat],
        serialise: (parameters) => qs.stringify(parameters, { arrayFormat, allowDots, encodeValuesOnly }),
      },
    ]),
  ),
)

/** `indexes: null` and `false` are about lists at the top; axios writes indexes within objects. */
const ofAxios = ([true, false, null] as const).flatMap((indexes) =>
  [false, true].map((dots): readonly [string, Serialiser] => [
    `axios, indexes ${indexes}${dots ? ", dots" : ""}`,
    {
      verbatim: true,
      indexed: true,
      serialise: (params) => {
        const uri = axios.getUri({ url: "/", params, paramsSerializer: { indexes, dots } })
        return uri.slice(uri.indexOf("?") + 1)
      },
    },
  ]),
)

/** Objects within objects are JSON, and lists within them names in brackets. */
const serialiseFlat =
  (serialise: (parameters: Parameters) => string) =>
  ({ filter, ...others }: Parameters): string =>
    serialise({
      ...(filter !== undefined && { filter }),
      ...Object.fromEntries(flat(others).map(([name, texts]) => [name, texts.length > 1 ? texts : texts[0]])),
    } as Parameters)

const ofOpenapiFetch = [true, false].map((explode): readonly [string, Serialiser] => {
  const serialise = createQuerySerializer({ array: { style: "form", explode } })
  return [
    `openapi-fetch, explode ${explode}`,
    {
      verbatim: true,
      indexed: true,
      serialise: serialiseFlat(({ filter, ...others }) =>
        serialise({ ...(filter !== undefined && { filter: JSON.stringify(filter) }), ...others }),
      ),
    },
  ]
})

const ofRecipes: readonly (readonly [string, Serialiser])[] = [
  ["the recipe of qs", { ...list.indices, serialise: byQs }],
  [
    "the recipe of axios",
    { ...list.indices, serialise: (params) => byAxios(params).slice("/orders?".length) },
  ],
  ["the recipe of openapi-fetch", { ...list.indices, serialise: serialiseFlat(byOpenapiFetch) }],
]

const serialisers = [...ofQs, ...ofAxios, ...ofOpenapiFetch, ...ofRecipes]

/** Spellings are read before a database is asked. */
const runs = { sqlite: 30, postgres: 12 }

for (const database of dialects)
  describe(`serialisers on ${database}`, () => {
    let service: OpenService
    const hooks = cleanUp(after)
    before(async () => {
      service = await openExample(hooks, "storefront", database)
    })

    test("all of them ask what the canonical spelling asks", async () => {
      const same = new Map<string, number>()
      await fc.assert(
        fc.asyncProperty(questions, async ({ path, parameters }) => {
          const expected = await answerTo(service, path, canonical(parameters))
          assert.equal(expected.status, 200, expected.body)
          // Many of them spell a question alike.
          const answers = new Map<string, ReturnType<typeof answerTo>>()
          for (const [name, { serialise, verbatim, indexed }] of serialisers) {
            const query = serialise(verbatim ? parameters : (withEscapes(parameters) as Parameters))
            const asked = answers.get(query) ?? answerTo(service, path, query)
            answers.set(query, asked)
            const answer = await asked
            if (!indexed && hasConnective(parameters)) assert.equal(answer.status, 400, `${name}: ${query}`)
            else {
              assert.deepEqual(answer, expected, `${name}: ${query}`)
              same.set(name, (same.get(name) ?? 0) + 1)
            }
          }
        }),
        { numRuns: runs[database] },
      )
      for (const [name] of serialisers) assert.ok((same.get(name) ?? 0) > runs[database] / 4, name)
    })

    test("lists without items, and with an empty text", async () => {
      const filter = { number: { in: [] } }
      const query = qs.stringify({ filter }, { allowEmptyArrays: true, encode: false })
      assert.equal(query, "filter[number][in][]")
      const nothing = await answerTo(service, "/orders", query)
      assert.deepEqual(nothing, await answerTo(service, "/orders", canonical({ filter })))
      assert.deepEqual(JSON.parse(nothing.body).data, [])
      const empty = qs.stringify(
        { filter: { number: { notIn: [""] } } },
        { arrayFormat: "brackets", encode: false },
      )
      assert.equal(empty, "filter[number][notIn][]=")
      assert.deepEqual(
        await answerTo(service, "/orders", empty),
        await answerTo(service, "/orders", canonical({ filter: { number: { notIn: [""] } } })),
      )
    })
  })
