// `bifold check` names roles that no rule asks for, wherever in a declaration a rule may stand (docs/guide/permissions.md).
import assert from "node:assert/strict"
import { test } from "node:test"
import { action, anyone, f, operation, resource, role, service, withCode } from "../../src/index.ts"
import { withSystem } from "../../src/model/system/with-system.ts"
import { loadService } from "../../src/plan/access/policies.ts"
import { ruleNotes } from "../../src/plan/analysis/warnings.ts"

const run = async (): Promise<void> => {}

/** A service that asks for the role in one place. */
const shop = (asked: string) => {
  const at = (place: string) => (place === asked ? role("staff") : anyone)
  const declared = service({
    name: "shop",
    roles: ["staff"],
    identity: { keys: { manage: at("manage"), grant: { staff: at("grant") } } },
    resources: {
      order: resource({
        id: "ord",
        fields: { note: f.text({ optional: true, read: at("field") }) },
        states: {
          initial: "open",
          transitions: { close: { from: "open", to: "closed", allow: at("transition") } },
        },
        events: { packed: { payload: { by: f.text({ read: at("payload") }) } } },
        allow: { read: anyone, update: at("update") },
      }),
    },
  })
  return withCode(declared, {
    actions: { order: { pack: action({ allow: at("action"), run }) } },
    operations: { count: operation({ allow: at("operation"), run }) },
  })
}

const notes = (asked: string): readonly string[] =>
  ruleNotes(loadService(withSystem(shop(asked)))).flatMap(({ place, what }) =>
    place[0] === "roles" ? [what] : [],
  )

for (const place of ["update", "field", "transition", "payload", "action", "operation", "manage", "grant"])
  test(`a role that is asked for by a rule of ${place} is asked for`, () =>
    assert.deepEqual(notes(place), []))

test("a role that no rule asks for is named", () =>
  assert.deepEqual(notes("nowhere"), ['no rule asks for the role "staff"']))
