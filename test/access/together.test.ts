// An update asks its rule of the record as it was, too: `together` says where it may move a record, beside a rule of who may
// (docs/guide/permissions.md).
import assert from "node:assert/strict"
import { test } from "node:test"
import {
  f,
  many,
  one,
  type RuleDeclaration,
  resource,
  service,
  signedIn,
  together,
  viewer,
} from "../../src/index.ts"
import { loadService } from "../../src/plan/access/policies.ts"
import { ruleNotes } from "../../src/plan/analysis/warnings.ts"
import { openCode } from "../code/open.ts"
import { dialects } from "../support/open-service.ts"

const me = { id: { eq: viewer.id } }
const ownerOf = { organisation: { memberships: { some: { person: me, level: { eq: "owner" } } } } }

const club = (update: RuleDeclaration) =>
  service({
    name: "club",
    viewer: "person",
    resources: {
      person: resource({ id: "per", fields: { name: f.text() }, allow: { read: signedIn } }),
      organisation: resource({
        id: "org",
        fields: { name: f.text() },
        relations: { memberships: many("membership", { by: "organisation" }) },
        allow: { read: signedIn, create: signedIn },
      }),
      membership: resource({
        id: "mem",
        fields: { level: f.oneOf(["owner", "member"]) },
        relations: { organisation: one("organisation"), person: one("person") },
        allow: { read: signedIn, update },
      }),
    },
  })

const alone = club({ and: [together("organisation"), { person: me }] })
const beside = club([ownerOf, together("organisation")])

test("check names rules of update that need what is made together", () => {
  const noted = (of: typeof alone) =>
    ruleNotes(loadService(of)).flatMap(({ place, what }) =>
      what.startsWith("no rule of update can hold") ? [place.join(".")] : [],
    )
  assert.deepEqual(noted(alone), ["resources.membership.allow.update"])
  assert.deepEqual(noted(beside), [])
  assert.deepEqual(noted(club({ not: together("organisation") })), [])
})

for (const database of dialects)
  for (const [name, of, owners] of [
    ["alone", alone, 403],
    ["beside a rule of who may", beside, 200],
  ] as const)
    test(`an update with together ${name}, ${database}`, async (context) => {
      const opened = await openCode(context, of, database)
      const { person: [ann = "", ben = ""] = [] } = await opened.add({
        person: [{ name: "Ann" }, { name: "Ben" }],
      })
      const { organisation: [a = "", b = ""] = [] } = await opened.add({
        organisation: [{ name: "A" }, { name: "B" }],
      })
      const { membership: [hers = "", his = ""] = [] } = await opened.add({
        membership: [
          { level: "owner", organisationId: a, personId: ann },
          { level: "member", organisationId: a, personId: ben },
        ],
      })
      const move = async (person: string, id: string, body: object): Promise<number> =>
        (await opened.as(`person:${person}`).rest("PATCH", `/memberships/${id}`, body)).status
      const made = { organisation: { create: { name: "C" } } }
      assert.equal(await move(ben, his, made), 403, "he was no owner")
      assert.equal(await move(ann, his, { organisationId: b }), 403, "she owns no B")
      assert.equal(await move(ann, his, made), owners)
      assert.equal(await move(ann, hers, made), owners)
      assert.deepEqual(opened.faults, [])
    })
