// The records, made from a seed: the same on every machine and on both databases.
import { seeded } from "../examples/storefront/random.ts"
import type { Model } from "../src/model/model.ts"
import type { Dialect } from "../src/sql/dialect.ts"
import { createSchema } from "../src/sql/schema/schema.ts"
import { type Command, insertRecords, type Records, type Row } from "../src/sql/write/insert.ts"

/** How many of each; an artist has five albums and an album ten tracks on average. */
export interface Sizes {
  readonly artists: number
  readonly genres: number
  readonly playlists: number
  readonly links: number
}

export const fullSizes: Sizes = { artists: 1_000, genres: 25, playlists: 1_000, links: 200_000 }

/** A tenth of them; every page is as full as with all. */
export const quickSizes: Sizes = { artists: 100, genres: 25, playlists: 100, links: 2_000 }

/** The same library with so many times more artists, albums and tracks: for requests that shall not come again. */
export const timesLarger = (times: number): Sizes => ({ ...fullSizes, artists: fullSizes.artists * times })

/** The fields of a track that the workloads use. */
export interface Track extends Row {
  readonly id: number
  readonly genreId: number
  readonly milliseconds: number
}

export interface MusicData extends Records {
  readonly sizes: Sizes
  readonly albums: number
  readonly tracks: readonly Track[]
}

const words =
  "amber blue cold dawn early fire glass hollow iron jade kind low moon north open paper quiet river silver tidal under velvet winter yellow zero"
    .split(" ")
    .map((word) => `${word[0]?.toUpperCase()}${word.slice(1)}`)
/** Text that has to be escaped in JSON or takes several bytes stands among the rest, as in real data. */
const oddities = [' (12" Mix)', " – Ñandú", " \\ Live", " 夜", " «Été»"]
const countries = ["AR", "BR", "CA", "DE", "FR", "GB", "JP", "NG", "SE", "US"] as const

export function musicData(sizes: Sizes = fullSizes): MusicData {
  const random = seeded(20)
  const phrase = (most: number): string => {
    const length = random.between(1, most)
    const text = Array.from({ length }, () => words[random.between(0, words.length - 1)]).join(" ")
    return random.oneIn(12) ? text + oddities[random.between(0, oddities.length - 1)] : text
  }
  const rows = <Made extends Row>(count: number, make: (id: number) => Made): Made[] =>
    Array.from({ length: count }, (_, index) => make(index + 1))

  const artists = rows(sizes.artists, (id) => ({ id, name: phrase(3), country: random.pick(countries) }))
  const genres = rows(sizes.genres, (id) => ({ id, name: `${words[id % words.length]} ${id}` }))
  // Sums that come out even: five albums each, and an album of n tracks beside one of 20 - n.
  const albums = rows(sizes.artists * 5, (id) => ({
    id,
    title: phrase(4),
    releasedOn: `${random.between(1960, 2025)}-${two(random.between(1, 12))}-${two(random.between(1, 28))}`,
    artistId: 1 + ((id - 1) % sizes.artists),
  }))
  const lengths = albums.map(({ id }) => (id % 2 === 1 ? 10 + ((id * 7) % 9) : 10 - (((id - 1) * 7) % 9)))
  const places = lengths.flatMap((length, index) =>
    Array.from({ length }, (_, place) => ({ albumId: index + 1, position: place + 1 })),
  )
  const tracks = rows(places.length, (id): Track => {
    const { albumId = 1, position = 1 } = places[id - 1] ?? {}
    return {
      id,
      name: phrase(5),
      composer: random.oneIn(4) ? null : phrase(2),
      position,
      milliseconds: random.between(60_000, 600_000),
      bytes: random.between(1_000_000, 20_000_000),
      unitPrice: random.oneIn(3) ? "1.29" : "0.99",
      explicit: random.oneIn(9),
      albumId,
      genreId: random.between(1, sizes.genres),
    }
  })
  const playlists = rows(sizes.playlists, (id) => ({ id, name: phrase(3) }))
  // A stride that shares no factor with the number of tracks meets each track once before it meets one again.
  const pairs = Array.from({ length: sizes.links }, (_, index): [number, number] => [
    1 + (index % sizes.playlists),
    1 + ((Math.floor(index / sizes.playlists) * 7_919 + (index % sizes.playlists) * 31) % tracks.length),
  ])
  return {
    sizes,
    albums: albums.length,
    tracks,
    records: new Map<string, readonly Row[]>([
      ["artist", artists],
      ["album", albums],
      ["genre", genres],
      ["track", tracks],
      ["playlist", playlists],
    ]),
    links: [{ resource: "playlist", relation: "tracks", pairs }],
  }
}

/** The label that asks where there are rules; the next one has nothing. */
export const askingLabel = 1

/** As `everything/service.ts` has it: a track is called by its title, too. */
export function withEverything(data: MusicData): MusicData {
  const { records, ...rest } = withLabels(data)
  const titled = data.tracks.map(({ name, ...track }) => ({
    ...track,
    title: name ?? null,
    labelId: askingLabel,
  }))
  return { ...rest, records: new Map([...records, ["track", titled]]) }
}

/** The same library with the two labels of `ruled/service.ts`; the first one has published everything. */
export function withLabels({ records, ...data }: MusicData): MusicData {
  const owned: ReadonlySet<string> = new Set(["artist", "album", "track"])
  const labels = [askingLabel, askingLabel + 1].map((id): Row => ({ id, name: `Label ${id}` }))
  const rowsOf = (resource: string, rows: readonly Row[]): readonly Row[] =>
    owned.has(resource) ? rows.map((row) => ({ ...row, labelId: askingLabel })) : rows
  return {
    ...data,
    records: new Map([
      ["label", labels],
      ...[...records].map(([name, rows]) => [name, rowsOf(name, rows)] as const),
    ]),
  }
}

const two = (value: number): string => String(value).padStart(2, "0")

/** The commands that make and fill the tables, for `setUp` of storage. */
export function* fillCommands(model: Model, dialect: Dialect, data: Records): Iterable<Command> {
  for (const text of createSchema(model, dialect)) yield { text, parameters: [] }
  yield* insertRecords(model, dialect, data)
}
