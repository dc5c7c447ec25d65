// The questions of the benchmark, in both faces, and the records that they are asked about in turn.
import { type Random, seeded } from "../examples/storefront/random.ts"
import type { MusicData, Track } from "./data.ts"

export const readNames = ["W1", "W2", "W3", "W4", "W7"] as const
export const writeNames = ["insert", "update"] as const
export type ReadName = (typeof readNames)[number]
/** Reads first: writes make the tables longer. */
export const workloadNames = [...readNames, ...writeNames] as const
export type WorkloadName = (typeof workloadNames)[number]

export const faceNames = ["graphql", "rest"] as const
export type FaceName = (typeof faceNames)[number]

export interface Workload {
  readonly title: string
  /** The GraphQL document, with the variables `id`, `after` and `genre`, or `input`. */
  readonly document: string
  /** The resource's path and the parameters that never change. */
  readonly rest: {
    /** GET when absent. */
    readonly method?: "POST" | "PATCH"
    readonly path: string
    readonly parameters: Readonly<Record<string, string>>
  }
  /** How many different requests take turns where they come again. */
  readonly repeated: number
}

/**
 * Whether a request comes again while a server remembers it. `fresh`: its values do not, drawn once each from all that
 * there are. `literals`: nor does its GraphQL document, which has the values in its text. `repeated`: some hundred take
 * turns, so that each has been answered before.
 */
export const valuesNames = ["fresh", "literals", "repeated"] as const
export type ValuesName = (typeof valuesNames)[number]

/** Most different requests: a server by hand asks for them for some seconds before the first one comes again. */
const mostFresh = 100_000

export const workloads: Readonly<Record<WorkloadName, Workload>> = {
  W1: {
    title: "one by id, 6 fields",
    document: "query Track($id: ID!) { track(id: $id) { id name composer milliseconds bytes unitPrice } }",
    rest: { path: "/tracks", parameters: { fields: "name,composer,milliseconds,bytes,unitPrice" } },
    repeated: 500,
  },
  W2: {
    title: "list of 20: filter, order, cursor",
    document: `query Tracks($genre: ID!, $after: String!) {
  tracks(where: {genreId: {eq: $genre}}, orderBy: [{field: milliseconds}], first: 20, after: $after) {
    nodes { id name milliseconds unitPrice }
    pageInfo { hasNextPage endCursor }
  }
}`,
    rest: {
      path: "/tracks",
      parameters: { sort: "milliseconds", limit: "20", fields: "name,milliseconds,unitPrice" },
    },
    repeated: 300,
  },
  W3: {
    title: "20 albums, artist, 10 tracks each",
    document: `query Albums($after: String!) {
  albums(first: 20, after: $after) {
    nodes { id title artist { id name } tracks(first: 10) { nodes { id name milliseconds } } }
  }
}`,
    rest: {
      path: "/albums",
      parameters: {
        limit: "20",
        fields: "title",
        include: "artist,tracks",
        "include[artist][fields]": "name",
        "include[tracks][limit]": "10",
        "include[tracks][fields]": "name,milliseconds",
      },
    },
    repeated: 300,
  },
  W4: {
    title: "10 artists > 5 albums > 10 tracks > genre",
    document: `query Artists($after: String!) {
  artists(first: 10, after: $after) {
    nodes {
      id name
      albums(first: 5) { nodes { id title tracks(first: 10) { nodes { id name genre { id name } } } } }
    }
  }
}`,
    rest: {
      path: "/artists",
      parameters: {
        limit: "10",
        fields: "name",
        include: "albums.tracks.genre",
        "include[albums][limit]": "5",
        "include[albums][fields]": "title",
        "include[albums.tracks][limit]": "10",
        "include[albums.tracks][fields]": "name",
        "include[albums.tracks.genre][fields]": "name",
      },
    },
    repeated: 200,
  },
  W7: {
    title: "1,000 tracks, 8 fields",
    document: `query Library($after: String!) {
  tracks(first: 1000, after: $after) {
    nodes { id name composer position milliseconds bytes unitPrice explicit }
  }
}`,
    rest: {
      path: "/tracks",
      parameters: {
        limit: "1000",
        fields: "name,composer,position,milliseconds,bytes,unitPrice,explicit",
      },
    },
    repeated: 100,
  },
  insert: {
    title: "one created, on disk, 6 fields",
    document:
      "mutation Add($input: TrackCreateInput!) { createTrack(input: $input) { track { id name composer milliseconds bytes unitPrice } } }",
    rest: {
      method: "POST",
      path: "/tracks",
      parameters: { fields: "name,composer,milliseconds,bytes,unitPrice" },
    },
    repeated: 500,
  },
  update: {
    title: "one updated, on disk, 6 fields",
    document:
      "mutation Change($id: ID!, $input: TrackUpdateInput!) { updateTrack(id: $id, input: $input) { track { id name composer milliseconds bytes unitPrice } } }",
    rest: {
      method: "PATCH",
      path: "/tracks",
      parameters: { fields: "name,composer,milliseconds,bytes,unitPrice" },
    },
    repeated: 500,
  },
}

/** A track that is created, as both faces of Bifold take it. */
export interface NewTrack {
  readonly name: string
  readonly composer: string | null
  readonly position: number
  readonly milliseconds: number
  readonly bytes: number
  readonly unitPrice: string
  readonly explicit: boolean
  readonly albumId: string
  readonly genreId: string
  /** Where records have labels. */
  readonly labelId?: string
}
/** The members that an update changes. */
type TrackChange = Pick<NewTrack, "name" | "bytes">

/** The target of one request: a track, or the position after which a list continues. */
export type Turn =
  | { readonly kind: "record"; readonly id: number }
  | { readonly kind: "page"; readonly after: number }
  /** `rank`: how many tracks of the genre stand before the page. */
  | {
      readonly kind: "filtered"
      readonly genre: number
      readonly after: number
      readonly milliseconds: number
      readonly rank: number
    }
  | { readonly kind: "insert"; readonly input: NewTrack }
  | { readonly kind: "update"; readonly id: number; readonly input: TrackChange }

/** The turns that go on after a position. */
type PageTurn = Extract<Turn, { readonly after: number }>

interface Turns {
  /** `repeated` when absent. */
  readonly values?: ValuesName
  /** As many as `values` says when absent. */
  readonly length?: number
}

/** Different ones, the same for every server; fewer than asked for where there are not so many. */
export function turnsOf(
  name: WorkloadName,
  data: MusicData,
  { values = "repeated", length = values === "repeated" ? workloads[name].repeated : mostFresh }: Turns = {},
): readonly Turn[] {
  const random = seeded(7)
  const { count, at } = ranges[name](data)
  // Made up by chance, they are different from one another.
  if (count === undefined) return Array.from({ length }, (_, index) => at(index, random))
  return drawn(count, Math.min(length, count), random).map((index) => at(index, random))
}

/** So many of the numbers below `count`, each once. */
function drawn(count: number, length: number, random: Random): readonly number[] {
  const all = Uint32Array.from({ length: count }, (_, index) => index)
  for (let index = 0; index < length; index += 1) {
    const other = random.between(index, count - 1)
    ;[all[index], all[other]] = [all[other] ?? 0, all[index] ?? 0]
  }
  return [...all.subarray(0, length)]
}

/** All turns of a workload. */
interface Range {
  /** The number of turns that follow from records; unbounded when absent. */
  readonly count?: number
  at(index: number, random: Random): Turn
}

const pages = (count: number): Range => ({ count, at: (index) => ({ kind: "page", after: index + 1 }) })

const ranges: Readonly<Record<WorkloadName, (data: MusicData) => Range>> = {
  W1: ({ tracks }) => ({ count: tracks.length, at: (index) => ({ kind: "record", id: index + 1 }) }),
  W2: ({ tracks }) => filteredPages(tracks),
  W3: ({ albums }) => pages(albums - 20),
  W4: ({ sizes }) => pages(sizes.artists - 10),
  W7: ({ tracks }) => pages(tracks.length - 1_000),
  insert: (data) => ({
    at: (_index, random) => ({
      kind: "insert",
      input: {
        ...change(random),
        composer: random.oneIn(4) ? null : 'Somebody "New"',
        position: random.between(1, 20),
        // Longer than any of those that lists are asked about.
        milliseconds: random.between(700_000, 900_000),
        unitPrice: random.oneIn(3) ? "1.29" : "0.99",
        explicit: random.oneIn(9),
        albumId: String(random.between(1, data.albums)),
        genreId: String(random.between(1, data.sizes.genres)),
      },
    }),
  }),
  update: ({ tracks }) => ({
    count: tracks.length,
    at: (index, random) => ({ kind: "update", id: index + 1, input: change(random) }),
  }),
}

const change = (random: Random): TrackChange => ({
  name: `Take ${random.between(1, 1_000)} «live»`,
  bytes: random.between(1_000_000, 20_000_000),
})

/** Pages of each genre that are full, and followed by others. */
function filteredPages(tracks: readonly Track[]): Range {
  const byGenre = Map.groupBy(tracks, ({ genreId }) => genreId)
  const all = [...byGenre].flatMap(([genre, own]) =>
    own
      .toSorted((a, b) => a.milliseconds - b.milliseconds || a.id - b.id)
      .slice(0, Math.max(1, own.length - 25))
      .map(({ id, milliseconds }, index) => ({ genre, after: id, milliseconds, rank: index + 1 })),
  )
  return {
    count: all.length,
    at(index) {
      const { genre = 1, after = 1, milliseconds = 0, rank = 1 } = all[index] ?? {}
      return { kind: "filtered", genre, after, milliseconds, rank }
    },
  }
}

export interface HttpRequest {
  readonly method: "GET" | "POST" | "PATCH"
  readonly path: string
  /** JSON, of any but a GET. */
  readonly body?: string
  /** The header that says who asks. */
  readonly authorization?: string
  /** The version of the API that is asked for. */
  readonly version?: string
}

/** How ids and positions are spelt, which differs from server to server. */
export interface Spelling {
  record(id: number): string
  genre(id: number): string
  cursor(turn: PageTurn): string
}

/** The request of Bifold's clients; hand-written servers answer the same one. */
export function requestOf(name: WorkloadName, face: FaceName, turn: Turn, spelling: Spelling): HttpRequest {
  const given = givenBy(turn, spelling)
  const { document, rest } = workloads[name]
  if (face === "graphql")
    return {
      method: "POST",
      path: "/graphql",
      body: JSON.stringify({ query: document, variables: given }),
    }
  const { id, genre, after, input } = given
  const parameters = new URLSearchParams(rest.parameters)
  if (genre !== undefined) parameters.set("filter[genreId]", genre)
  if (after !== undefined) parameters.set("after", after)
  const path = `${rest.path}${id === undefined ? "" : `/${id}`}?${parameters}`
  return rest.method ? { method: rest.method, path, body: JSON.stringify(input) } : { method: "GET", path }
}

interface Given {
  readonly id?: string
  readonly genre?: string
  readonly after?: string
  readonly input?: NewTrack | TrackChange
}

function givenBy(turn: Turn, spelling: Spelling): Given {
  switch (turn.kind) {
    case "record":
      return { id: spelling.record(turn.id) }
    case "page":
      return { after: spelling.cursor(turn) }
    case "filtered":
      return { genre: spelling.genre(turn.genre), after: spelling.cursor(turn) }
    case "insert":
      return { input: turn.input }
    case "update":
      return { id: spelling.record(turn.id), input: turn.input }
  }
}
