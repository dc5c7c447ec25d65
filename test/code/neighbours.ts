// A service whose own code keeps its thread for itself, in the course of a neighbour that has done nothing but resolve a promise.
import { setTimeout as sleep } from "node:timers/promises"
import { anyone, f, operation, resource, service, withCode } from "../../src/index.ts"

/** Resolved by the neighbour, in its own course. */
let turn = Promise.withResolvers<void>()

const spin = (): never => {
  for (;;) Math.random()
}

const plain = service({
  name: "neighbours",
  resources: { item: resource({ id: "itm", fields: { name: f.text() }, allow: { read: anyone } }) },
})

export const neighbours = withCode(plain, {
  operations: {
    ready: operation({ allow: anyone, deadline: 60_000, run: () => {} }),
    spin: operation({
      allow: anyone,
      deadline: 5_000,
      async run() {
        await turn.promise
        return spin()
      },
    }),
    hand: operation({
      allow: anyone,
      // Over before the thread is taken for stuck for good.
      deadline: 2_000,
      async run() {
        await sleep(100)
        turn.resolve()
        turn = Promise.withResolvers()
        await sleep(100_000)
      },
    }),
  },
})
