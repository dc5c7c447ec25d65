// Actors in words: what they name, and every mistake in them.
import assert from "node:assert/strict"
import { test } from "node:test"
import { f, load, resource, service } from "bifold"
import { actorFromText, readActorText } from "../../src/access/identity/actor-text.ts"
import { Refusal } from "../../src/base/problem.ts"

const model = load(
  service({
    name: "shop",
    roles: ["staff", "warehouse"],
    scopes: ["catalogue"],
    viewer: "customer",
    resources: {
      customer: resource({
        id: "cus",
        key: ["code"],
        fields: { code: f.text({ immutable: true }) },
        allow: { read: { anyone: true } },
      }),
    },
  }),
)

test("an actor is a record, roles and scopes", () => {
  const read = readActorText(model, "customer:cus_a%2Bb+role:warehouse+role:staff+scope:catalogue+role:staff")
  assert.deepEqual(read, {
    name: 'as:["cus_a+b",["staff","warehouse"],["catalogue"]]',
    label: "customer:cus_a%2Bb+role:warehouse+role:staff+scope:catalogue+role:staff",
    viewer: "cus_a+b",
    roles: ["warehouse", "staff"],
    scopes: ["catalogue"],
  })
  assert.deepEqual(readActorText(model, "signedIn"), {
    name: "as:[null,[],[]]",
    label: "signedIn",
    roles: [],
    scopes: [],
  })
  assert.equal(readActorText(model, "anyone"), undefined)
  const actor = actorFromText(model, "customer:a+role:staff")
  assert.deepEqual([actor.key, actor.model.audience?.roles], [["a"], ["staff"]])
  assert.deepEqual(
    [actorFromText(model, "anyone").name, actorFromText(model, "signedIn").model.audience?.signedIn],
    ["", true],
  )
})

for (const [text, messages] of [
  ["", ['"" says nothing about who it is.']],
  ["staff", ['"staff" says nothing about who it is.']],
  ["role:staf+scope:cat", ['There is no role "staf".', 'There is no scope "cat".']],
  ["role:", ['There is no role "".']],
  ["customer:", ['"" is no id of a customer.']],
  ["order:ord_1", ['"order:ord_1" says nothing about who it is.']],
  ["anyone+role:staff", ["`anyone` is an anonymous actor, without roles or scopes."]],
  ["customer:a+customer:b", ['"customer:a+customer:b" is two records at once.']],
  ["role:staff+", ['"" says nothing about who it is.']],
] as const)
  test(`${JSON.stringify(text)} is refused`, () => {
    assert.throws(
      () => readActorText(model, text),
      (error: unknown) => {
        assert.ok(error instanceof Refusal)
        assert.deepEqual(
          error.problems.map(({ code, message }) => [code, message]),
          messages.map((message) => ["invalid_command", message]),
        )
        return true
      },
    )
  })
