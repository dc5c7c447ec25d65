// A record that is changed by an operation was there before it, whatever its rules look at: none that the same operation makes,
// also where its key can be told beforehand (docs/guide/permissions.md).
import assert from "node:assert/strict"
import { test } from "node:test"
import { f, many, one, type RuleDeclaration, resource, service, signedIn, viewer } from "../../src/index.ts"
import { openCode } from "../code/open.ts"
import { dialects } from "../support/open-service.ts"

const me = { id: { eq: viewer.id } }

const club = (update: RuleDeclaration) =>
  service({
    name: "club",
    viewer: "person",
    resources: {
      person: resource({ id: "per", fields: { name: f.text() }, allow: { read: signedIn } }),
      unit: resource({
        key: ["code"],
        fields: { code: f.slug({ immutable: true }) },
        relations: {
          parent: one("unit", { optional: true }),
          lead: one("person"),
          children: many("unit", { by: "parent" }),
        },
        allow: { read: signedIn, create: signedIn, update },
      }),
    },
  })

const rules: Readonly<Record<string, RuleDeclaration>> = {
  "no record": signedIn,
  "the record": { lead: me },
  "its children": { children: { none: {} } },
  "its parent": [{ parent: { lead: me } }, { lead: me }],
}

for (const database of dialects)
  for (const [name, update] of Object.entries(rules))
    test(`a link leads to what was there, where the rule of update looks at ${name}, ${database}`, async (context) => {
      const opened = await openCode(context, club(update), database)
      const { person: [leadId = ""] = [] } = await opened.add({ person: [{ name: "Ann" }] })
      await opened.add({ unit: [{ code: "there", leadId }] })
      const asAnn = opened.as(`person:${leadId}`)
      const ask = async (...body: readonly object[]): Promise<string> => {
        const units = body.map((one) => ({ leadId, ...one }))
        const answer = await asAnn.rest<{ code?: string }>("POST", "/units", units)
        return `${answer.status} ${answer.body.code ?? ""}`
      }
      const link = (...ids: readonly string[]) => ({ children: { link: ids } })
      const missing = "422 missing_reference"
      assert.equal(await ask({ code: "a" }, { code: "b", ...link("unit_a") }), missing, "beside it")
      assert.equal(await ask({ code: "a", ...link("unit_b") }, { code: "b" }), missing, "after it")
      assert.equal(await ask({ code: "a", ...link("unit_a") }), missing, "itself")
      assert.equal(await ask({ code: "a", ...link("unit_none") }), missing, "absent")
      assert.equal(await ask({ code: "a" }, { code: "b", parentId: "unit_a" }), "201 ", "a reference may")
      assert.equal(await ask({ code: "c", ...link("unit_there") }), "201 ")
      assert.deepEqual(opened.faults, [])
    })
