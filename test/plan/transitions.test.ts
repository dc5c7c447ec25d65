// What is read of transitions with the rules, what each audience is left of them, and what reading one binds.
import assert from "node:assert/strict"
import { test } from "node:test"
import { Refusal } from "../../src/base/problem.ts"
import type { ServiceDeclaration, TransitionDeclaration } from "../../src/model/declaration/declaration.ts"
import { load } from "../../src/model/load.ts"
import type { Model } from "../../src/model/model.ts"
import { loadService } from "../../src/plan/access/policies.ts"
import { type Claims, openModel, stranger, visibleModelOf } from "../../src/plan/access/visible-model.ts"
import { printPlan } from "../../src/plan/analysis/print.ts"
import { printCondition, wordingOf } from "../../src/plan/analysis/print-policy.ts"
import { check } from "../../src/plan/check/check.ts"
import { costOf } from "../../src/plan/cost/cost.ts"
import { type Draft, startDraft } from "../../src/plan/draft/draft.ts"
import { resourceNamed, transitionNamed, transitionsOf } from "../../src/plan/lookup.ts"
import type { Member, TransitionMember } from "../../src/plan/read-plan.ts"
import { readTransition } from "../../src/plan/write/write-transition.ts"
import type { Write } from "../../src/plan/write-plan.ts"
import { closedModel } from "../../src/service/access-mode.ts"
import { desk } from "../services/desk.ts"

const whole = load(desk)
const cursors = { seal: () => "", open: () => undefined }

const standing = (given: Partial<Claims>): Claims => ({ ...stranger, signedIn: true, ...given })

/** By name: for which records, and what they must meet. */
const left = (model: Model, resource = "ticket"): Readonly<Record<string, string>> => {
  const found = model.resources.get(resource)
  if (!found) return {}
  return Object.fromEntries(
    transitionsOf(found).map(({ name, access }) => {
      assert.ok(access)
      const print = (condition: typeof access.allow) =>
        printCondition(wordingOf(model), resourceNamed(whole, resource), condition)
      return [name, `${print(access.allow)}; ${print(access.when)}`]
    }),
  )
}

test("an audience's model has what it may fire on some record", () => {
  assert.deepEqual(left(visibleModelOf(whole, stranger)), {})
  assert.deepEqual(left(visibleModelOf(whole, standing({ roles: ["boss"] }))), {
    close: "all; all",
    bill: 'all; cost > "0.00"',
    settle: "all; all",
  })
  assert.deepEqual(left(visibleModelOf(whole, standing({ viewer: true }))), {
    reopen: "reporter.id = viewer.id; all",
    close: 'reporter.id = viewer.id and cost = "0.00"; all',
  })
  // It sets who fires it.
  assert.equal(left(visibleModelOf(whole, standing({ roles: ["agent"] })))["start"], undefined)
  assert.equal(left(visibleModelOf(whole, standing({ roles: ["agent"], viewer: true })))["start"], "all; all")
})

test("the model of an open service keeps what a transition asks of the record", () => {
  assert.deepEqual(left(openModel(whole)), {
    solve: "all; some notes",
    reopen: "all; all",
    close: "all; all",
    bill: 'all; cost > "0.00"',
    settle: "all; all",
  })
})

/** A resource with one transition. */
const withTransition = (
  given: Partial<TransitionDeclaration>,
  more: Partial<ServiceDeclaration["resources"][string]> = {},
): ServiceDeclaration => ({
  name: "shop",
  roles: ["clerk", "guest"],
  viewer: "person",
  enums: { size: { values: ["small", "large"] } },
  resources: {
    person: { fields: { name: { scalar: "text" } }, allow: { read: { anyone: true } } },
    order: {
      fields: {
        total: { scalar: "integer" },
        secret: { scalar: "text", optional: true, read: { role: "clerk" } },
      },
      states: {
        initial: "cart",
        final: "paid",
        transitions: { pay: { from: "cart", to: "paid", ...given } },
      },
      allow: { read: { role: "clerk" }, update: { role: "clerk", total: { gt: 3 } } },
      ...more,
    },
  },
})

test("whoever may update the record may fire what says nothing of who may", () => {
  const model = visibleModelOf(load(withTransition({})), standing({ roles: ["clerk"] }))
  const found = transitionNamed(resourceNamed(model, "order"), "pay")
  assert.deepEqual(found.access?.allow, resourceNamed(model, "order").access?.update)
  const none = withTransition({}, { allow: { read: { role: "clerk" } } })
  assert.deepEqual(left(visibleModelOf(load(none), standing({ roles: ["clerk"] })), "order"), {})
})

test("in a service that is only read nothing is fired", () => {
  const closed = closedModel(load(withTransition({ allow: { role: "clerk" } })))
  assert.deepEqual(left(visibleModelOf(closed, standing({ roles: ["clerk"] })), "order"), {})
  assert.deepEqual(left(openModel(closed), "order"), {})
})

test("the enumerations of inputs are there for those who may give them", () => {
  const input = {
    size: { scalar: "oneOf", of: "size" },
    mood: { scalar: "oneOf", of: ["up", "down"] },
  } as const
  const model = load(withTransition({ input, allow: { role: "clerk" } }))
  const names = (of: Model) => [...of.enums.keys()].toSorted()
  assert.deepEqual(names(visibleModelOf(model, standing({ roles: ["clerk"] }))), [
    "OrderPayMood",
    "OrderState",
    "Size",
  ])
  assert.deepEqual(names(visibleModelOf(model, standing({ roles: ["guest"] }))), [])
})

const mistakes = (declaration: ServiceDeclaration): readonly string[] => {
  try {
    loadService(declaration)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return error.problems.map(({ place, message }) => `${place?.join(".")}: ${message}`)
  }
  return []
}

const at = "resources.order.states.transitions.pay"

test("mistakes of a transition's rules have their places", () => {
  const cases: readonly (readonly [Partial<TransitionDeclaration>, readonly string[]])[] = [
    [{ allow: { role: "clark" } }, [`${at}.allow.role: There is no role "clark".`]],
    [
      { allow: [{ role: "clerk" }, { totl: { eq: 1 } }] },
      [`${at}.allow.1.totl: \`order\` has no member "totl".`],
    ],
    [{ when: { total: { gtt: 1 } } }, [`${at}.when.total.gtt: \`total\` (integer) has no operator "gtt".`]],
    [{ when: { role: "clerk" } }, [`${at}.when: The condition of a transition cannot use the viewer.`]],
    [
      { when: { and: [{ total: { gt: 3 } }, { total: { lt: 2 } }] } },
      [`${at}.when: This rule can never hold: no \`total\` meets all that it asks.`],
    ],
    [
      { when: { state: { eq: "paid" } } },
      [`${at}.when: \`pay\` can never be fired: no \`state\` meets all that it asks.`],
    ],
    [
      { allow: { role: "guest", not: { role: "clerk" } } },
      [
        `${at}.allow: Only a visible record can be moved by \`pay\`, and no caller that this allows sees one: it asks for the role "clerk" and for the opposite.`,
      ],
    ],
  ]
  for (const [given, expected] of cases) assert.deepEqual(mistakes(withTransition(given)), expected)
})

test("several machines are told apart in the places of mistakes", () => {
  const machine = { initial: "a", transitions: { go: { from: "a", to: "b", allow: { role: "clark" } } } }
  const other = { initial: "c", transitions: { come: { from: "c", to: "d", allow: { role: "clerk" } } } }
  assert.deepEqual(mistakes(withTransition({}, { states: { first: machine, second: other } })), [
    'resources.order.states.first.transitions.go.allow.role: There is no role "clark".',
  ])
})

/** The update that is read, with what it binds. */
function read(
  declaration: ServiceDeclaration,
  given: { readonly input?: unknown; readonly match?: readonly string[] },
): { readonly draft: Draft; readonly update: Extract<Write, { readonly kind: "update" }> | undefined } {
  const model = visibleModelOf(load(declaration), standing({ roles: ["clerk"], viewer: true }))
  const resource = resourceNamed(model, "order")
  const draft = startDraft({ model, cursors })
  const by = [{ subject: { kind: "id" } as const, ...draft.bind(["1"]) }]
  const effect = readTransition(draft, resource, transitionNamed(resource, "pay"), {
    input: given.input,
    place: ["input"],
    by,
    ...(given.match && { match: given.match }),
  })
  const update = effect?.writes.find((write) => write.kind === "update")
  return { draft, update }
}

test("what was given is kept in the forms of the API, defaults as well", () => {
  const input = {
    big: { scalar: "int64" },
    price: { scalar: "decimal", precision: 8, scale: 2 },
    any: { scalar: "json" },
    tags: { scalar: "text", list: true, optional: true },
    kind: { scalar: "oneOf", of: ["x", "y"], default: "y" },
    none: { scalar: "text", optional: true },
    null: { scalar: "text", optional: true },
  } as const
  const { draft, update } = read(withTransition({ input, allow: { role: "clerk" } }), {
    input: { big: "9007199254740993", price: "1.5", any: { a: [1, null] }, tags: ["a"], null: null },
  })
  const text = draft.values[update?.fires?.input.slot ?? -1]
  assert.equal(
    text,
    '{"big":"9007199254740993","price":"1.50","any":{"a":[1,null]},"tags":["a"],"kind":"y","null":null}',
  )
  const nothing = read(withTransition({ allow: { role: "clerk" } }), {})
  assert.equal(nothing.draft.values[nothing.update?.fires?.input.slot ?? -1], null)
})

test("what is set is a value of the member as well", () => {
  const declaration = withTransition(
    { input: { code: { scalar: "text" } }, set: { code: { given: "code" } }, allow: { role: "clerk" } },
    { fields: { total: { scalar: "integer" }, code: { scalar: "text", max: 3, optional: true } } },
  )
  const { draft, update } = read(declaration, { input: { code: "long" } })
  assert.equal(update, undefined)
  assert.deepEqual(draft.problems.found, [
    {
      code: "invalid_value",
      place: ["input", "code"],
      message: "`code` must be at most 3 characters long, not 4.",
    },
  ])
})

test("a version is asked for where changes must name one", () => {
  const declaration = withTransition({ allow: { role: "clerk" } }, { versioned: "required" })
  const { draft, update } = read(declaration, {})
  assert.deepEqual(
    [update, draft.problems.found.map(({ code, place }) => [code, place])],
    [undefined, [["version_required", ["input"]]]],
  )
  assert.ok(read(declaration, { match: ["1"] }).update?.match)
})

test("what is possible is printed, and counted for each record", () => {
  const model = visibleModelOf(whole, standing({ roles: ["agent", "boss"] }))
  const resource = resourceNamed(model, "ticket")
  const said = Object.fromEntries(transitionsOf(resource).map(({ name }) => [name, JSON.stringify(name)]))
  const planned = (members: readonly TransitionMember[]) => {
    const draft = startDraft({ model, cursors })
    const rows: readonly Member[] = [
      { kind: "object", key: "in", members: [{ kind: "transitions", key: "transitions", members }] },
    ]
    return draft.finish([
      {
        kind: "list",
        key: "tickets",
        resource: "ticket",
        list: {
          order: [{ path: [], subject: { kind: "id" }, descending: false }],
          page: { direction: "forward", limit: draft.bind(20), atMost: 20 },
          members: [{ kind: "rows", key: "rows", members: members.length === 0 ? [] : rows }],
        },
      },
    ])
  }
  const plan = planned([
    { kind: "said", key: "name", of: said },
    { kind: "reasons", key: "reasons", members: [] },
    { kind: "allowed", key: "allowed" },
  ])
  assert.match(printPlan(plan), /each\n +transitions: allowed, reasons$/)
  assert.match(printPlan(planned([{ kind: "said", key: "name", of: said }])), /each\n +transitions$/)
  // `solve` looks at the notes of each ticket.
  const key = { unique: true, columns: ["id"] }
  const known = new Map([
    ["ticket", { rows: 1_000, indexes: [key] }],
    ["note", { rows: 3_000, indexes: [key, { unique: false, columns: ["ticket_id"] }] }],
  ])
  const [none, all] = [costOf(planned([]), known), costOf(plan, known)]
  assert.equal(none, 21)
  assert.ok(all >= none + 20 * 3 && (all - none) % 20 === 0, String(all))
  check(plan)
  assert.throws(() => check(planned([{ kind: "said", key: "name", of: {} }])), /something is said of/)
})
