// A small service with every shape the GraphQL face has to serve: references, both kinds of relation, a self relation,
// enumerations that are and are not GraphQL names, unique keys, natural and composite keys, and a list without a key.

import { f, many, one, resource, service } from "../../src/model/declaration/service.ts"
import { loadOpen } from "../support/everybody.ts"

export const bookshop = service({
  name: "bookshop",
  title: "Bookshop API",
  description: "Books, who wrote them, and who buys them.",
  resources: {
    author: resource({
      id: "aut",
      description: "Whoever wrote a book.",
      fields: {
        name: f.text({ max: 100, description: "As printed on the cover." }),
        email: f.email({ optional: true, unique: true }),
        born: f.date({ optional: true }),
      },
      relations: { books: many("book", { by: "author" }), mentor: one("author", { optional: true }) },
    }),
    book: resource({
      id: "bok",
      fields: {
        isbn: f.text({ unique: true }),
        title: f.text(),
        price: f.decimal({ precision: 8, scale: 2 }),
        pages: f.integer({ optional: true }),
        sold: f.int64(),
        weight: f.float({ optional: true }),
        binding: f.oneOf(["paperback", "hardcover"]),
        size: f.oneOf(["8vo", "4to"], { optional: true }),
        inPrint: f.boolean(),
        publishedAt: f.timestamp({ optional: true }),
        opensAt: f.time({ optional: true }),
        code: f.uuid({ optional: true }),
        extra: f.json({ optional: true }),
        cover: f.bytes({ optional: true }),
        keywords: f.list(f.text()),
        year: f.integer(),
        number: f.integer(),
      },
      relations: { author: one("author"), tags: many("tag", { through: "book_tag" }) },
      unique: [["year", "number"]],
    }),
    tag: resource({
      key: ["slug"],
      fields: { slug: f.slug(), label: f.text({ optional: true }) },
      relations: { books: many("book", { through: "book_tag" }) },
    }),
    visit: resource({
      key: false,
      fields: { page: f.text(), seconds: f.integer({ optional: true }) },
      relations: { book: one("book", { optional: true }) },
    }),
  },
})

export const model = loadOpen(bookshop)
