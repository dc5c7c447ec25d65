// Apollo Server 5 with DataLoader: `node apollo.mjs <database>`.
import { ApolloServer } from "@apollo/server"
import { startStandaloneServer } from "@apollo/server/standalone"
import DataLoader from "dataloader"
import { openMusic, schema } from "./music.mjs"

const music = await openMusic(process.argv[2])

/** Fresh for each request, as DataLoader's documentation says. */
function loadersOf() {
  const byFirst = (read) => {
    const loaders = new Map()
    return (id, first) => {
      if (!loaders.has(first)) loaders.set(first, new DataLoader((keys) => read(keys, first)))
      return loaders.get(first).load(id)
    }
  }
  return {
    artist: new DataLoader(music.artistsById),
    genre: new DataLoader(music.genresById),
    tracks: byFirst(music.tracksOfAlbums),
    albums: byFirst(music.albumsOfArtists),
  }
}

const server = new ApolloServer({
  typeDefs: schema,
  introspection: false,
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
    Track: {
      unitPrice: music.unitPrice,
      explicit: music.explicit,
      genre: ({ genre_id }, _args, { genre }) => genre.load(genre_id),
    },
    Album: {
      artist: ({ artist_id }, _args, { artist }) => artist.load(artist_id),
      tracks: ({ id }, { first }, { tracks }) => tracks(id, first),
    },
    Artist: { albums: ({ id }, { first }, { albums }) => albums(id, first) },
  },
})
const { url } = await startStandaloneServer(server, {
  listen: { port: 0, host: "127.0.0.1" },
  context: async () => loadersOf(),
})
console.log(url)
