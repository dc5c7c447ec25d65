// No document takes more steps than its size accounts for, before it is refused or planned. Steps are counted: a rule that
// compares each part with each other takes sixteen times as many for four times the size.
import assert from "node:assert/strict"
import { describe, it } from "node:test"
import { anyone, f, many, one, resource, service } from "bifold"
import {
  type DocumentNode,
  type GraphQLError,
  type GraphQLSchema,
  OverlappingFieldsCanBeMergedRule,
  parse,
  specifiedRules,
  validate,
} from "graphql"
import { checkDocument, validateDocument } from "../../src/graphql/document/document.ts"
import { mergeableFieldsRule } from "../../src/graphql/document/mergeable-fields.ts"
import { documentRules } from "../../src/graphql/document/text-variables.ts"
import { buildSchema as schemaOf } from "../../src/graphql/schema/schema.ts"
import { load } from "../../src/model/load.ts"
import { openSteps } from "../support/steps.ts"

const schemaWith = (history: boolean): GraphQLSchema =>
  schemaOf(
    load(
      service({
        name: "things",
        resources: {
          thing: resource({
            key: { column: "id", type: "integer" },
            fields: { name: f.text(), note: f.text() },
            relations: {
              parent: one("thing", { optional: true }),
              children: many("thing", { by: "parent" }),
            },
            history,
            allow: { read: anyone, create: anyone },
          }),
        },
      }),
    ),
  )
const [things, withoutHistory] = [schemaWith(true), schemaWith(false)]

const each = (count: number, make: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => make(index)).join(" ")

/** Documents of a size, each hard for another rule. */
const documents: Readonly<Record<string, (size: number) => string>> = {
  "differing arguments": (n) => `{${each(n, (i) => `things(first:${i}){nodes{id}}`)}}`,
  "differing arguments in fragments": (n) =>
    `{${each(n / 10, (i) => `...f${i}`)}}${each(n / 10, (i) => `fragment f${i} on Query{${each(8, (j) => `things(first:${8 * i + j}){nodes{id}}`)}}`)}`,
  "the same field": (n) => `{${each(n, () => "things(first:1){nodes{id}}")}}`,
  "the same fields in one another": (n) => `{things{nodes{${each(n, () => "parent{id parent{id name}}")}}}}`,
  "one alias of several fields": (n) =>
    `{things{nodes{${each(2 * n, (i) => `a:${i % 2 ? "id" : "name"}`)}}}}`,
  "inline fragments": (n) => `{things{nodes{${each(n, () => "...on Thing{id}")}}}}`,
  "impossible fragments": (n) => `{things{nodes{${each(n, () => "...on Query{__typename}")}}}}`,
  "fragments that spread all others": (n) =>
    `{...f0}${each(Math.sqrt(n), (i) => `fragment f${i} on Query{__typename ${each(Math.sqrt(n), (j) => `...f${j}`)}}`)}`,
  "fragments that spread all later ones": (n) =>
    `{...f0}${each(Math.sqrt(n), (i) => `fragment f${i} on Query{a${i}:__typename ${each(Math.sqrt(n) - i - 1, (j) => `...f${i + j + 1}`)}}`)}`,
  "a circle of fragments": (n) =>
    `{...f0}${each(n / 5, (i) => `fragment f${i} on Query{...f${(i + 1) % (n / 5)}}`)}`,
  operations: (n) => each(n, (i) => `query q${i}{things{nodes{id}}}`),
  "operations of one name": (n) => each(n, () => "query q{things{nodes{id}}}"),
  "operations without a name": (n) => each(n, () => "{things{nodes{id}}}"),
  "unknown fields": (n) => `{${each(n, (i) => `thigns${i}`)}}`,
  "long unknown fields": (n) => `{${each(60, (i) => `t${"h".repeat(n)}${i}`)}}`,
  "unknown fragments": (n) => `{${each(n, (i) => `...f${i}`)}}`,
  "unknown types": (n) => `query(${each(n, (i) => `$v${i}:Thign${i}`)}){things{nodes{id}}}`,
  "unknown arguments": (n) => `{things(${each(n, (i) => `frist${i}:1`)}){nodes{id}}}`,
  "unknown members of an input": (n) => `{things(where:{${each(n, (i) => `naem${i}:{eq:1}`)}}){nodes{id}}}`,
  "unknown directives": (n) => `{things{nodes{${each(n / 2, (i) => `a${i}:id @foo${i}`)}}}}`,
  "repeated arguments": (n) => `{things(${each(n, () => "first:1")}){nodes{id}}}`,
  "repeated variables": (n) => `query(${each(n, () => "$v:Int")}){things(first:$v){nodes{id}}}`,
  "repeated members of an input": (n) => `{things(where:{${each(n, (i) => `id:{eq:${i}}`)}}){nodes{id}}}`,
  "repeated directives": (n) => `{things{nodes{id ${each(n / 2, () => "@include(if:true)")}}}}`,
  "unused variables": (n) => `query(${each(n, (i) => `$v${i}:Int`)}){things{nodes{id}}}`,
  "undefined variables": (n) => `{${each(n / 2, (i) => `a${i}:things(first:$v${i}){nodes{id}}`)}}`,
  "values of a list": (n) => `{things(where:{id:{in:[${each(n, String)}]}}){nodes{id}}}`,
  "wrong values": (n) => `{${each(n / 2, (i) => `a${i}:things(first:"x"){nodes{id}}`)}}`,
  "conditions beside one another": (n) =>
    `{things(where:{or:[${each(n, (i) => `{id:{eq:${i}}}`)}]}){nodes{id}}}`,
  "fields without a selection": (n) => `{${each(n, (i) => `a${i}:things`)}}`,
  "selections of a scalar": (n) => `{things{nodes{${each(n, (i) => `a${i}:id{x}`)}}}}`,
  "introspection again and again": (n) => `{${each(n / 2, (i) => `a${i}:__schema{types{name}}`)}}`,
  "a long text": (n) => `{things(where:{name:{eq:"${"x".repeat(20 * n)}"}}){nodes{id}}}`,
}

/** The document of each rule that breaks it, of those above or by itself. */
const documentsOf: Readonly<Record<string, string | ((size: number) => string)>> = {
  ExecutableDefinitionsRule: (n) => `{things{nodes{id}}} ${each(n, (i) => `type T${i}{a:Int}`)}`,
  // Of a schema without subscriptions, as it is for a service without history.
  KnownOperationTypesRule: (n) => each(n / 2, (i) => `subscription s${i}{things}`),
  UniqueOperationNamesRule: "operations of one name",
  LoneAnonymousOperationRule: "operations without a name",
  SingleFieldSubscriptionsRule: (n) => `subscription{${each(n, (i) => `a${i}:thingChanges{recordId}`)}}`,
  KnownTypeNamesRule: "unknown types",
  FragmentsOnCompositeTypesRule: (n) => `{things{nodes{${each(n, () => "...on Int{id}")}}}}`,
  VariablesAreInputTypesRule: (n) => `query(${each(n, (i) => `$v${i}:Thing`)}){things{nodes{id}}}`,
  ScalarLeafsRule: "selections of a scalar",
  FieldsOnCorrectTypeRule: "unknown fields",
  UniqueFragmentNamesRule: (n) => `{...f}${each(n / 5, () => "fragment f on Query{__typename}")}`,
  KnownFragmentNamesRule: "unknown fragments",
  NoUnusedFragmentsRule: (n) =>
    `{things{nodes{id}}}${each(n / 5, (i) => `fragment f${i} on Query{__typename}`)}`,
  PossibleFragmentSpreadsRule: "impossible fragments",
  NoFragmentCyclesRule: "a circle of fragments",
  UniqueVariableNamesRule: "repeated variables",
  NoUndefinedVariablesRule: "undefined variables",
  NoUnusedVariablesRule: "unused variables",
  KnownDirectivesRule: "unknown directives",
  UniqueDirectivesPerLocationRule: "repeated directives",
  DeferStreamDirectiveOnRootFieldRule: (n) => `mutation{${each(n / 2, () => "...@defer{__typename}")}}`,
  DeferStreamDirectiveOnValidOperationsRule: (n) =>
    `subscription{thingChanges{${each(n / 2, () => "...@defer{recordId}")}}}`,
  DeferStreamDirectiveLabelRule: (n) => `{${each(n / 2, () => '...@defer(label:"a"){__typename}')}}`,
  StreamDirectiveOnListFieldRule: (n) => `{things{nodes{${each(n / 2, (i) => `a${i}:id @stream`)}}}}`,
  KnownArgumentNamesRule: "unknown arguments",
  UniqueArgumentNamesRule: "repeated arguments",
  ValuesOfCorrectTypeRule: "wrong values",
  ProvidedRequiredArgumentsRule: (n) => `{${each(n / 2, (i) => `a${i}:thing{id}`)}}`,
  VariablesInAllowedPositionRule: (n) =>
    `query($v:Boolean){${each(n / 2, (i) => `a${i}:things(first:$v){nodes{id}}`)}}`,
  OverlappingFieldsCanBeMergedRule: "differing arguments",
  UniqueInputFieldNamesRule: (n) => `{things(where:{${each(n, () => "id:{eq:1}")}}){nodes{id}}}`,
  MaxIntrospectionDepthRule: (n) =>
    `{${each(n / 20, (i) => `a${i}:__schema{types{fields{type{fields{type{fields{type{fields{name}}}}}}}}}`)}}`,
}

const all = new Map<string, (size: number) => string>(Object.entries(documents))
for (const [rule, found] of Object.entries(documentsOf)) if (typeof found !== "string") all.set(rule, found)

const documentOf = (rule: string): ((size: number) => string) | undefined => {
  const found = documentsOf[rule]
  return typeof found === "string" ? all.get(found) : found
}

/** Steps for each character of a document, at the most: graphql-js takes some 130 for most of these. */
const mostPerCharacter = 40

/** Valid but for what stands last. */
const long: Readonly<Record<string, string>> = {
  "fields that conflict": `{${each(830, (i) => `things(first:${i}){nodes{id}}`)}}`,
  "an unknown field behind them": `{${each(700, (i) => `a${i}:things(first:1){nodes{id}}`)} thigns}`,
  "an unused variable": `query($v:Int){${each(700, (i) => `a${i}:things(first:1){nodes{id}}`)}}`,
  "an undefined variable": `{${each(700, (i) => `a${i}:things(first:$v){nodes{id}}`)}}`,
  "variables of another type": `query($v:ID!){${each(600, (i) => `a${i}:things(first:$v){nodes{id}}`)}}`,
  "an unknown fragment": `{${each(600, (i) => `a${i}:things(where:{id:{eq:1}}){nodes{id}}`)} ...f}`,
  "fields of a fragment": `{...f} fragment f on Query{${each(700, (i) => `a${i}:things{nodes{id}}`)} x}`,
}

const [small, large] = [200, 800]
/** Four times the size, with room for the steps that parts of the document take together. */
const mostRatio = 5

describe("a document takes steps by its size", async () => {
  const steps = await openSteps((url) => /\/node_modules\/graphql\/|\/src\/graphql\//.test(url))
  const ratioOf = async (work: (size: number) => () => void): Promise<number> => {
    // What is made once is made before.
    for (const size of [small, large]) await steps(work(size))
    return (await steps(work(large))) / (await steps(work(small)))
  }

  for (const [name, make] of all)
    it(`with ${name}`, async () => {
      const ratio = await ratioOf((size) => {
        const text = make(size)
        return () => void checkDocument(things, text, { introspection: true, stranger: true })
      })
      assert.ok(ratio < mostRatio, `${ratio.toFixed(2)} times as many`)
    })

  for (const [name, text] of Object.entries(long))
    it(`in all, with ${name}`, async () => {
      const check = (): void => void checkDocument(things, text, { introspection: true, stranger: true })
      await steps(check)
      const each = (await steps(check)) / text.length
      assert.ok(each < mostPerCharacter, `${each.toFixed(1)} for each character`)
    })

  it("whatever rule it breaks: each has its document", () => {
    assert.deepEqual(Object.keys(documentsOf).toSorted(), specifiedRules.map(({ name }) => name).toSorted())
    for (const rule of specifiedRules) {
      const make = documentOf(rule.name)
      assert.ok(make, rule.name)
      const schema = rule.name === "KnownOperationTypesRule" ? withoutHistory : things
      assert.ok(validate(schema, parse(make(20)), [rule]).length > 0, `${rule.name} is not broken`)
    }
  })

  it("which is counted: the rule of graphql-js that compares each field with each takes far more", async () => {
    const ratio = await ratioOf((size) => {
      const document = parse(documents["inline fragments"]?.(size) ?? "")
      return () => void validate(things, document, [OverlappingFieldsCanBeMergedRule])
    })
    assert.ok(ratio > mostRatio, `${ratio.toFixed(2)} times as many`)
  })
})

/** Errors after which no more are named. */
const mostErrors = 50

/** What graphql-js says. Where fields conflict, nothing else is said. */
function refusedBy(document: DocumentNode): readonly GraphQLError[] {
  const conflicts = validate(things, document, [mergeableFieldsRule(10_000)])
  return conflicts.length > 0 ? conflicts : validate(things, document, documentRules)
}

interface Located {
  readonly message: string
  readonly locations?: GraphQLError["locations"]
}

const said = (errors: readonly Located[]): readonly Located[] =>
  errors.slice(0, mostErrors).map(({ message, locations }) => ({ message, ...(locations && { locations }) }))

describe("a document is refused as graphql-js refuses it", () => {
  for (const [name, make] of all)
    it(`with ${name}`, () => {
      const document = parse(make(20))
      assert.deepEqual(
        said(validateDocument(things, document, { introspection: true })),
        said(refusedBy(document)),
      )
    })
})
