// The music library for servers with hand-written schemas and resolvers: the schema, and the reads, batched where a
// loader can batch them.
import { DatabaseSync } from "node:sqlite"
import pg from "pg"

export const schema = `
  type Query {
    track(id: ID!): Track
    tracks(genreId: ID, first: Int!, after: String!): TrackPage!
    albums(first: Int!, after: String!): [Album!]!
    artists(first: Int!, after: String!): [Artist!]!
  }
  type Mutation {
    createTrack(input: NewTrack!): Track!
    updateTrack(id: ID!, input: TrackChange!): Track
  }
  input NewTrack {
    name: String! composer: String position: Int! milliseconds: Int! bytes: Int! unitPrice: String! explicit: Boolean!
    albumId: ID! genreId: ID!
  }
  input TrackChange { name: String bytes: Int }
  type TrackPage { nodes: [Track!]! pageInfo: PageInfo! }
  type PageInfo { hasNextPage: Boolean! endCursor: String }
  type Track {
    id: ID! name: String! composer: String position: Int! milliseconds: Int! bytes: Int! unitPrice: String!
    explicit: Boolean! genre: Genre!
  }
  type Album { id: ID! title: String! artist: Artist! tracks(first: Int!): [Track!]! }
  type Artist { id: ID! name: String! albums(first: Int!): [Album!]! }
  type Genre { id: ID! name: String! }
`

/** A position in the order by milliseconds: both parts in one number. */
const unit = 2 ** 32

export async function openMusic(address) {
  const database = address.startsWith("postgres:") ? openPostgres(address) : openSqlite(address)
  const { rows, each, among } = database
  const byId = async (table, ids) => {
    const found = await rows(`SELECT * FROM ${table} WHERE id ${among(1)}`, [ids])
    const known = new Map(found.map((row) => [row.id, row]))
    return ids.map((id) => known.get(id) ?? null)
  }
  /** The first rows of each owner, in one statement. */
  const firstOf = async (table, column, ids, first) => {
    const found = await rows(each(table, column), [ids, first])
    const groups = Map.groupBy(found, (row) => row[column])
    return ids.map((id) => groups.get(id) ?? [])
  }
  const after = (table) => (first, position) =>
    rows(`SELECT * FROM ${table} WHERE id > ${database.place(1)} ORDER BY id LIMIT ${database.place(2)}`, [
      Number(position),
      first,
    ])
  const places = (columns, first = 1) => columns.map((_, index) => database.place(index + first))
  return {
    async createTrack({ input }) {
      const { unitPrice, explicit, albumId, genreId, ...plain } = input
      const row = {
        ...plain,
        unit_price: database.storedPrice(unitPrice),
        explicit: database.storedFlag(explicit),
        album_id: Number(albumId),
        genre_id: Number(genreId),
      }
      const columns = Object.keys(row)
      const text = `INSERT INTO track (${columns}) VALUES (${places(columns)}) RETURNING *`
      return (await rows(text, Object.values(row)))[0]
    },
    async updateTrack({ id, input }) {
      const columns = Object.keys(input)
      const sets = places(columns, 2).map((place, index) => `${columns[index]} = ${place}`)
      const text = `UPDATE track SET ${sets}, bifold_version = bifold_version + 1 WHERE id = ${database.place(1)} RETURNING *`
      return (await rows(text, [Number(id), ...Object.values(input)]))[0] ?? null
    },
    track: async (id) =>
      (await rows(`SELECT * FROM track WHERE id = ${database.place(1)}`, [Number(id)]))[0] ?? null,
    async tracks({ genreId, first, after: position }) {
      if (genreId === undefined) return { nodes: await after("track")(first, position) }
      const [milliseconds, id] = [Math.floor(position / unit), position % unit]
      const [one, two, three, four] = [1, 2, 3, 4].map(database.place)
      const found = await rows(
        `SELECT * FROM track WHERE genre_id = ${one} AND (milliseconds, id) > (${two}, ${three}) ORDER BY milliseconds, id LIMIT ${four}`,
        [Number(genreId), milliseconds, id, first + 1],
      )
      const nodes = found.slice(0, first)
      const last = nodes.at(-1)
      const endCursor = last ? String(last.milliseconds * unit + last.id) : null
      return { nodes, pageInfo: { hasNextPage: found.length > first, endCursor } }
    },
    albums: after("album"),
    artists: after("artist"),
    artistsById: (ids) => byId("artist", ids),
    genresById: (ids) => byId("genre", ids),
    tracksOfAlbums: (ids, first) => firstOf("track", "album_id", ids, first),
    albumsOfArtists: (ids, first) => firstOf("album", "artist_id", ids, first),
    unitPrice: database.price,
    explicit: (row) => Boolean(row.explicit),
  }
}

function openPostgres(address) {
  const pool = new pg.Pool({ connectionString: address, max: 10 })
  const names = new Map()
  const nameOf = (text) => {
    if (!names.has(text)) names.set(text, `music_${names.size}`)
    return names.get(text)
  }
  return {
    rows: async (text, values) => (await pool.query({ name: nameOf(text), text, values })).rows,
    storedPrice: (price) => price,
    storedFlag: (flag) => flag,
    place: (index) => `$${index}`,
    among: (index) => `= ANY ($${index}::int[])`,
    each: (table, column) =>
      `SELECT found.* FROM unnest($1::int[]) AS owner(id) CROSS JOIN LATERAL (SELECT * FROM ${table} WHERE ${column} = owner.id ORDER BY id LIMIT $2) AS found`,
    price: (row) => row.unit_price,
  }
}

function openSqlite(path) {
  const database = new DatabaseSync(path, { timeout: 5_000 })
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON")
  const prepared = new Map()
  const statement = (text) => {
    if (!prepared.has(text)) prepared.set(text, database.prepare(text))
    return prepared.get(text)
  }
  const plain = (value) => (Array.isArray(value) ? JSON.stringify(value) : value)
  return {
    rows: async (text, values) => statement(text).all(...values.map(plain)),
    storedPrice: (price) => Math.round(Number(price) * 100),
    storedFlag: Number,
    place: (index) => `?${index}`,
    among: () => "IN (SELECT value FROM json_each(?))",
    each: (table, column) =>
      `SELECT * FROM (SELECT *, row_number() OVER (PARTITION BY ${column} ORDER BY id) AS place FROM ${table} WHERE ${column} IN (SELECT value FROM json_each(?))) WHERE place <= ? ORDER BY id`,
    price: (row) => (row.unit_price / 100).toFixed(2),
  }
}
