// The statements of a hand-written server: one for each question, with the source of its parameters.
import type { FaceName, NewTrack, WorkloadName } from "../workloads.ts"

/** Values of a request: ids and positions in a list, as text. */
export interface Given {
  readonly id?: string
  readonly genre?: string
  readonly after?: string
  /** The members to write. */
  readonly input?: Partial<NewTrack>
}

export type HandValue = number | string | null

export interface HandStatement {
  readonly name: WorkloadName
  /** One row of one column: the whole body of the response; no row when there is no such record. */
  readonly text: string
  readonly parameters: (given: Given) => HandValue[]
  /** The statement writes: the server sends the body once the change is on disk. */
  readonly writes?: true
  /** The body is so long that it is fetched and sent as bytes rather than text. */
  readonly large: boolean
}

/** JSON text: what stands in it as it is, and what the database puts between. */
export type Piece = string | { readonly sql: string }

/** How each database spells the same page; what a list is made of is the same on both. */
export interface Spellings {
  readonly parameter: (index: number) => string
  /** One whose type its column says. */
  readonly place: (index: number) => string
  readonly stored: (price: string) => HandValue
  /** One expression for the pieces. */
  readonly render: (pieces: readonly Piece[]) => string
  /** The texts `item` of all rows, with commas. */
  readonly items: string
  readonly quoted: (expression: string) => string
  /** Bytes instead of text, where the driver gives bytes. */
  readonly bytes: (text: string) => string
  readonly boolean: (column: string) => string
  /** From FROM on: some rows of a table, from WHERE to LIMIT, with the one row of another that is joined to each. */
  readonly joinOne: (table: string, rows: string, join: string) => string
  readonly price: readonly Piece[]
}

/** From the text of ids and cursors, which are numbers: a list's position is its key, or both parts of its order in one. */
const bare = (id = ""): number => Number(id.slice(id.indexOf("_") + 1))
export const positionUnit = 2 ** 32

/** Expressions and literals in turn: texts that meet are one. */
export function mergeTexts(pieces: readonly Piece[]): readonly string[] {
  const merged: string[] = []
  let text = ""
  const flush = (): void => {
    if (text !== "") merged.push(`'${text.replaceAll("'", "''")}'`)
    text = ""
  }
  for (const piece of pieces) {
    if (typeof piece === "string") text += piece
    else {
      flush()
      merged.push(piece.sql)
    }
  }
  flush()
  return merged
}

type Member = readonly [key: string, ...value: readonly Piece[]]

function object(...members: readonly Member[]): readonly Piece[] {
  const inner = members.flatMap(([key, ...value], index) => [`${index === 0 ? "" : ","}"${key}":`, ...value])
  return ["{", ...inner, "}"]
}

const value = (sql: string): Piece => ({ sql })
const id = (resource: string, column: string): Member => ["id", `"${resource}_`, value(column), '"']
const raw = (key: string, column: string): Member => [key, value(column)]

/** @param label whose records there are alone, which is for reads only; everybody's when absent */
export function statementsFor(face: FaceName, spelt: Spellings, label?: number): readonly HandStatement[] {
  if (label === undefined) return [...reads(face, spelt, () => ""), ...writes(face, spelt)]
  const own: Rule = (table, given) => ` AND ${table}.label_id = ${spelt.parameter(given)}`
  return reads(face, spelt, own).map((statement) => ({
    ...statement,
    parameters: (given) => [...statement.parameters(given), label],
  }))
}

/**
 * A further condition on rows of a table.
 * @param given how many parameters come from the request, before the label
 */
type Rule = (table: string, given: number) => string

function reads(face: FaceName, spelt: Spellings, own: Rule): readonly HandStatement[] {
  const { parameter, quoted } = spelt
  const text = (key: string, column: string): Member => [key, value(quoted(column))]
  const composer: Member = ["composer", value(`coalesce(${quoted("composer")}, 'null')`)]
  const price: Member = ["unitPrice", '"', ...spelt.price, '"']
  const shape = { face, spelt }
  const tracksOfAlbum = (row: readonly Piece[], join = ""): Piece =>
    nested(shape, {
      row,
      position: "track.id",
      rows: `FROM track ${join} WHERE track.album_id = album.id${own("track", 1)} ORDER BY track.id LIMIT 10`,
      more: `FROM track AS beyond WHERE beyond.album_id = album.id AND beyond.id > last${own("beyond", 1)} ORDER BY beyond.id`,
    })
  const afterId = ({ after }: Given): number[] => [Number(after)]
  const [first, second, third] = [parameter(0), parameter(1), parameter(2)]

  const one: HandStatement = {
    name: "W1",
    text: `SELECT ${spelt.render(wrapped(face, "track", wholeTrack(spelt)))} FROM track WHERE id = ${first}${own("track", 1)}`,
    parameters: ({ id: given }) => [bare(given)],
    large: false,
  }

  const filtered: HandStatement = {
    name: "W2",
    text: list(shape, {
      root: "tracks",
      row: object(id("track", "id"), text("name", "name"), raw("milliseconds", "milliseconds"), price),
      position: `CAST(milliseconds AS bigint) * ${positionUnit} + id`,
      rows: `FROM track WHERE genre_id = ${first} AND milliseconds >= ${second} AND (milliseconds, id) > (${second}, ${third})${own("track", 3)} ORDER BY milliseconds, id LIMIT 20`,
      more: `FROM track AS beyond WHERE beyond.genre_id = ${first} AND (beyond.milliseconds, beyond.id) > (last / ${positionUnit}, last % ${positionUnit})${own("beyond", 3)} ORDER BY beyond.milliseconds, beyond.id`,
      told: true,
    }),
    parameters: ({ genre, after }) => {
      const position = Number(after)
      return [bare(genre), Math.floor(position / positionUnit), position % positionUnit]
    },
    large: false,
  }

  const artist = object(id("artist", "artist.id"), text("name", "artist.name"))
  const song = object(
    id("track", "track.id"),
    text("name", "track.name"),
    raw("milliseconds", "track.milliseconds"),
  )
  const albums: HandStatement = {
    name: "W3",
    text: list(shape, {
      root: "albums",
      row: object(
        id("album", "album.id"),
        text("title", "album.title"),
        ["artist", ...artist],
        ["tracks", tracksOfAlbum(song)],
      ),
      position: "album.id",
      rows: spelt.joinOne(
        "album",
        `WHERE album.id > ${first}${own("album", 1)} ORDER BY album.id LIMIT 20`,
        `JOIN artist ON artist.id = album.artist_id${own("artist", 1)}`,
      ),
      more: `FROM album AS beyond WHERE beyond.id > last${own("beyond", 1)} ORDER BY beyond.id`,
    }),
    parameters: afterId,
    large: false,
  }

  const genre = object(id("genre", "genre.id"), text("name", "genre.name"))
  const track = object(id("track", "track.id"), text("name", "track.name"), ["genre", ...genre])
  const tracks = tracksOfAlbum(track, "JOIN genre ON genre.id = track.genre_id")
  const albumsOfArtist = nested(shape, {
    row: object(id("album", "album.id"), text("title", "album.title"), ["tracks", tracks]),
    position: "album.id",
    rows: `FROM album WHERE album.artist_id = artist.id${own("album", 1)} ORDER BY album.id LIMIT 5`,
    more: `FROM album AS beyond WHERE beyond.artist_id = artist.id AND beyond.id > last${own("beyond", 1)} ORDER BY beyond.id`,
  })
  const artists: HandStatement = {
    name: "W4",
    text: list(shape, {
      root: "artists",
      row: object(id("artist", "artist.id"), text("name", "artist.name"), ["albums", albumsOfArtist]),
      position: "artist.id",
      rows: `FROM artist WHERE artist.id > ${first}${own("artist", 1)} ORDER BY artist.id LIMIT 10`,
      more: `FROM artist AS beyond WHERE beyond.id > last${own("beyond", 1)} ORDER BY beyond.id`,
      large: true,
    }),
    parameters: afterId,
    large: true,
  }

  const library: HandStatement = {
    name: "W7",
    text: list(shape, {
      root: "tracks",
      row: object(
        id("track", "id"),
        text("name", "name"),
        composer,
        raw("position", "position"),
        raw("milliseconds", "milliseconds"),
        raw("bytes", "bytes"),
        price,
        ["explicit", value(spelt.boolean("explicit"))],
      ),
      position: "id",
      rows: `FROM track WHERE id > ${first}${own("track", 1)} ORDER BY id LIMIT 1000`,
      more: `FROM track AS beyond WHERE beyond.id > last${own("beyond", 1)} ORDER BY beyond.id`,
      large: true,
    }),
    parameters: afterId,
    large: true,
  }

  return [one, filtered, albums, artists, library]
}

function writes(face: FaceName, spelt: Spellings): readonly HandStatement[] {
  const [wholly, created, updated] = [wholeTrack(spelt), "createTrack", "updateTrack"]
  const answering = (mutation: string): string =>
    spelt.render(face === "rest" ? wholly : [`{"data":{"${mutation}":{"track":`, ...wholly, "}}}"])
  const columns = Object.keys(trackColumns)
  const insert: HandStatement = {
    name: "insert",
    text: `INSERT INTO track (${columns.join(", ")}) VALUES (${columns.map((_, index) => spelt.place(index))}) RETURNING ${answering(created)}`,
    parameters: ({ input = {} }) => Object.values(trackColumns).map((read) => read(input, spelt)),
    writes: true,
    large: false,
  }
  // The version as well: SQLite writes nothing when a row stays what it is, and requests come again.
  const update: HandStatement = {
    name: "update",
    text: `UPDATE track SET name = ${spelt.place(0)}, bytes = ${spelt.place(1)}, bifold_version = bifold_version + 1 WHERE id = ${spelt.place(2)} RETURNING ${answering(updated)}`,
    parameters: ({ id: given, input }) => [input?.name ?? null, input?.bytes ?? null, bare(given)],
    writes: true,
    large: false,
  }

  return [insert, update]
}

/** The six fields of one track. */
const wholeTrack = ({ quoted, price }: Spellings): readonly Piece[] =>
  object(
    id("track", "id"),
    ["name", value(quoted("name"))],
    ["composer", value(`coalesce(${quoted("composer")}, 'null')`)],
    raw("milliseconds", "milliseconds"),
    raw("bytes", "bytes"),
    ["unitPrice", '"', ...price, '"'],
  )

/** The columns of a new track, and where each comes from. */
const trackColumns: Readonly<Record<string, (input: Partial<NewTrack>, spelt: Spellings) => HandValue>> = {
  name: ({ name }) => name ?? null,
  composer: ({ composer }) => composer ?? null,
  position: ({ position }) => position ?? null,
  milliseconds: ({ milliseconds }) => milliseconds ?? null,
  bytes: ({ bytes }) => bytes ?? null,
  unit_price: ({ unitPrice = "" }, { stored }) => stored(unitPrice),
  explicit: ({ explicit }) => Number(explicit),
  album_id: ({ albumId }) => bare(albumId),
  genre_id: ({ genreId }) => bare(genreId),
}

interface Shape {
  readonly face: FaceName
  readonly spelt: Spellings
}

interface Rows {
  /** JSON text of one row. */
  readonly row: readonly Piece[]
  /** FROM to LIMIT. */
  readonly rows: string
  /** Grows with the order. */
  readonly position: string
  /** Finds the rows after the one at `last`, in their order: without it, PostgreSQL would go through the table. */
  readonly more: string
}

interface RootRows extends Rows {
  readonly root: string
  /** The question asks for pageInfo, in GraphQL. */
  readonly told?: boolean
  readonly large?: boolean
}

/** A record or list as the face gives it: the bare JSON, or below `data`. */
const wrapped = (face: FaceName, root: string, pieces: readonly Piece[]): readonly Piece[] =>
  face === "rest" ? pieces : [`{"data":{"${root}":`, ...pieces, "}}"]

type Told = "nothing" | "info" | "page" | "first page"

function list({ face, spelt }: Shape, rows: RootRows): string {
  const told = face === "rest" ? "page" : rows.told ? "info" : "nothing"
  const text = spelt.render(wrapped(face, rows.root, envelope(rows, told)))
  return `SELECT ${rows.large ? spelt.bytes(text) : text} FROM ${page(spelt, rows, told)}`
}

function nested({ face, spelt }: Shape, rows: Rows): Piece {
  const told = face === "rest" ? "first page" : "nothing"
  return value(`(SELECT ${spelt.render(envelope(rows, told))} FROM ${page(spelt, rows, told)})`)
}

/** Items, with what each face tells of the page: REST always, GraphQL when asked. The first page has none before it. */
function envelope({ more }: Rows, told: Told): readonly Piece[] {
  const items = value("items")
  const cursor = (position: string): string => `coalesce('"' || ${position} || '"', 'null')`
  const ifMore = (yes: string, no: string): Piece =>
    // OFFSET keeps PostgreSQL from dropping the order.
    value(`CASE WHEN EXISTS (SELECT 1 ${more} LIMIT 1 OFFSET 0) THEN ${yes} ELSE ${no} END`)
  if (told === "nothing") return ['{"nodes":[', items, "]}"]
  if (told === "info") {
    const [next, end] = [ifMore("'true'", "'false'"), value(cursor("last"))]
    return ['{"nodes":[', items, '],"pageInfo":{"hasNextPage":', next, ',"endCursor":', end, "}}"]
  }
  const previous = told === "page" ? value(cursor("first")) : "null"
  const next = ifMore(cursor("last"), "'null'")
  return ['{"data":[', items, '],"page":{"next":', next, ',"prev":', previous, "}}"]
}

/** The rows' texts are made where the rows are found, which is faster than to hand the columns on. */
function page(spelt: Spellings, { row, rows, position }: Rows, told: Told): string {
  const bounds = told === "nothing" ? "" : ", min(at) AS first, max(at) AS last"
  const at = told === "nothing" ? "" : `, ${position} AS at`
  return `(SELECT ${spelt.items} AS items${bounds} FROM (SELECT ${spelt.render(row)} AS item${at} ${rows}) AS rows) AS page`
}
