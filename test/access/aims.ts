// Steps that tell a right reading of what a step may rely on from a wrong one: of several that are drawn, the first of which
// the naive interpreter says something else when it misreads it.
import type { Declared } from "../support/naive-access.ts"
import { interpret } from "../support/naive-access.ts"
import { alwaysMade } from "./broken.ts"
import type { Change, Outcome, Reason } from "./changes.ts"
import type { Person } from "./guarded.ts"
import { misreadings, transact } from "./naive-writes.ts"
import { drawOlderStep, drawStep, type Shape } from "./step-doors.ts"
import { isNatural, type StepDrawing } from "./step-nodes.ts"
import type { Door } from "./write-doors.ts"

/** Ways in which a step can be misread; `alone`: a later step of a request as if the earlier ones did nothing. */
const aims = [...misreadings, "together", "alone"] as const

type Aim = (typeof aims)[number]

/** What the steps are like on which such a reading shows. */
const shapes: Readonly<Record<Aim, readonly Shape[]>> = {
  paths: ["made", "made", "changed", "severalMade", "severalChanged", "keyed"],
  references: ["made", "changed", "severalMade", "keyed"],
  unasked: ["made", "changed", "severalMade", "keyed"],
  targets: ["severalMade", "severalMade", "made"],
  made: ["made"],
  bulk: ["severalMade"],
  parts: ["severalChanged"],
  chosen: ["made", "changed"],
  together: ["made", "changed"],
  alone: ["batch", "document"],
}

/**
 * Steps that are drawn for an aim at most: `parts` needs several records that meet different parts of a rule, `targets` a record
 * that is made and changed by one step.
 */
const mostDrawn = (aim: Aim): number => (aim === "parts" ? 64 : aim === "targets" ? 128 : 8)

const always = new WeakMap<Declared, Declared>()

/** The service in which all is made together. */
function alwaysTogether(declared: Declared): Declared {
  const known = always.get(declared) ?? { ...declared, resources: alwaysMade(declared.resources) }
  always.set(declared, known)
  return known
}

interface Aiming extends Omit<StepDrawing, "number" | "rules"> {
  readonly person: Person
  /** The number of the next step. */
  next(): number
}

/** Mostly of those that tell; the number that was given last is its own. */
export function drawAimed({ person, next, ...drawing }: Aiming): Door {
  const { random, service, store } = drawing
  const rules = interpret(service.declared, store, person)
  const drawOne = random.oneIn(4) ? drawOlderStep : drawStep
  if (random.oneIn(3)) return drawOne({ ...drawing, rules, number: next() })
  const aim = random.pick(aims)
  // Only a key that is told beforehand leads to what the same step makes.
  const suits = aim === "targets" ? { suits: isNatural } : {}
  const draw = (): Door => drawOne({ ...drawing, ...suits, rules, shapes: shapes[aim], number: next() })
  let door = draw()
  for (let drawn = 1; drawn < mostDrawn(aim) && !tells(drawing, person, { aim, door }); drawn += 1)
    door = draw()
  return door
}

function tells(
  { service: { declared }, store }: Pick<Aiming, "service" | "store">,
  person: Person,
  { aim, door }: { readonly aim: Aim; readonly door: Door },
): boolean {
  if (aim === "parts" && !door.changes.some((change) => setsWhatRuleLooksAt(declared, change))) return false
  if (aim === "targets" && !changesWhatItMakes(door.changes)) return false
  const { reasons, refusals } = transact(declared, store, person, door.changes)
  if (aim === "alone") {
    const own = stepAt(door.changes, Number(refusals[0]?.split(" ")[0] ?? 0))
    const alone = own && transact(declared, store, person, own).reasons
    return alone !== undefined && ![...reasons].some((reason) => alone.has(reason))
  }
  const isNear = [...reasons].every((reason) => reason === "forbidden" || reason === "absent")
  if (!isNear || reasons.size > 1) return false
  const misread: Outcome =
    aim === "together"
      ? transact(alwaysTogether(declared), store, person, door.changes)
      : transact(declared, store, person, door.changes, { misread: aim })
  return isOther(reasons, misread.reasons)
}

function changesWhatItMakes(changes: readonly Change[]): boolean {
  const made = new Set(changes.map((change) => (change.kind === "create" ? change.id : undefined)))
  return changes.some((change) => change.kind === "update" && made.has(change.id))
}

/** Whether its rule may look at what it sets by a relation: otherwise no part of it is settled before the step. */
function setsWhatRuleLooksAt({ resources }: Declared, change: Change): boolean {
  if (change.kind !== "update") return false
  const { relations = {}, allow } = resources[change.resource] ?? {}
  const rule = JSON.stringify(allow?.update ?? null)
  const names = Object.keys(change.given).flatMap((member): readonly string[] => {
    const relation = member.endsWith("Id") ? member.slice(0, -2) : undefined
    if (relation === undefined || !relations[relation]) return [member]
    return Object.values(resources).flatMap((other) =>
      Object.entries(other.relations ?? {}).flatMap(([name, { target, by }]) =>
        target === change.resource && by === relation ? [name] : [],
      ),
    )
  })
  return names.some((name) => rule.includes(`"${name}"`))
}

/** The changes of a later step; undefined for one of the first. */
function stepAt(changes: readonly Change[], index: number): readonly Change[] | undefined {
  const start = changes.findLastIndex(({ kind }, at) => kind === "step" && at <= index)
  const end = changes.findIndex(({ kind }, at) => kind === "step" && at > index)
  return start < 0 ? undefined : changes.slice(start + 1, end < 0 ? undefined : end)
}

const isOther = (is: ReadonlySet<Reason>, misread: ReadonlySet<Reason>): boolean =>
  is.size === 0 ? misread.size > 0 : ![...misread].some((reason) => is.has(reason))
