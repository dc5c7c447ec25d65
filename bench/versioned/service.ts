// Books, their authors, and an older version of the API in which fields and a relation have other names and types.
import { f, many, one, resource, service } from "bifold"

const key = { column: "id", type: "integer" } as const

export default service({
  name: "versioned",
  usage: true,
  versions: {
    "2026-06-01": [
      { renamed: "book.name", to: "title" },
      { renamed: "book.writer", to: "author" },
      {
        changed: "book.price",
        was: f.integer({ description: "Cents." }),
        reads: { multiply: ["price", 100] },
        writes: { multiply: ["price", 0.01] },
      },
      { renamed: "author.fullName", to: "name" },
    ],
    "2026-01-01": [],
  },
  resources: {
    author: resource({
      key,
      fields: { name: f.text(), born: f.integer() },
      relations: { books: many("book", { by: "author" }) },
    }),
    book: resource({
      key,
      fields: {
        title: f.text(),
        price: f.decimal({ precision: 12, scale: 2 }),
        pages: f.integer(),
        abstract: f.text({ optional: true }),
      },
      relations: { author: one("author") },
    }),
  },
})
