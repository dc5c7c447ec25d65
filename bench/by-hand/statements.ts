// What a hand-written server is made of: one statement per question, and where its parameters come from.
import type { FaceName, WorkloadName } from "../workloads.ts"

/** What a request names: ids and positions in a list, as text. */
export interface Given {
  readonly id?: string
  readonly genre?: string
  readonly after?: string
}

export interface HandStatement {
  readonly name: WorkloadName
  /** One row of one column: the whole body of the response; no row when there is no such record. */
  readonly text: string
  readonly parameters: (given: Given) => number[]
  /** The body is so long that it is fetched and sent as bytes rather than text. */
  readonly large: boolean
}

/** How each database spells the same page; what a list is made of is the same on both. */
export interface Spellings {
  readonly parameter: (index: number) => string
  /** JSON text of these members. */
  readonly object: (members: readonly Member[]) => string
  /** An array's items and the positions of its first and last row; `order` is for rows that were joined. */
  readonly items: (item: string, order: string) => string
  readonly quoted: (expression: string) => string
  /** `"…"` of a number, or null. */
  readonly cursor: (position: string) => string
  /** Bytes instead of text, where the driver gives bytes. */
  readonly bytes: (text: string) => string
  readonly boolean: (column: string) => string
  readonly price: string
}

export interface Member {
  readonly key: string
  readonly text: string
}

/** From the text of ids and cursors, which are numbers: a list's position is its key, or both parts of its order in one. */
const bare = (id = ""): number => Number(id.slice(id.indexOf("_") + 1))
export const positionUnit = 2 ** 32

export function statementsFor(face: FaceName, spelt: Spellings): readonly HandStatement[] {
  const { object, quoted, parameter } = spelt
  const id = (resource: string, column: string): Member => ({
    key: "id",
    text: `'"${resource}_' || ${column} || '"'`,
  })
  const text = (key: string, column: string): Member => ({ key, text: quoted(column) })
  const raw = (key: string, column: string): Member => ({ key, text: column })
  const composer = { key: "composer", text: `coalesce(${quoted("composer")}, 'null')` }
  const price = { key: "unitPrice", text: spelt.price }
  const explicit = { key: "explicit", text: spelt.boolean("explicit") }

  const shape = { face, spelt }
  const tracksOfAlbum = (columns: string, item: string, join = ""): string =>
    nested(shape, {
      item,
      rows: `SELECT ${columns} FROM track WHERE album_id = album.id ORDER BY id LIMIT 10`,
      name: "track",
      join,
      more: "FROM track AS beyond WHERE beyond.album_id = album.id AND beyond.id > last",
    })
  const albumsOfArtist = nested(shape, {
    item: object([
      id("album", "album.id"),
      text("title", "album.title"),
      raw(
        "tracks",
        tracksOfAlbum(
          "id, name, genre_id",
          object([
            id("track", "track.id"),
            text("name", "track.name"),
            raw("genre", object([id("genre", "genre.id"), text("name", "genre.name")])),
          ]),
          "JOIN genre ON genre.id = track.genre_id",
        ),
      ),
    ]),
    rows: "SELECT id, title FROM album WHERE artist_id = artist.id ORDER BY id LIMIT 5",
    name: "album",
    more: "FROM album AS beyond WHERE beyond.artist_id = artist.id AND beyond.id > last",
  })
  const afterId = ({ after }: Given): number[] => [Number(after)]
  const [first, second, third] = [parameter(0), parameter(1), parameter(2)]

  return [
    {
      name: "W1",
      text: `SELECT ${wrapped(
        face,
        "track",
        object([
          id("track", "id"),
          text("name", "name"),
          composer,
          raw("milliseconds", "milliseconds"),
          raw("bytes", "bytes"),
          price,
        ]),
      )} FROM track WHERE id = ${first}`,
      parameters: ({ id: given }) => [bare(given)],
      large: false,
    },
    {
      name: "W2",
      text: list(shape, {
        root: "tracks",
        item: object([
          id("track", "track.id"),
          text("name", "name"),
          raw("milliseconds", "milliseconds"),
          price,
        ]),
        rows: `SELECT id, name, milliseconds, unit_price FROM track WHERE genre_id = ${first} AND milliseconds >= ${second} AND (milliseconds, id) > (${second}, ${third}) ORDER BY milliseconds, id LIMIT 20`,
        name: "track",
        position: `CAST(milliseconds AS bigint) * ${positionUnit} + track.id`,
        more: `FROM track AS beyond WHERE beyond.genre_id = ${first} AND (beyond.milliseconds, beyond.id) > (last / ${positionUnit}, last % ${positionUnit})`,
        told: true,
      }),
      parameters: ({ genre, after }) => {
        const position = Number(after)
        return [bare(genre), Math.floor(position / positionUnit), position % positionUnit]
      },
      large: false,
    },
    {
      name: "W3",
      text: list(shape, {
        root: "albums",
        item: object([
          id("album", "album.id"),
          text("title", "album.title"),
          raw("artist", object([id("artist", "artist.id"), text("name", "artist.name")])),
          raw(
            "tracks",
            tracksOfAlbum(
              "id, name, milliseconds",
              object([id("track", "track.id"), text("name", "name"), raw("milliseconds", "milliseconds")]),
            ),
          ),
        ]),
        rows: `SELECT id, title, artist_id FROM album WHERE id > ${first} ORDER BY id LIMIT 20`,
        name: "album",
        join: "JOIN artist ON artist.id = album.artist_id",
        more: "FROM album AS beyond WHERE beyond.id > last",
      }),
      parameters: afterId,
      large: false,
    },
    {
      name: "W4",
      text: list(shape, {
        root: "artists",
        item: object([id("artist", "artist.id"), text("name", "artist.name"), raw("albums", albumsOfArtist)]),
        rows: `SELECT id, name FROM artist WHERE id > ${first} ORDER BY id LIMIT 10`,
        name: "artist",
        more: "FROM artist AS beyond WHERE beyond.id > last",
        large: true,
      }),
      parameters: afterId,
      large: true,
    },
    {
      name: "W7",
      text: list(shape, {
        root: "tracks",
        item: object([
          id("track", "id"),
          text("name", "name"),
          composer,
          raw("position", "position"),
          raw("milliseconds", "milliseconds"),
          raw("bytes", "bytes"),
          price,
          explicit,
        ]),
        rows: `SELECT id, name, composer, position, milliseconds, bytes, unit_price, explicit FROM track WHERE id > ${first} ORDER BY id LIMIT 1000`,
        name: "track",
        more: "FROM track AS beyond WHERE beyond.id > last",
        large: true,
      }),
      parameters: afterId,
      large: true,
    },
  ]
}

interface Shape {
  readonly face: FaceName
  readonly spelt: Spellings
}

interface Rows {
  /** JSON text of one row. */
  readonly item: string
  readonly rows: string
  /** What the rows are called in `item` and `join`. */
  readonly name: string
  readonly join?: string
  /** Finds a row after the one at `last`. */
  readonly more: string
  /** Grows with the order; the key when absent. */
  readonly position?: string
}

interface RootRows extends Rows {
  readonly root: string
  /** The question asks for pageInfo, in GraphQL. */
  readonly told?: boolean
  readonly large?: boolean
}

/** A record or list as the face gives it: the bare JSON, or below `data`. */
const wrapped = (face: FaceName, root: string, text: string): string =>
  face === "rest" ? text : `'{"data":{"${root}":' || ${text} || '}}'`

function list(shape: Shape, rows: RootRows): string {
  const { face, spelt } = shape
  const text = wrapped(face, rows.root, envelope(shape, rows, rows.told ? "info" : "position"))
  return `SELECT ${rows.large ? spelt.bytes(text) : text} FROM ${page(spelt, rows)}`
}

const nested = (shape: Shape, rows: Rows): string =>
  `(SELECT ${envelope(shape, rows, "first")} FROM ${page(shape.spelt, rows)})`

/** Items with what each face tells of the page: REST always, GraphQL when asked. The first page has none before it. */
function envelope({ face, spelt }: Shape, { more }: Rows, told: "info" | "position" | "first"): string {
  const next = `CASE WHEN EXISTS (SELECT 1 ${more}) THEN ${spelt.cursor("last")} ELSE 'null' END`
  if (face === "rest")
    return `'{"data":[' || items || '],"page":{"next":' || ${next} || ',"prev":' || ${told === "first" ? "'null'" : spelt.cursor("first")} || '}}'`
  if (told !== "info") return `'{"nodes":[' || items || ']}'`
  return `'{"nodes":[' || items || '],"pageInfo":{"hasNextPage":' || CASE WHEN EXISTS (SELECT 1 ${more}) THEN 'true' ELSE 'false' END || ',"endCursor":' || ${spelt.cursor("last")} || '}}'`
}

function page(spelt: Spellings, { item, rows, name, join = "", position }: Rows): string {
  const at = position ?? `${name}.id`
  return `(SELECT ${spelt.items(item, join === "" ? "" : at)} AS items, min(${at}) AS first, max(${at}) AS last FROM (${rows}) AS ${name} ${join}) AS page`
}
