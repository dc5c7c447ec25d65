// The forms that a statement for PostgreSQL has, by what is known of its rows and values, give the same.
import assert from "node:assert/strict"
import { after, before, describe, test } from "node:test"
import { planQuery } from "../../src/graphql/planning/plan.ts"
import { compile } from "../../src/sql/read/compile.ts"
import { caseNames, placeCursors, readCase } from "../support/cases.ts"
import { cleanUp } from "../support/database.ts"
import { type OpenService, openExample } from "../support/open-service.ts"
import { parametersOf } from "../support/reading.ts"

describe("what is usual, what is prompt and what is slow is answered alike", () => {
  const open = new Map<string, OpenService>()
  const hooks = cleanUp(after)
  const forms = ["prompt", "usual", "slow"] as const
  /** Of each statement, how many forms of it are of another text. */
  const different: number[] = []
  before(async () => {
    for (const service of ["storefront", "gallery"] as const)
      open.set(service, await openExample(hooks, service, "postgres"))
  })

  for (const found of caseNames.map(readCase)) {
    const { graphql } = found
    if (!graphql || found.as !== undefined) continue
    test(found.name.replaceAll("-", " "), async () => {
      const service = open.get(found.service)
      assert.ok(service)
      const { context, storage } = service
      const plan = planQuery(context, { ...graphql, query: await placeCursors(graphql.query, service) })
      const statements = forms.map((form) => compile(plan, storage.dialects[form]))
      different.push(new Set(statements.map(({ text }) => text)).size)
      const answers = await Promise.all(
        statements.map(
          (statement) => statement.text && storage.read(statement, parametersOf(plan, statement.binds)),
        ),
      )
      const [prompt] = answers
      assert.deepEqual(answers, [prompt, prompt, prompt])
    })
  }

  test("many of them have several forms", () =>
    assert.ok(different.filter((count) => count > 1).length >= 30, `${different}`))
})
