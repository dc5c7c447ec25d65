// The bookshop's records: few, with shared authors, chains of mentors, books without pages, and visits without a book.
import type { Records, Row } from "../../src/sql/write/insert.ts"

const authors: readonly Row[] = [
  { id: "a1", name: "Ann", email: "ann@example.org", born: "1950-02-28", mentorId: null },
  { id: "a2", name: "Bo", email: null, born: null, mentorId: "a1" },
  { id: "a3", name: "Cy", email: "cy@example.org", born: "1999-12-31", mentorId: "a2" },
  { id: "a4", name: "Ann", email: null, born: "1951-01-01", mentorId: "a1" },
]

const books: readonly Row[] = Array.from({ length: 9 }, (_, index) => ({
  id: `b${index + 1}`,
  isbn: `978-${index}`,
  title: ["Roots", 'A "quoted" title', "Naïve\n𝄞"][index % 3] ?? "",
  price: `${index * 5}.50`,
  pages: index % 4 === 0 ? null : 100 + index,
  sold: 9_007_199_254_740_993n + BigInt(index),
  weight: index % 3 === 0 ? null : index / 8,
  binding: index % 2 === 0 ? "paperback" : "hardcover",
  size: index % 5 === 0 ? null : "4to",
  inPrint: index % 2 === 0,
  publishedAt: index % 3 === 2 ? null : `2001-02-0${index + 1}T04:05:06Z`,
  opensAt: null,
  code: null,
  extra: index % 2 === 0 ? null : `{"shelf":[${index},null,"x"]}`,
  cover: null,
  keywords: index === 3 ? [] : ["one", `${index}`],
  year: 2000 + (index % 3),
  number: index,
  authorId: `a${(index % 3) + 1}`,
}))

const tags: readonly Row[] = [
  { slug: "art", label: "Art" },
  { slug: "sea", label: null },
  { slug: "war", label: "War" },
]

const visits: readonly Row[] = [
  { page: "/", seconds: 3, bookId: null },
  { page: "/b1", seconds: null, bookId: "b1" },
]

const tagged = [
  ["b1", "art"],
  ["b1", "war"],
  ["b2", "art"],
  ["b5", "sea"],
] as const

export const bookshopRecords: Records = {
  records: new Map([
    ["author", authors],
    ["book", books],
    ["tag", tags],
    ["visit", visits],
  ]),
  links: [{ resource: "book", relation: "tags", pairs: tagged }],
}
