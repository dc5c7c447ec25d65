// The guard of a step of many writes looks at each of them as often as at one of few: what it does, and what it adds, grows as
// they do.
import assert from "node:assert/strict"
import { test } from "node:test"
import { actorFromText } from "../../src/access/identity/actor-text.ts"
import { f, many, one, resource, service, signedIn, viewer } from "../../src/index.ts"
import { withSystem } from "../../src/model/system/with-system.ts"
import { loadService } from "../../src/plan/access/policies.ts"
import { createCursors } from "../../src/plan/draft/cursor.ts"
import { startDraft } from "../../src/plan/draft/draft.ts"
import { guard } from "../../src/plan/guard/guard.ts"
import { readUpdate } from "../../src/plan/write/write.ts"
import type { Write, WritePlan } from "../../src/plan/write-plan.ts"

const owned = { org: { members: { some: { level: { eq: "owner" }, person: { id: { eq: viewer.id } } } } } }
const open = { read: signedIn, update: signedIn }
const club = service({
  name: "club",
  viewer: "person",
  resources: {
    person: resource({ fields: { name: f.text() }, allow: { read: { name: { ne: "hidden" } } } }),
    org: resource({
      fields: { name: f.text() },
      relations: { members: many("membership", { by: "org" }) },
      allow: open,
    }),
    membership: resource({
      fields: { level: f.text() },
      relations: { org: one("org"), person: one("person") },
      allow: { read: signedIn, create: owned, update: { level: { ne: "root" }, ...owned } },
    }),
  },
})
const actor = actorFromText(loadService(withSystem(club)), "person:1")
const id = "01m8fp4emcevpa99dz7v43cgk4"

function planOf(members: unknown): WritePlan {
  const draft = startDraft({ model: actor.model, cursors: createCursors("a secret of the tests") })
  const org = actor.model.resources.get("org")
  assert.ok(org)
  const by = [{ subject: { kind: "id" }, slot: draft.bind([id]).slot }] as const
  const effect = readUpdate(draft, org, { input: { members }, place: [], absent: "keep", by })
  assert.deepEqual(draft.problems.found, [])
  assert.ok(effect)
  const answer = { kind: "constant", key: "a", json: "null" } as const
  return draft.finishWrite([{ writes: effect.writes, answer, reads: "after" }])
}

/** How often a write's kind is asked, and how long what is written then is as text. */
function workOf(members: unknown): readonly [asked: number, length: number] {
  const { steps, ...plan } = planOf(members)
  let asked = 0
  const ask = (write: Write) => () => {
    asked += 1
    return write.kind
  }
  const counted = steps.map((step) => ({
    ...step,
    writes: step.writes.map((write) =>
      Object.defineProperty({ ...write }, "kind", { enumerable: true, get: ask(write) }),
    ),
  }))
  const guarded = guard({ ...plan, steps: counted }, actor)
  const asks = asked
  assert.ok("steps" in guarded)
  return [asks, JSON.stringify(guarded.steps).length]
}

const cases = {
  create: (count: number) =>
    Array.from({ length: count }, () => ({ level: "member", personId: `person_${id}` })),
  update: (count: number) =>
    Array.from({ length: count }, () => ({ id: `membership_${id}`, input: { level: "member" } })),
}

for (const [name, listed] of Object.entries(cases))
  test(`twice as many nested writes are twice the work: ${name}`, () => {
    const [few, many] = [50, 100].map((count) => workOf({ [name]: listed(count) }))
    assert.ok(few && many)
    for (const [index, amount] of many.entries()) {
      const before = few[index] ?? 0
      assert.ok(amount < before * 2.3, `${["asked", "length"][index]}: ${before}, then ${amount}`)
    }
  })
