// Three resources of the same columns: what only transitions change, the same without states but with a history, and
// neither. The same UPDATE is asked of each.
import { f, resource, service } from "bifold"

const fields = {
  title: f.text({ max: 100 }),
  priority: f.integer({ min: 0 }),
  startedAt: f.timestamp({ optional: true }),
}
const steps = ["waiting", "running", "done"] as const
const key = { column: "id", type: "integer" } as const

export default service({
  name: "stateful",
  resources: {
    job: resource({
      key,
      fields,
      states: {
        initial: "waiting",
        final: "done",
        transitions: {
          // From either, so that it can be fired again and again.
          run: {
            from: ["waiting", "running"],
            to: "running",
            when: { priority: { gte: 0 } },
            set: { startedAt: "now" },
          },
          end: { from: "running", to: "done" },
        },
      },
    }),
    kept: resource({
      key,
      fields: { ...fields, state: f.oneOf(steps, { default: "waiting" }) },
      history: true,
    }),
    plain: resource({ key, fields: { ...fields, state: f.oneOf(steps, { default: "waiting" }) } }),
  },
})
