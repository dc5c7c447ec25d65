// Services with own operations, beside whose code stands what it comes to, over plain records: the storefront.
import type { Random } from "../../examples/storefront/random.ts"
import type { Entry, Store, Who } from "../support/naive-access.ts"
import type { DeclaredAction } from "../support/naive-actions.ts"
import type { Change } from "./changes.ts"
import { type Guarded, guardedStorefront } from "./guarded.ts"
import { draw } from "./small-service.ts"

/** What the code of an operation comes to. */
interface Effect {
  /** One after the other, each as a request of its own would be. */
  readonly changes: readonly Change[]
  /** The code refuses. */
  readonly declines?: boolean
  /** @param after the records as they are then */
  readonly gives?: (after: Store) => Entry
}

interface Called {
  readonly service: Guarded
  /** As the code is lent it. */
  readonly who: Who
  readonly store: Store
  readonly input: Entry
  /** Of an action. */
  readonly row?: Entry
}

export interface OwnAction extends DeclaredAction {
  readonly input: readonly string[]
  readonly output: readonly string[]
  /** Something to give with it. */
  inputFor(random: Random, store: Store): Entry
  effect(called: Called): Effect
}

export interface WithActions extends Guarded {
  readonly actions: readonly OwnAction[]
}

export type Spelled = Pick<OwnAction, "inputFor" | "effect">

/** What the code says where it refuses. */
export const declines = [
  "There is no such coupon.",
  "This coupon is used up.",
  "This order has a coupon already.",
]

export function storefrontWithActions(): WithActions {
  const service = guardedStorefront()
  return withActions(service, {
    "order.applyCoupon": {
      inputFor: (random, store) => ({
        code: random.oneIn(6) ? "none" : draw(random, store.records["coupon"] ?? [])["code"],
      }),
      effect({ store, input: { code }, row = {} }) {
        const coupon = store.records["coupon"]?.find((one) => one["code"] === code)
        if (!coupon || coupon["left"] === 0 || row["discount"] !== null)
          return { changes: [], declines: true }
        const discount = ((Number(row["total"]) * Number(coupon["percent"])) / 100).toFixed(2)
        const id = String(row["id"])
        const left = Number(coupon["left"]) - 1
        return {
          changes: [
            { kind: "update", resource: "coupon", id: String(coupon["id"]), given: { left } },
            { kind: "update", resource: "order", id, given: { discount } },
          ],
          gives: (after) => ({
            discount,
            due: after.records["order"]?.find((one) => one["id"] === id)?.["due"],
          }),
        }
      },
    },
  })
}

/** What is declared of them, with what is said of their code here. */
export function withActions(service: Guarded, spelled: Readonly<Record<string, Spelled>>): WithActions {
  const { actions = {}, operations = {} } = service.declaration.code ?? {}
  const all = [
    ...Object.entries(actions).flatMap(([resource, own]) =>
      Object.entries(own).map(([name, action]) => ({ path: `${resource}.${name}`, resource, name, action })),
    ),
    ...Object.entries(operations).map(([name, action]) => ({ path: name, name, action })),
  ]
  return {
    ...service,
    actions: all.map(({ path, action, ...named }): OwnAction => {
      const { [path]: said } = spelled
      if (!said) throw new Error(`it is not said what ${path} does`)
      const { allow, as, input = {}, output = {} } = action
      return {
        ...named,
        ...said,
        ...(allow !== undefined && { allow }),
        ...(as && { as }),
        input: Object.keys(input),
        output: Object.keys(output),
      }
    }),
  }
}
