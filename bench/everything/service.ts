// The same music library with everything on. A record label signs in by token and sees its own publications.
// The log has every change, callers have budgets, and clients of an older version are still served.
import {
  anyone,
  f,
  one,
  type ResourceDeclaration,
  type RuleDeclaration,
  type ServiceDeclaration,
  viewer,
} from "bifold"
import { keysVariable, tokenIdentity } from "../ruled/token.ts"
import music from "../service.ts"

const { artist, album, genre, track, playlist } = music.resources

/** Only the label of a record may read and write it. */
const own: RuleDeclaration = { label: { id: { eq: viewer["id"] } } }

const ofLabel = (resource: ResourceDeclaration): ResourceDeclaration => ({
  ...resource,
  relations: { ...resource.relations, label: one("label") },
  history: true,
  allow: { read: own, create: own, update: own, delete: own },
})

const ofAnyone = (resource: ResourceDeclaration): ResourceDeclaration => ({
  ...resource,
  history: true,
  allow: { read: anyone },
})

const { name: _, ...fields } = track.fields

/** The version that the requests of the bench are written for. */
export const olderVersion = "2026-01-01"

export default {
  ...music,
  viewer: "label",
  ...tokenIdentity(process.env[keysVariable]),
  versions: { "2026-06-01": [{ renamed: "track.name", to: "title" }], [olderVersion]: [] },
  limits: { ...music.limits, cost: { perMinute: 100_000_000, concurrent: 10_000 } },
  resources: {
    label: {
      key: { column: "id", type: "integer" },
      fields: { name: f.text({ max: 120 }) },
      allow: { read: { id: { eq: viewer["id"] } } },
    },
    artist: ofLabel(artist),
    album: ofLabel(album),
    genre: ofAnyone(genre),
    track: ofLabel({
      ...track,
      fields: { title: f.text({ max: 200, column: "name" }), ...fields },
    }),
    playlist: ofAnyone(playlist),
  },
} satisfies ServiceDeclaration
