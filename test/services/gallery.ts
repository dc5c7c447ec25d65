// A service that the storefront is too tidy for: every scalar, missing and extreme, every kind of key, a one-to-one,
// composite references, and text that tempts whoever forgets to escape. Used by cases and properties.
import { f, many, one, resource, service } from "bifold"

export const gallery = service({
  name: "gallery",
  title: "Gallery",
  limits: { page: { default: 20, max: 100 } },
  resources: {
    exhibit: resource({
      key: { column: "id", type: "integer" },
      fields: {
        title: f.text(),
        subtitle: f.text({ optional: true }),
        contact: f.email({ optional: true }),
        site: f.url({ optional: true }),
        handle: f.slug({ optional: true }),
        floor: f.integer(),
        visitors: f.int64({ optional: true }),
        height: f.float({ optional: true }),
        value: f.decimal({ precision: 18, scale: 4, optional: true }),
        insured: f.boolean({ optional: true }),
        madeOn: f.date({ optional: true }),
        opensAt: f.time({ optional: true }),
        seenAt: f.timestamp({ optional: true }),
        serial: f.uuid({ optional: true }),
        facts: f.json({ optional: true }),
        mood: f.oneOf(["calm", "loud", "odd"], { optional: true }),
        image: f.bytes({ optional: true }),
        words: f.list(f.text(), { optional: true }),
        years: f.list(f.integer(), { optional: true }),
        counts: f.list(f.int64(), { optional: true }),
        prices: f.list(f.decimal({ precision: 10, scale: 2 }), { optional: true }),
      },
      relations: {
        room: one("room", { optional: true }),
        label: one("label", { optional: true }),
        place: one("place", { optional: true, columns: { place_hall: "hall", place_number: "number" } }),
      },
    }),
    room: resource({
      key: { column: "id", type: "uuid" },
      fields: { name: f.text() },
      relations: {
        exhibits: many("exhibit", { by: "room" }),
        guard: one("guard", { by: "room" }),
      },
    }),
    guard: resource({
      key: { column: "id", type: "int64" },
      fields: { name: f.text({ unique: true }) },
      relations: { room: one("room", { optional: true }) },
      unique: [["room"]],
    }),
    label: resource({
      key: ["code"],
      fields: { code: f.text(), order: f.integer({ optional: true }), select: f.text({ optional: true }) },
      relations: { exhibits: many("exhibit", { by: "label" }) },
    }),
    place: resource({
      key: ["hall", "number"],
      fields: { hall: f.text(), number: f.integer(), free: f.boolean() },
      relations: { exhibits: many("exhibit", { by: "place" }) },
    }),
  },
})

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }
/** Wire form; `id` is the bare key and references are bare keys. */
export type GalleryRow = Readonly<Record<string, Json>>

const rooms: GalleryRow[] = [
  { id: "00000000-0000-4000-8000-000000000001", name: "Étage" },
  { id: "ffffffff-ffff-4fff-bfff-ffffffffffff", name: "étage" },
  { id: "7d444840-9dc0-41d1-b245-5ffdce74fad2", name: "" },
]

const guards: GalleryRow[] = [
  { id: "9223372036854775807", name: "Ada", roomId: "7d444840-9dc0-41d1-b245-5ffdce74fad2" },
  { id: "-9223372036854775808", name: "Grace", roomId: "00000000-0000-4000-8000-000000000001" },
  { id: "42", name: "Ünal", roomId: null },
]

const labels: GalleryRow[] = [
  { code: "plain", order: 1, select: "x" },
  { code: "with space", order: 1, select: null },
  { code: "a~b", order: null, select: "" },
  { code: "100%25", order: 2, select: "from" },
  { code: "slash/and?query=1&x", order: 2, select: '"quoted" \\ back' },
  { code: "日本", order: null, select: null },
]

const places: GalleryRow[] = [
  { hall: "A", number: 10, free: true },
  { hall: "A", number: 9, free: false },
  { hall: "a~A", number: -1, free: true },
  { hall: "50%", number: 2_147_483_647, free: false },
]

const nothing: GalleryRow = {
  subtitle: null,
  contact: null,
  site: null,
  handle: null,
  visitors: null,
  height: null,
  value: null,
  insured: null,
  madeOn: null,
  opensAt: null,
  seenAt: null,
  serial: null,
  facts: null,
  mood: null,
  image: null,
  words: null,
  years: null,
  counts: null,
  prices: null,
  roomId: null,
  labelId: null,
  placeId: null,
}

const titles = [
  "a",
  "A",
  "Z",
  "é",
  "e\u0301",
  "",
  " ",
  "'; DROP TABLE exhibit; --",
  '"double"',
  "back\\slash",
  "100% sure_thing",
  "line\nbreak\ttab",
  "\u0007bell",
  "\u2028separator",
  "😀",
  "\uffff",
  "]]>",
  "<script>alert(1)</script>",
  "日本語",
  "ß",
  "ẞ",
  "İi",
  "$1 ?1 :name @name {x}",
  "null",
]

export const galleryRows: ReadonlyMap<string, readonly GalleryRow[]> = new Map([
  ["room", rooms],
  ["guard", guards],
  ["label", labels],
  ["place", places],
  ["exhibit", exhibits()],
])

function exhibits(): GalleryRow[] {
  const at = <Item>(items: readonly Item[], index: number): Item => items[index % items.length] as Item
  return Array.from({ length: 48 }, (_, index): GalleryRow => {
    const title = at(titles, index)
    const base: GalleryRow = {
      ...nothing,
      id: String(index - 5),
      title,
      floor: at([0, 1, 1, -2_147_483_648, 2_147_483_647], index),
    }
    if (index % 4 === 0) return base
    return {
      ...base,
      subtitle: at([null, "same", "Same", "other_%", title], index),
      contact: at(["a@example.org", null, "z+tag@example.com"], index),
      site: at([null, "https://example.org/?a=1&b=ü", "https://example.org/"], index),
      handle: at(["one", "two", "one", null], index),
      visitors: at(["0", "9223372036854775807", "-9223372036854775808", "9007199254740993", null], index),
      height: at([0, 0.5, -0.25, 1e300, 5e-324, 0.1, 1 / 3, 123456789.125, null], index),
      value: at(
        [
          "0.0000",
          "0.1000",
          "-0.1000",
          "99999999999999.9999",
          "-99999999999999.9999",
          null,
          "10.0000",
          "9.0000",
        ],
        index,
      ),
      insured: at([true, false, null], index),
      madeOn: at(["0001-01-01", "9999-12-31", "2024-02-29", null, "1999-12-31"], index),
      opensAt: at(["00:00:00", "23:59:59.999999", "09:30:00.5", null], index),
      seenAt: at(
        [
          "1970-01-01T00:00:00Z",
          "1969-12-31T23:59:59.999999Z",
          "2024-02-29T12:00:00.5Z",
          null,
          "9999-12-31T23:59:59Z",
          "0001-01-01T00:00:00Z",
        ],
        index,
      ),
      serial: at(
        [
          null,
          "00000000-0000-0000-0000-000000000000",
          "ffffffff-ffff-ffff-ffff-ffffffffffff",
          "0188a5eb-1b2c-7d3e-8f40-51627384950a",
        ],
        index,
      ),
      facts: at(
        [
          {},
          [],
          "text",
          0,
          false,
          { a: [1, { 'b"': null }], é: "\u0001" },
          [1.5, "x", null],
          null,
          { big: 1e21 },
        ],
        index,
      ),
      mood: at(["calm", "loud", "odd", null], index),
      image: at(
        [
          "",
          "AA==",
          "/+8=",
          "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gISIjJCUmJygpKissLS4vMDEyMzQ1Njc4OTo7PD0+Pw==",
          null,
        ],
        index,
      ),
      words: at(
        [[], ["a"], ["a", "b", "a"], ["it's", '"q"', "back\\slash", "{brace}", "com,ma", "NULL", ""], null],
        index,
      ),
      years: at([[], [1, 2, 3], [-2_147_483_648, 2_147_483_647], null], index),
      counts: at([["9223372036854775807"], ["0", "1"], [], null], index),
      prices: at([["1.00", "2.50"], [], ["-0.01"], null], index),
      roomId: at([null, ...rooms.map((row) => row["id"] as string)], index),
      labelId: at([...labels.map((row) => row["code"] as string), null], index),
      placeId: at(["A~10", "A~9", null, "a%7EA~-1", "50%25~2147483647"], index),
    }
  })
}
