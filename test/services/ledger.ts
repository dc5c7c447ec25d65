// A service for what becomes of writes: receipts that are whole only with their lines, and counters that many increase.
import { f, many, one, resource, service } from "bifold"

export const ledger = service({
  name: "ledger",
  title: "Ledger",
  resources: {
    receipt: resource({
      id: "rct",
      fields: { number: f.text({ unique: true, max: 60 }), lineCount: f.integer() },
      relations: { lines: many("receiptLine", { by: "receipt", owned: true }) },
    }),
    receiptLine: resource({
      id: "lin",
      fields: { position: f.integer(), text: f.text({ max: 100_000 }) },
      relations: { receipt: one("receipt") },
    }),
    counter: resource({
      id: "cnt",
      fields: { name: f.text({ unique: true, max: 60 }), count: f.integer() },
    }),
  },
})
