// Other GraphQL servers, each in its usual production settings (bench/peers), and how each is asked the same.
import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { type AskJson, handSpelling } from "./answers.ts"
import { installPackages } from "./install.ts"
import type { Contestant, DatabaseName, Question } from "./servers.ts"
import type { HttpRequest, NewTrack, Turn, WorkloadName } from "./workloads.ts"

type Documents = Readonly<Record<WorkloadName, string>>

interface Peer {
  readonly name: string
  readonly file: string
  readonly package: string
  readonly databases: Contestant["databases"]
  readonly documents: Documents
  readonly variables: (turn: Turn, cursors: ReadonlyMap<number, string>, database: DatabaseName) => object
  /** Its own cursors, by the id of the record that they stand at. */
  readonly cursors?: (ask: AskJson, question: Question) => Promise<ReadonlyMap<number, string>>
}

const folder = join(import.meta.dirname, "peers")
const none: ReadonlyMap<number, string> = new Map()

/** Those that can be installed here; the notes say which cannot, and why. */
export function findPeers(): { readonly peers: readonly Contestant[]; readonly notes: readonly string[] } {
  try {
    installPackages(folder)
  } catch (error) {
    const why = error instanceof Error ? error.message.split("\n")[0] : String(error)
    return { peers: [], notes: [`The peers could not be installed: ${why}`] }
  }
  const versions = peers.map((peer) => `${peer.name} ${versionOf(peer.package)}`)
  return { peers: peers.map(contestantOf), notes: [`Peers, asked by GraphQL only: ${versions.join(", ")}.`] }
}

function versionOf(name: string): string {
  const { stdout } = spawnSync("npm", ["ls", name, "--json", "--depth=0"], { cwd: folder, encoding: "utf8" })
  const listed = JSON.parse(stdout) as { dependencies?: Record<string, { version?: string }> }
  return listed.dependencies?.[name]?.version ?? "(unknown version)"
}

const contestantOf = ({ name, file, databases, documents, variables, cursors }: Peer): Contestant => ({
  name,
  kind: "peer",
  faces: ["graphql"],
  databases,
  command: (_face, database) => ({
    program: process.execPath,
    args: ["--disable-warning=ExperimentalWarning", join(folder, file), database],
    cwd: folder,
  }),
  async requests(ask, question): Promise<readonly HttpRequest[]> {
    const known = (await cursors?.(ask, question)) ?? none
    const query = documents[question.workload]
    return question.turns.map((turn) => ({
      method: "POST",
      path: "/graphql",
      body: JSON.stringify({ query, variables: variables(turn, known, question.database) }),
    }))
  },
})

// Mercurius and Apollo have the same schema, written for them (bench/peers/music.mjs).

const ownSchema: Documents = {
  W1: "query Track($id: ID!) { track(id: $id) { id name composer milliseconds bytes unitPrice } }",
  W2: "query Tracks($genre: ID!, $after: String!) { tracks(genreId: $genre, first: 20, after: $after) { nodes { id name milliseconds unitPrice } pageInfo { hasNextPage endCursor } } }",
  W3: "query Albums($after: String!) { albums(first: 20, after: $after) { id title artist { id name } tracks(first: 10) { id name milliseconds } } }",
  W4: "query Artists($after: String!) { artists(first: 10, after: $after) { id name albums(first: 5) { id title tracks(first: 10) { id name genre { id name } } } } }",
  W7: "query Library($after: String!) { tracks(first: 1000, after: $after) { nodes { id name composer position milliseconds bytes unitPrice explicit } } }",
  insert:
    "mutation Add($input: NewTrack!) { createTrack(input: $input) { id name composer milliseconds bytes unitPrice } }",
  update:
    "mutation Change($id: ID!, $input: TrackChange!) { updateTrack(id: $id, input: $input) { id name composer milliseconds bytes unitPrice } }",
}

const ownVariables: Peer["variables"] = (turn) => {
  if (turn.kind === "record") return { id: String(turn.id) }
  if (turn.kind === "insert") return { input: turn.input }
  if (turn.kind === "update") return { id: String(turn.id), input: turn.input }
  const after = handSpelling.cursor(turn)
  return turn.kind === "filtered" ? { genre: String(turn.genre), after } : { after }
}

// PostGraphile names things after the tables.

const postgraphileDocuments: Documents = {
  W1: "query Track($id: Int!) { trackByRowId(rowId: $id) { id: rowId name composer milliseconds bytes unitPrice } }",
  W2: "query Tracks($genre: Int!, $after: Cursor!) { allTracks(condition: {genreId: $genre}, orderBy: [MILLISECONDS_ASC, ROW_ID_ASC], first: 20, after: $after) { nodes { id: rowId name milliseconds unitPrice } pageInfo { hasNextPage endCursor } } }",
  W3: "query Albums($after: Cursor!) { allAlbums(first: 20, after: $after) { nodes { id: rowId title artist: artistByArtistId { id: rowId name } tracks: tracksByAlbumId(first: 10) { nodes { id: rowId name milliseconds } } } } }",
  W4: "query Artists($after: Cursor!) { allArtists(first: 10, after: $after) { nodes { id: rowId name albums: albumsByArtistId(first: 5) { nodes { id: rowId title tracks: tracksByAlbumId(first: 10) { nodes { id: rowId name genre: genreByGenreId { id: rowId name } } } } } } } }",
  W7: "query Library($after: Cursor!) { allTracks(first: 1000, after: $after) { nodes { id: rowId name composer position milliseconds bytes unitPrice explicit } } }",
  insert:
    "mutation Add($input: TrackInput!) { createTrack(input: {track: $input}) { track { id: rowId name composer milliseconds bytes unitPrice } } }",
  update:
    "mutation Change($id: Int!, $input: TrackPatch!) { updateTrackByRowId(input: {rowId: $id, trackPatch: $input}) { track { id: rowId name composer milliseconds bytes unitPrice } } }",
}

/** A new track as the tables have it. */
const newTrack = ({ input }: Extract<Turn, { readonly kind: "insert" }>) => ({
  ...input,
  albumId: Number(input.albumId),
  genreId: Number(input.genreId),
})

const postgraphileLists: Readonly<Partial<Record<WorkloadName, string>>> = {
  W2: "allTracks(orderBy: [MILLISECONDS_ASC, ROW_ID_ASC], first: 1000, after: $after)",
  W3: "allAlbums(first: 1000, after: $after)",
  W4: "allArtists(first: 1000, after: $after)",
  W7: "allTracks(first: 1000, after: $after)",
}

/** The cursors of all records, page by page. */
async function postgraphileCursors(
  ask: AskJson,
  { workload }: Question,
): Promise<ReadonlyMap<number, string>> {
  const list = postgraphileLists[workload]
  const cursors = new Map<number, string>()
  if (list === undefined) return cursors
  const query = `query ($after: Cursor) { page: ${list} { edges { cursor node { rowId } } } }`
  for (let after: string | null = null; ; ) {
    const body = JSON.stringify({ query, variables: { after } })
    const answer = (await ask({ method: "POST", path: "/graphql", body })) as PostgraphilePage
    const { edges } = answer.data.page
    for (const { cursor, node } of edges) cursors.set(node.rowId, cursor)
    const last = edges.at(-1)
    if (!last) return cursors
    after = last.cursor
  }
}

interface PostgraphilePage {
  readonly data: {
    readonly page: {
      readonly edges: readonly { readonly cursor: string; readonly node: { readonly rowId: number } }[]
    }
  }
}

// Platformatic has no cursors in GraphQL: lists by key go on after the key, the other one has an offset.

const platformaticDocuments: Documents = {
  W1: "query Track($id: ID!) { getTrackById(id: $id) { id name composer milliseconds bytes unitPrice } }",
  W2: "query Tracks($genre: ID!, $rank: Int!) { track(where: {genreId: {eq: $genre}}, orderBy: [{field: milliseconds, direction: ASC}, {field: id, direction: ASC}], limit: 20, offset: $rank) { id name milliseconds unitPrice } }",
  W3: "query Albums($after: ID!) { album(where: {id: {gt: $after}}, orderBy: [{field: id, direction: ASC}], limit: 20) { id title artist { id name } tracks: track(limit: 10, orderBy: [{field: id, direction: ASC}]) { id name milliseconds } } }",
  W4: "query Artists($after: ID!) { artist(where: {id: {gt: $after}}, orderBy: [{field: id, direction: ASC}], limit: 10) { id name albums: album(limit: 5, orderBy: [{field: id, direction: ASC}]) { id title tracks: track(limit: 10, orderBy: [{field: id, direction: ASC}]) { id name genre { id name } } } } }",
  W7: "query Library($after: ID!) { track(where: {id: {gt: $after}}, orderBy: [{field: id, direction: ASC}], limit: 1000) { id name composer position milliseconds bytes unitPrice explicit } }",
  insert: `mutation Add($input: TrackInput!) { saveTrack(input: $input) { id name composer milliseconds bytes unitPrice } }`,
  update: `mutation Change($input: TrackInput!) { saveTrack(input: $input) { id name composer milliseconds bytes unitPrice } }`,
}

const asSqliteStores = ({ unitPrice, explicit }: NewTrack) => ({
  unitPrice: Math.round(Number(unitPrice) * 100),
  explicit: Number(explicit),
})

const peers: readonly Peer[] = [
  {
    name: "PostGraphile",
    file: "postgraphile.mjs",
    package: "postgraphile",
    databases: ["postgres"],
    documents: postgraphileDocuments,
    variables(turn, cursors) {
      if (turn.kind === "record") return { id: turn.id }
      if (turn.kind === "insert") return { input: newTrack(turn) }
      if (turn.kind === "update") return { id: turn.id, input: turn.input }
      const after = cursors.get(turn.after)
      return turn.kind === "filtered" ? { genre: turn.genre, after } : { after }
    },
    cursors: postgraphileCursors,
  },
  {
    name: "Mercurius",
    file: "mercurius.mjs",
    package: "mercurius",
    databases: ["sqlite", "postgres"],
    documents: ownSchema,
    variables: ownVariables,
  },
  {
    name: "Platformatic DB",
    file: "platformatic.mjs",
    package: "@platformatic/db",
    databases: ["sqlite", "postgres"],
    documents: platformaticDocuments,
    variables(turn, _cursors, database) {
      if (turn.kind === "record") return { id: String(turn.id) }
      // On SQLite some of these change nothing, and cost no sync: it has no way to count a version.
      if (turn.kind === "update") return { input: { id: String(turn.id), ...turn.input } }
      if (turn.kind === "insert") {
        const input = { ...turn.input, ...(database === "sqlite" && asSqliteStores(turn.input)) }
        return { input }
      }
      if (turn.kind === "page") return { after: String(turn.after) }
      return { genre: String(turn.genre), rank: turn.rank }
    },
  },
  {
    name: "Apollo Server",
    file: "apollo.mjs",
    package: "@apollo/server",
    databases: ["sqlite", "postgres"],
    documents: ownSchema,
    variables: ownVariables,
  },
]
