// Mercurius with its compiler (jit) and its loaders: `node mercurius.mjs <database>`.
import Fastify from "fastify"
import mercurius from "mercurius"
import { openMusic, schema } from "./music.mjs"

const music = await openMusic(process.argv[2])
const ids = (queries, column) => queries.map(({ obj }) => obj[column])
/** All of one selection ask for equally many. */
const firstOf = ([query]) => query.params.first

const app = Fastify()
app.register(mercurius, {
  schema,
  jit: 1,
  graphiql: false,
  resolvers: {
    Query: {
      track: (_root, { id }) => music.track(id),
      tracks: (_root, args) => music.tracks(args),
      albums: (_root, { first, after }) => music.albums(first, after),
      artists: (_root, { first, after }) => music.artists(first, after),
    },
    Mutation: {
      createTrack: (_root, args) => music.createTrack(args),
      updateTrack: (_root, args) => music.updateTrack(args),
    },
    Track: { unitPrice: music.unitPrice, explicit: music.explicit },
  },
  loaders: {
    Track: {
      genre: { loader: (queries) => music.genresById(ids(queries, "genre_id")), opts: { cache: false } },
    },
    Album: {
      artist: {
        loader: (queries) => music.artistsById(ids(queries, "artist_id")),
        opts: { cache: false },
      },
      tracks: {
        loader: (queries) => music.tracksOfAlbums(ids(queries, "id"), firstOf(queries)),
        opts: { cache: false },
      },
    },
    Artist: {
      albums: {
        loader: (queries) => music.albumsOfArtists(ids(queries, "id"), firstOf(queries)),
        opts: { cache: false },
      },
    },
  },
})
console.log(await app.listen({ port: 0, host: "127.0.0.1" }))
