// The music library that the benchmark asks: tables with integer keys, which hand-written servers and peers use as well.
import { f, many, one, resource, service } from "bifold"

export default service({
  name: "music",
  title: "Music library",

  resources: {
    artist: resource({
      key: { column: "id", type: "integer" },
      fields: { name: f.text({ max: 120 }), country: f.text({ pattern: "[A-Z]{2}" }) },
      relations: { albums: many("album", { by: "artist" }) },
    }),

    album: resource({
      key: { column: "id", type: "integer" },
      fields: { title: f.text({ max: 160 }), releasedOn: f.date() },
      relations: { artist: one("artist"), tracks: many("track", { by: "album" }) },
    }),

    genre: resource({
      key: { column: "id", type: "integer" },
      fields: { name: f.text({ max: 60, unique: true }) },
      relations: { tracks: many("track", { by: "genre" }) },
    }),

    track: resource({
      key: { column: "id", type: "integer" },
      fields: {
        name: f.text({ max: 200 }),
        composer: f.text({ optional: true, max: 200 }),
        position: f.integer({ min: 1 }),
        milliseconds: f.integer({ min: 0 }),
        bytes: f.integer({ min: 0 }),
        unitPrice: f.decimal({ precision: 10, scale: 2 }),
        explicit: f.boolean(),
      },
      relations: {
        album: one("album"),
        genre: one("genre"),
        playlists: many("playlist", { through: "playlist_track" }),
      },
      indexes: [["genre", "milliseconds"]],
    }),

    playlist: resource({
      key: { column: "id", type: "integer" },
      fields: { name: f.text({ max: 120 }) },
      relations: { tracks: many("track", { through: "playlist_track" }) },
    }),
  },

  limits: { page: { default: 20, max: 1000 } },
})
