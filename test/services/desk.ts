// A help desk: tickets with a life of their own, for tests of states, history and own code.
import { anyone, f, many, one, resource, role, service, viewer } from "../../src/index.ts"

const agent = role("agent")
const own = { reporter: { id: { eq: viewer.id } } }

export const desk = service({
  name: "desk",
  roles: ["agent", "boss"],
  viewer: "person",
  resources: {
    person: resource({
      id: "per",
      fields: { name: f.text({ unique: true }) },
      relations: { tickets: many("ticket", { by: "reporter" }) },
      allow: { read: anyone, create: agent, update: agent, delete: agent },
    }),
    ticket: resource({
      id: "tic",
      fields: {
        title: f.text({ max: 200 }),
        effort: f.integer({ optional: true, min: 0 }),
        cost: f.decimal({ precision: 12, scale: 2, default: "0" }),
        secret: f.text({ optional: true, read: agent, write: agent }),
        answer: f.text({ optional: true, readonly: true }),
        closedAt: f.timestamp({ optional: true, readonly: true }),
      },
      relations: {
        reporter: one("person"),
        assignee: one("person", { optional: true }),
        notes: many("note", { by: "ticket", owned: true }),
      },
      states: {
        state: {
          initial: "open",
          final: ["closed"],
          states: { working: { description: "Somebody is at it." } },
          transitions: {
            start: { from: "open", to: "working", set: { assigneeId: viewer.id }, allow: agent },
            solve: {
              from: ["open", "working"],
              to: "solved",
              when: { notes: { some: {} } },
              reason: "A ticket is solved with a note that says how.",
              input: { answer: f.text({ min: 1, max: 500 }), effort: f.integer({ min: 0, optional: true }) },
              set: { answer: { given: "answer" }, effort: { given: "effort" } },
              allow: agent,
            },
            reopen: { from: "solved", to: "open", allow: [agent, own], set: { answer: null } },
            close: {
              from: "any",
              to: "closed",
              set: { closedAt: "now" },
              allow: [role("boss"), { and: [own, { cost: { eq: "0" } }] }],
            },
          },
        },
        billing: {
          initial: "unbilled",
          final: "paid",
          transitions: {
            bill: { from: "unbilled", to: "billed", when: { cost: { gt: "0" } }, allow: role("boss") },
            settle: { from: "billed", to: "paid", allow: role("boss") },
          },
        },
      },
      allow: {
        read: [agent, role("boss"), own],
        create: [agent, own],
        update: [agent, own],
        delete: role("boss"),
      },
    }),
    note: resource({
      id: "nte",
      fields: { text: f.text() },
      relations: { ticket: one("ticket") },
      history: true,
      allow: {
        read: [agent, role("boss"), { ticket: own }],
        create: [agent, { ticket: own }],
        update: agent,
        delete: agent,
      },
    }),
  },
})
