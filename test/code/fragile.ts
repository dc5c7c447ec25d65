// A service whose own code goes wrong outside of what it promises, in the way that it is told: by the input of an action, the
// note that a hook sees, the number that a field is computed of, the number of an order that a handler is told of.
import { EventEmitter } from "node:events"
import { appendFileSync, existsSync } from "node:fs"
import { setTimeout as wait } from "node:timers/promises"
import { isMainThread } from "node:worker_threads"
import {
  action,
  anyone,
  computed,
  f,
  handler,
  hook,
  operation,
  resource,
  service,
  withCode,
} from "../../src/index.ts"

// As long as the file is there, what is served cannot be run in a thread.
if (!isMainThread && existsSync("spoilt")) throw new Error("The module is spoilt.")

const never = (): Promise<void> => new Promise(() => {})

const turn = Promise.withResolvers<void>()

const wrongs: Readonly<Record<string, () => unknown>> = {
  timer: () => {
    setTimeout(() => {
      throw new Error("of a timer")
    }, 5)
    return never()
  },
  emitter: () => {
    const emitter = new EventEmitter()
    setImmediate(() => emitter.emit("error", new Error("of an emitter")))
    return never()
  },
  floating: () => void Promise.reject(new Error("of a promise")),
  exit: () => process.exit(3),
  /** When the code has returned. */
  late: () => {
    setTimeout(() => {
      throw new Error("when all was done")
    }, 100)
  },
  loop: () => {
    appendFileSync("looping", "x")
    // Never gives its thread back, and leaves the processor to others.
    const cell = new Int32Array(new SharedArrayBuffer(4))
    for (;;) Atomics.wait(cell, 0, 0, 1)
  },
  /** In the course of a neighbour, which resolves what it waits for. */
  handed: async () => {
    await turn.promise
    return wrongs["loop"]?.()
  },
  memory: () => {
    const all: number[][] = []
    // In a few great steps: there is a deadline.
    for (;;) all.push(new Array<number>(2_000_000).fill(all.length))
  },
}

const goWrong = async (text: string | null | undefined): Promise<void> => {
  await wrongs[text?.replace(/^bad /, "") ?? ""]?.()
}

/** Says by a file that it has begun, each time by a line with its process, and waits until another one is there. */
const until = async (name: string): Promise<void> => {
  appendFileSync(`${name}-begun`, `${process.pid}\n`)
  while (!existsSync(`${name}-end`)) {
    await wait(20)
    turn.resolve()
  }
}

const plain = service({
  name: "fragile",
  resources: {
    order: resource({
      id: "ord",
      fields: { number: f.text(), note: f.text({ optional: true }) },
      allow: { read: anyone, create: anyone, update: anyone },
    }),
    /** Its handler has little time, which the others do not have to share. */
    spin: resource({
      id: "spn",
      fields: { number: f.text() },
      allow: { read: anyone, create: anyone },
    }),
  },
})

export const fragile = withCode(plain, {
  actions: {
    order: {
      wreck: action({
        input: { how: f.text() },
        output: { said: f.text() },
        allow: anyone,
        deadline: 60_000,
        async run({ input, record, db }) {
          await db.order.update(record.id, { note: "it was written" })
          await goWrong(input.how)
          return { said: input.how }
        },
      }),
      spin: action({
        input: { how: f.text() },
        allow: anyone,
        deadline: 3_000,
        run: ({ input }) => goWrong(input.how),
      }),
    },
  },
  operations: {
    linger: operation({
      allow: anyone,
      deadline: 60_000,
      input: { name: f.text() },
      output: { said: f.text() },
      async run({ input: { name } }) {
        await until(name)
        return { said: "It went well." }
      },
    }),
  },
  before: { order: { update: hook({ run: ({ input }) => goWrong(input.note).then(() => undefined) }) } },
  computed: {
    order: {
      loud: computed({
        type: f.text(),
        needs: ["number"],
        async run(orders) {
          for (const { number } of orders) if (number.startsWith("bad ")) await goWrong(number)
          return orders.map(({ number }) => number.toUpperCase())
        },
      }),
    },
  },
  on: {
    "order.created": [
      handler({
        name: "print",
        retries: 1,
        // A thread of its own may take seconds to begin.
        timeout: 60_000,
        async run({ record }) {
          if (/^(bad|slow) /.test(record?.number ?? "")) return
          appendFileSync("prints", `${record?.number} ${process.pid}\n`)
          await goWrong(record?.number)
          appendFileSync("printed", `${record?.number}\n`)
        },
      }),
      handler({
        name: "linger",
        retries: 0,
        timeout: 120_000,
        async run({ record }) {
          if (!record?.number.startsWith("slow ")) return
          await until(record.number)
          appendFileSync("printed", `${record.number}\n`)
        },
      }),
    ],
    "spin.created": handler({
      name: "spin",
      retries: 1,
      timeout: 4_000,
      run({ record }) {
        appendFileSync("prints", `${record?.number} ${process.pid}\n`)
        return goWrong(record?.number)
      },
    }),
  },
})
