// A service of 300 resources, as large databases have: what its size costs at the start is measured.
import { f, many, one, type ResourceDeclaration, type ServiceDeclaration } from "bifold"

const kinds = "amber blue cold dawn early fire glass hollow iron jade kind low moon north open".split(" ")
const things =
  "Account Batch Contract Device Entry Folder Group Holder Invoice Journal Key Ledger Message Notice Order Parcel Quote Report Ticket Voucher".split(
    " ",
  )
const names = kinds.flatMap((kind) => things.map((thing) => kind + thing))

/** Each belongs to the one before it, so that all of them hang together. */
function wideResource(index: number): ResourceDeclaration {
  const [before, after] = [names[index - 1], names[index + 1]]
  return {
    key: { column: "id", type: "integer" },
    fields: {
      code: f.text({ unique: true, max: 40 }),
      title: f.text(),
      note: f.text({ optional: true }),
      amount: f.decimal({ precision: 12, scale: 2 }),
      count: f.integer(),
      active: f.boolean(),
      dueOn: f.date({ optional: true }),
      changedAt: f.timestamp(),
      level: f.oneOf(["low", "middle", "high"]),
    },
    relations: {
      ...(before === undefined ? {} : { parent: one(before) }),
      ...(after === undefined ? {} : { children: many(after, { by: "parent" }) }),
    },
  }
}

export default {
  name: "wide",
  resources: Object.fromEntries(names.map((name, index) => [name, wideResource(index)])),
} satisfies ServiceDeclaration
