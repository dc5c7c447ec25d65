// Declarations that break the rule `userCode`, and exactly what is reported for each.
import { type Case, item, one, run } from "./case.ts"

export const userCode: readonly Case[] = [
  {
    it: "wants resources and roles that there are, and what it takes to be values",
    broken: {
      ...item({}),
      roles: ["staff"],
      code: {
        actions: {
          items: { a: { run } },
          item: {
            fix: {
              as: { roles: ["staf"] },
              deadline: 0,
              input: {
                amount: { scalar: "integer", min: 3, max: 1 },
                kept: { scalar: "text", unique: true },
              },
              output: { item: { scalar: "text" } },
              run,
            },
            update: { run },
            read: { run },
            "not-a-name": { run },
          },
        },
        operations: { createItem: { run }, count: { run } },
      },
    },
    reported: [
      ["code.actions.items", 'There is no resource "items".', 'Did you mean "item"?'],
      ["code.actions.item.fix.output.item", '"item" in the answer is the record itself.'],
      [
        "code.actions.item.read",
        'No action can be called "read": rules use this name for reading a record.',
        "Give it another name.",
      ],
      [
        "code.actions.item.fix.deadline",
        "A deadline is a whole number of milliseconds from 1 to 60000, not 0.",
      ],
      ["code.actions.item.fix.as.roles.0", 'There is no role "staf".', 'Did you mean "staff"?'],
      ["code.actions.item.fix.input.amount", 'The min of "amount", 3, is greater than its max, 1.'],
      ["code.actions.item.fix.input.kept.unique", '"kept" is not stored, so it has no `unique`.'],
      ["code.actions.item.update", '"update" would be the mutation "updateItem", which another mutation is.'],
      [
        "code.actions.item.not-a-name",
        '"not-a-name" cannot be the name of an operation.',
        "Letters and digits, as in applyCoupon.",
      ],
      [
        "code.operations.createItem",
        '"createItem" would be the mutation "createItem", which another mutation is.',
      ],
    ],
  },
  {
    it: "emits events that there are, each named once",
    broken: {
      ...item({ events: { counted: {} } }),
      code: {
        actions: {
          item: {
            a: { emits: ["item.counted", "item.counted", "thing.sold"], run },
            b: { emits: "item.couted", run },
          },
        },
        operations: { c: { emits: "item.counted", run } },
      },
    },
    reported: [
      ["code.actions.item.a.emits.1", '"item.counted" is named twice.'],
      [
        "code.actions.item.a.emits.2",
        'There is no event "thing.sold" that user code could emit.',
        "Known here: item.counted.",
      ],
      [
        "code.actions.item.b.emits",
        'There is no event "item.couted" that user code could emit.',
        'Did you mean "item.counted"?',
      ],
    ],
  },
  {
    it: "has hooks of resources that there are, with roles that there are",
    broken: {
      ...item({}),
      roles: ["staff"],
      code: {
        before: { item: { create: { as: { roles: ["staf"] }, run }, delete: run }, items: { update: run } },
      },
    },
    reported: [
      ["code.before.item.create.as.roles.0", 'There is no role "staf".', 'Did you mean "staff"?'],
      ["code.before.items", 'There is no resource "items".', 'Did you mean "item"?'],
    ],
  },
  {
    it: "wants addresses and types of its own",
    broken: {
      ...item({ relations: { actions: one("item", { optional: true }) } }),
      code: {
        actions: { item: { fooBar: { run }, foo_bar: { run } } },
        operations: { item: { input: { x: { scalar: "oneOf", of: ["a"] } }, run } },
      },
    },
    reported: [
      ["code.actions.item", '"item" has a relation "actions", whose address its actions would have.'],
      ["code.actions.item.foo_bar", '"foo_bar" and "fooBar" would have the same address.'],
    ],
  },
]
