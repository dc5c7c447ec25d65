// Declarations that break the rule `handlers`, and exactly what is reported for each.
import { type Case, item, run, service, text } from "./case.ts"

export const handlers: readonly Case[] = [
  {
    it: "wants events that there are",
    broken: {
      ...service({
        item: {
          fields: { name: text },
          states: { initial: "open", transitions: { close: { from: "open", to: "closed" } } },
        },
        row: { key: false, fields: { name: text } },
      }),
      code: {
        on: {
          "item.closd": run,
          "item.open": run,
          "item.closed": run,
          "item.*": run,
          "itm.created": run,
          item: run,
          "row.created": run,
        },
      },
    },
    reported: [
      ["code.on.item.closd", 'There is no event "item.closd".', 'Did you mean "item.closed"?'],
      ["code.on.item.open", 'There is no event "item.open".', 'Did you mean "item.closed"?'],
      [
        "code.on.itm.created",
        'There is no resource "itm", whose event "itm.created" would be.',
        'Did you mean "item"?',
      ],
      ["code.on.item", 'There is no event "item".', 'Did you mean "item.*"?'],
      ["code.on.row.created", 'The records of "row" have no id by which an event could name them.'],
    ],
  },
  {
    it: "wants names that differ, and bounds",
    broken: {
      ...item({}),
      roles: ["staff"],
      code: {
        on: {
          "item.created": [run, { run }, { name: "mail", run }],
          "item.updated": { name: "mail", as: { roles: ["staf"] }, retries: -1, timeout: 0, run },
          "item.deleted": { name: "", run },
        },
      },
    },
    reported: [
      [
        "code.on.item.created.1",
        'Two handlers are called "item.created": each keeps its position under its name.',
        'Give one of them another: handler({ name: "mail", run: … }).',
      ],
      ["code.on.item.updated.retries", "Retries are a whole number from 0 to 1000, not -1."],
      [
        "code.on.item.updated.timeout",
        "A timeout is a whole number of milliseconds from 1 to 3600000, not 0.",
      ],
      ["code.on.item.updated.as.roles.0", 'There is no role "staf".', 'Did you mean "staff"?'],
      [
        "code.on.item.updated",
        'Two handlers are called "mail": each keeps its position under its name.',
        'Give one of them another: handler({ name: "mail", run: … }).',
      ],
      ["code.on.item.deleted.name", "A handler's name has from 1 to 100 characters."],
    ],
  },
]
