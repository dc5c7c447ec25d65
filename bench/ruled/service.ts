// The same music library in which a record label signs in, and sees what it has brought out: the bench with rules on.
import { anyone, f, one, type ResourceDeclaration, type ServiceDeclaration, viewer } from "bifold"
import music from "../service.ts"
import { keysVariable, tokenIdentity } from "./token.ts"

/** Only the label's own records are seen, by a rule on each of their tables. */
const ofLabel = (resource: ResourceDeclaration): ResourceDeclaration => ({
  ...resource,
  relations: { ...resource.relations, label: one("label") },
  allow: { read: { label: { id: { eq: viewer["id"] } } } },
})

const ofAnyone = (resource: ResourceDeclaration): ResourceDeclaration => ({
  ...resource,
  allow: { read: anyone },
})

const { artist, album, genre, track, playlist } = music.resources

const label: ResourceDeclaration = {
  key: { column: "id", type: "integer" },
  fields: { name: f.text({ max: 120 }) },
  allow: { read: { id: { eq: viewer["id"] } } },
}

export default {
  ...music,
  viewer: "label",
  ...tokenIdentity(process.env[keysVariable]),
  resources: {
    label,
    artist: ofLabel(artist),
    album: ofLabel(album),
    genre: ofAnyone(genre),
    track: ofLabel(track),
    playlist: ofAnyone(playlist),
  },
} satisfies ServiceDeclaration
