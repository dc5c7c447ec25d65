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
  /** What GraphQL clients send beside the variables `id`, `after` and `genre`, or `input`. */
  readonly document: string
  /** The resource's path and the parameters that never change. */
  readonly rest: {
    /** GET when absent. */
    readonly method?: "POST" | "PATCH"
    readonly path: string
    readonly parameters: Readonly<Record<string, string>>
  }
  /** How many different requests take turns. */
  readonly turns: Readonly<Record<ValuesName, number>>
}

/**
 * Whether the values of a request come again while a server remembers them. `fresh`: more different requests than it
 * remembers, as far as there are that many records. `repeated`: some hundred, so that each has been answered before.
 */
export const valuesNames = ["fresh", "repeated"] as const
export type ValuesName = (typeof valuesNames)[number]

export const workloads: Readonly<Record<WorkloadName, Workload>> = {
  W1: {
    title: "one by id, 6 fields",
    document: "query Track($id: ID!) { track(id: $id) { id name composer milliseconds bytes unitPrice } }",
    rest: { path: "/tracks", parameters: { fields: "name,composer,milliseconds,bytes,unitPrice" } },
    turns: { fresh: 20_000, repeated: 500 },
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
    turns: { fresh: 20_000, repeated: 300 },
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
    turns: { fresh: 4_900, repeated: 300 },
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
    turns: { fresh: 990, repeated: 200 },
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
    turns: { fresh: 5_000, repeated: 100 },
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
    turns: { fresh: 20_000, repeated: 500 },
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
    turns: { fresh: 20_000, repeated: 500 },
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
}
/** What an update changes. */
type TrackChange = Pick<NewTrack, "name" | "bytes">

/** What one request is about: a track, or the place that a list goes on after. */
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
  /** The workload's own number when absent. */
  readonly length?: number
}

/** Different ones, the same for every server; fewer than asked for where there are not so many. */
export function turnsOf(
  name: WorkloadName,
  data: MusicData,
  { values = "repeated", length = workloads[name].turns[values] }: Turns = {},
): readonly Turn[] {
  const random = seeded(7)
  const make = turnMakers[name](data)
  const turns = new Map<string, Turn>()
  for (let drawn = 0; turns.size < length && drawn < 20 * length; drawn += 1) {
    const turn = make(random)
    turns.set(JSON.stringify(turn), turn)
  }
  return [...turns.values()]
}

type MakeTurn = (random: Random) => Turn

const turnMakers: Readonly<Record<WorkloadName, (data: MusicData) => MakeTurn>> = {
  W1:
    ({ tracks }) =>
    (random) => ({ kind: "record", id: random.between(1, tracks.length) }),
  W2: ({ tracks }) => filteredTurns(tracks),
  W3:
    ({ albums }) =>
    (random) => ({ kind: "page", after: random.between(1, albums - 20) }),
  W4:
    ({ sizes }) =>
    (random) => ({ kind: "page", after: random.between(1, sizes.artists - 10) }),
  W7:
    ({ tracks }) =>
    (random) => ({ kind: "page", after: random.between(1, tracks.length - 1_000) }),
  insert: (data) => (random) => ({
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
  update:
    ({ tracks }) =>
    (random) => ({ kind: "update", id: random.between(1, tracks.length), input: change(random) }),
}

const change = (random: Random): TrackChange => ({
  name: `Take ${random.between(1, 1_000)} «live»`,
  bytes: random.between(1_000_000, 20_000_000),
})

function filteredTurns(tracks: readonly Track[]): MakeTurn {
  const byGenre = Map.groupBy(tracks, ({ genreId }) => genreId)
  for (const ordered of byGenre.values())
    ordered.sort((a, b) => a.milliseconds - b.milliseconds || a.id - b.id)
  return (random) => {
    const genre = tracks[random.between(0, tracks.length - 1)]?.genreId ?? 1
    const ordered = byGenre.get(genre) ?? []
    const index = random.between(0, Math.max(0, ordered.length - 25))
    const { id = 1, milliseconds = 0 } = ordered[index] ?? {}
    return { kind: "filtered", genre, after: id, milliseconds, rank: index + 1 }
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

/** As Bifold's clients ask, and those of the hand-written servers, which answer the same requests. */
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

/** Many more, each with a document of its own: what a client sends that writes values into the text. */
export function distinctDocuments(requests: readonly HttpRequest[]): readonly HttpRequest[] {
  return Array.from({ length: 10_000 }, (_, index) => {
    const request = requests[index % requests.length]
    if (request?.body === undefined) throw new Error("Documents are sent by POST.")
    const { query, variables } = JSON.parse(request.body) as { query: string; variables: object }
    return { ...request, body: JSON.stringify({ query: `${query} # ${index}`, variables }) }
  })
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
