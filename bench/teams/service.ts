// Items of teams: members of a team read its items and add to them, by a rule that leads over two relations.
import { f, many, one, type RuleDeclaration, resource, service, signedIn, viewer } from "bifold"

const key = { column: "id", type: "integer" } as const
const member: RuleDeclaration = { team: { memberships: { some: { person: { id: { eq: viewer.id } } } } } }

export default service({
  name: "teams",
  viewer: "person",
  resources: {
    person: resource({ key, fields: { name: f.text({ max: 100 }) }, allow: { read: signedIn } }),
    team: resource({
      key,
      fields: { name: f.text({ max: 100 }) },
      relations: { memberships: many("membership", { by: "team" }) },
      allow: { read: { memberships: { some: { person: { id: { eq: viewer.id } } } } } },
    }),
    membership: resource({
      key,
      fields: {},
      relations: { team: one("team"), person: one("person") },
      allow: { read: { person: { id: { eq: viewer.id } } } },
    }),
    item: resource({
      key,
      fields: { name: f.text({ max: 100 }), rank: f.integer({ min: 0 }) },
      relations: { team: one("team") },
      allow: { read: member, create: member },
    }),
  },
})
