// Own operations of the small services, for random people: code that asks for all that it can by its handle, and what
// that comes to.
import { type Random, seeded } from "../../examples/storefront/random.ts"
import { Refusal } from "../../src/base/problem.ts"
import type { ActionDeclaration, FieldDeclaration } from "../../src/model/declaration/declaration.ts"
import { load } from "../../src/model/load.ts"
import type { RuleDeclaration, RuleObject } from "../../src/model/policy-declaration.ts"
import { rulesOf } from "../../src/plan/access/policies.ts"
import type { Entry, Store } from "../support/naive-access.ts"
import type { Change } from "./changes.ts"
import { type Guarded, guarded } from "./guarded.ts"
import { type Spelled, type WithActions, withActions } from "./own-actions.ts"
import { drawRule } from "./small-models.ts"
import { draw } from "./small-service.ts"
import { tell, told } from "./telling.ts"

const text = { scalar: "text" } as const
const idIn = (random: Random, store: Store, resource: string): string =>
  String(draw(random, store.records[resource] ?? [])["id"])

/** The parts of a call that the code of the small services looks at. */
interface Call {
  readonly db: Readonly<Record<string, Handle>>
  readonly record: { readonly id: string }
  readonly input: Readonly<Record<string, string>>
}

interface Handle {
  create(input: object): Promise<unknown>
  update(id: string, input: object): Promise<unknown>
  delete(id: string): Promise<unknown>
  fire(id: string, transition: string, input?: object): Promise<unknown>
}

interface SmallAction extends Spelled {
  readonly input?: Readonly<Record<string, FieldDeclaration>>
  readonly output?: Readonly<Record<string, FieldDeclaration>>
  readonly run: (call: never) => unknown
}

const other = (resource: string) => (random: Random, store: Store) => ({
  other: idIn(random, store, resource),
})
const update = (resource: string, id: unknown, given: Entry): Change => ({
  kind: "update",
  resource,
  id: String(id),
  given,
})

const looks: SmallAction = {
  input: { other: text },
  output: { told: { scalar: "json" } },
  run: tell,
  inputFor: other("person"),
  effect: (called) => ({ changes: [], gives: () => ({ told: told(called.service, called.who, called) }) }),
}

/** By `resource.name`; operations of the service by their name. */
const small: Readonly<Record<string, SmallAction>> = {
  "item.look": looks,
  "item.remark": {
    input: { other: text },
    async run({ db, record, input }: Call) {
      await db["item"]?.update(String(input["other"]), { note: "seen" })
      await db["item"]?.update(record.id, { amount: "7.00" })
    },
    inputFor: other("item"),
    effect: ({ input, row }) => ({
      changes: [
        update("item", input["other"], { note: "seen" }),
        update("item", row?.["id"], { amount: "7.00" }),
      ],
    }),
  },
  "item.drop": {
    input: { other: text },
    run: async ({ db, input }: Call) => void (await db["part"]?.delete(String(input["other"]))),
    inputFor: other("part"),
    effect: ({ input }) => ({ changes: [{ kind: "delete", resource: "part", id: String(input["other"]) }] }),
  },
  "item.close": {
    input: { other: text },
    run: async ({ db, input }: Call) =>
      void (await db["item"]?.fire(String(input["other"]), "finish", { hint: "done" })),
    inputFor: other("item"),
    effect: ({ input }) => ({
      changes: [
        {
          kind: "fire",
          resource: "item",
          ids: [String(input["other"])],
          transition: "finish",
          given: { hint: "done" },
        },
      ],
    }),
  },
  "person.promote": {
    run: async ({ db, record }: Call) => void (await db["person"]?.update(record.id, { level: 5 })),
    inputFor: () => ({}),
    effect: ({ row }) => ({ changes: [update("person", row?.["id"], { level: 5 })] }),
  },
  survey: looks,
  open: {
    input: { other: text },
    run: async ({ db, input }: Call) =>
      void (await db["team"]?.update(String(input["other"]), { open: true })),
    inputFor: other("team"),
    effect: ({ input }) => ({ changes: [update("team", input["other"], { open: true })] }),
  },
  addLabel: {
    input: { name: text },
    run: async ({ db, input }: Call) =>
      void (await db["label"]?.create({ name: input["name"], featured: true })),
    inputFor: (random) => ({ name: draw(random, ["big", "new", "newer"]) }),
    effect: ({ input: { name } }) => ({
      changes: [{ kind: "create", resource: "label", id: `label_${name}`, given: { name, featured: true } }],
    }),
  },
}

/** The service with own operations for random people, some of which are lent a role or a scope. */
export function smallWithActions(service: Guarded, seed: number): WithActions {
  const random = seeded(seed)
  for (let attempt = 0; attempt < 1_000; attempt += 1) {
    const declaration = { ...service.declaration, code: drawCode(random) }
    try {
      rulesOf(load(declaration))
      return withActions(
        guarded(service.name, { declaration, people: service.people, records: service.stored }),
        small,
      )
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
    }
  }
  throw new Error("no rules were accepted")
}

function drawCode(random: Random) {
  const actions: Record<string, Record<string, ActionDeclaration>> = {}
  const operations: Record<string, ActionDeclaration> = {}
  for (const [path, { input = {}, output = {}, run }] of Object.entries(small)) {
    const [name = "", resource] = path.split(".").reverse()
    const own = { input, output, run, ...drawLoan(random), ...drawAllow(random, resource) }
    if (resource === undefined) operations[name] = own
    else actions[resource] = { ...actions[resource], [name]: own }
  }
  return { actions, operations }
}

function drawLoan(random: Random): Pick<ActionDeclaration, "as"> {
  const kind = random.between(0, 5)
  if (kind === 0) return { as: { roles: [random.pick(["chief", "clerk"])] } }
  return kind === 1 ? { as: { scopes: ["reports"] } } : {}
}

function drawAllow(random: Random, resource: string | undefined): { readonly allow?: RuleDeclaration } {
  if (random.oneIn(12)) return {}
  if (resource === undefined) {
    const some = (): RuleObject =>
      draw<RuleObject>(random, [
        { role: "chief" },
        { role: "clerk" },
        { scope: "reports" },
        { signedIn: true },
        { not: { role: "clerk" } },
        { and: [{ signedIn: true }, { not: { scope: "reports" } }] },
      ])
    return { allow: [some(), some()] }
  }
  const rule = drawRule(random, resource, 2, false)
  return { allow: random.oneIn(2) ? [rule, { role: "chief" }] : [rule, drawRule(random, resource, 1, false)] }
}
