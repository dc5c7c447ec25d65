// Hooks of the small services, drawn: what each is told, refuses, sets besides and asks for by its handle, as data, and as
// the function that does so.
import { type Random, seeded } from "../../examples/storefront/random.ts"
import { Refusal } from "../../src/base/problem.ts"
import { problem } from "../../src/model/declaration/code.ts"
import type { CodeDeclaration, FieldDeclaration } from "../../src/model/declaration/declaration.ts"
import type { Entry } from "../support/naive-access.ts"
import type { Change, HookEffect, Hooked, HookName, Told } from "./changes.ts"
import { type Guarded, guarded } from "./guarded.ts"
import { draw } from "./small-service.ts"
import { declined } from "./write-doors.ts"

/** A service with hooks, what they come to, and what they have been told since this was emptied. */
export interface WithHooks extends Guarded {
  readonly hooked: Hooked
  readonly told: Told[]
}

type Ask = Extract<Change, { kind: "create" | "update" | "delete" }>
interface Asked {
  readonly change: Ask
  readonly caught: boolean
}
type Drawn = (about: Entry) => Partial<Omit<HookEffect, "asks">> & { readonly asks?: readonly Ask[] }

/** Of the record as it will be, or was when it goes; resources ask of others in this order, so that it ends. */
const refusing: Readonly<Record<string, (about: Entry) => boolean>> = {
  part: ({ size }) => size === 3,
  item: ({ amount, status }) => amount === "100.00" || status === "done",
  label: ({ featured }) => featured === true,
  person: ({ level }) => level === 5,
  team: ({ rank }) => rank === 4,
}

const asking: Readonly<Record<string, readonly ((about: Entry) => readonly Ask[])[]>> = {
  part: [
    ({ itemId }) => update("item", itemId, { note: "touched" }),
    ({ itemId }) => [
      ...update("item", itemId, { amount: "10.00" }),
      ...update("team", "team_red", { rank: 3 }),
    ],
  ],
  item: [
    ({ ownerId }) => update("person", ownerId, { level: 2 }),
    ({ teamId }) => update("team", teamId, { open: true }),
    ({ ownerId, teamId }) => [
      ...update("person", ownerId, { teamId: "team_blue" }),
      ...update("team", teamId, { rank: 2 }),
    ],
    () => [{ kind: "delete", resource: "label", id: "label_dry" }],
  ],
  label: [({ name }) => [team(`of-${name}`)], () => update("team", "team_grey", { open: false })],
  person: [
    ({ teamId }) => update("team", teamId, { rank: 1 }),
    () => [{ kind: "delete", resource: "team", id: "team_green" }],
  ],
}

const update = (resource: string, id: unknown, given: Entry): readonly Ask[] =>
  typeof id === "string" ? [{ kind: "update", resource, id, given }] : []

const team = (code: string): Ask => ({
  kind: "create",
  resource: "team",
  id: `team_${code}`,
  given: { code, open: true },
})

/** Members that a hook fills in where a record is made or changed, whatever was given. */
const filling: Readonly<Record<string, readonly Entry[]>> = {
  part: [{ size: 2 }, { remark: "filled" }],
  item: [{ note: "filled" }, { weight: "7", amount: "11.00" }, { teamId: "team_red" }, { teamId: null }],
  label: [{ featured: false }],
  person: [{ level: 1 }, { active: false, secret: "filled" }, { teamId: "team_blue" }],
  team: [{ open: true }, { rank: 2 }],
}

/** The service with hooks, and a member that only they set, which no rule looks at. */
export function smallWithHooks(service: Guarded, seed: number): WithHooks {
  const random = seeded(seed + 1)
  const effects = new Map<string, Drawn>()
  for (const resource of Object.keys(refusing))
    for (const hook of ["create", "update", "delete"] as const)
      if (!random.oneIn(4)) effects.set(`${resource}.${hook}`, drawHook(random, resource, hook))
  const catches = random.oneIn(2)
  const hooked: Hooked = ({ resource, hook, ...given }) => {
    const drawn = effects.get(`${resource}.${hook}`)
    if (!drawn) return undefined
    const { asks = [], declines = false, sets = {} } = drawn(given.new ?? given.old ?? {})
    return { asks: asks.map((change) => ({ change, caught: catches })), declines, sets }
  }
  const told: Told[] = []
  const stamp: FieldDeclaration = { scalar: "text", optional: true, readonly: true }
  const { declaration } = service
  const stamped = Object.entries(declaration.resources).map(([name, { fields, ...resource }]) => [
    name,
    { ...resource, fields: { ...fields, stamp } },
  ])
  const own = guarded(`${service.name} with hooks`, {
    declaration: {
      ...declaration,
      resources: Object.fromEntries(stamped),
      code: { before: before([...effects.keys()], hooked, told) },
    },
    people: service.people,
    records: {
      ...service.stored,
      records: new Map(
        [...service.stored.records].map(([name, rows]) => [
          name,
          rows.map((row) => ({ ...row, stamp: null })),
        ]),
      ),
    },
  })
  return { ...own, hooked, told }
}

function drawHook(random: Random, resource: string, hook: HookName): Drawn {
  const refuses = random.oneIn(3) ? refusing[resource] : undefined
  const asks = random.oneIn(2) && asking[resource] ? draw(random, asking[resource]) : undefined
  const filled = hook !== "delete" && random.oneIn(2) ? draw(random, filling[resource] ?? []) : {}
  const sets = (about: Entry): Entry => ({
    ...filled,
    stamp: `${hook} of ${about["name"] ?? about["size"] ?? about["amount"] ?? about["code"]}`,
  })
  return (about) => ({
    ...(asks && { asks: asks(about) }),
    ...(refuses && { declines: refuses(about) }),
    ...(hook !== "delete" && { sets: sets(about) }),
  })
}

interface Handle {
  create(input: object): Promise<unknown>
  update(id: string, input: object): Promise<unknown>
  delete(id: string): Promise<unknown>
}

type Call = Omit<Told, "resource" | "hook"> & { readonly db: Readonly<Record<string, Handle>> }

function before(
  names: readonly string[],
  hooked: Hooked,
  told: Told[],
): NonNullable<CodeDeclaration["before"]> {
  const hooks: Record<string, Record<string, (call: Call) => Promise<Entry | undefined>>> = {}
  for (const path of names) {
    const [resource = "", hook = ""] = path.split(".") as [string, HookName]
    hooks[resource] = {
      ...hooks[resource],
      [hook]: async ({ db, old, input, new: then }) => {
        const about = {
          resource,
          hook,
          ...(old && { old }),
          ...(input && { input }),
          ...(then && { new: then }),
        } as Told
        told.push(about)
        const effect = hooked(about)
        for (const ask of effect?.asks ?? []) await perform(db, ask as Asked)
        if (effect?.declines) throw problem("conflict", declined)
        return hook === "delete" ? undefined : effect?.sets
      },
    }
  }
  return hooks
}

async function perform(db: Call["db"], { change, caught }: Asked): Promise<void> {
  const of = db[change.resource]
  try {
    if (change.kind === "create") await of?.create(change.given)
    else if (change.kind === "update") await of?.update(change.id, change.given)
    else await of?.delete(change.id)
  } catch (error) {
    if (!caught || !(error instanceof Refusal)) throw error
  }
}
