// A service whose rules lead to other records, for `bifold can`.
import { f, many, one, resource, service, signedIn, together, viewer } from "../../src/index.ts"

const me = { person: { id: { eq: viewer.id } } }
const ownerOf = {
  organisation: { active: { eq: true }, memberships: { some: { ...me, level: { eq: "owner" } } } },
}

export const club = service({
  name: "club",
  viewer: "person",
  resources: {
    person: resource({
      id: "per",
      fields: { name: f.text() },
      relations: { memberships: many("membership", { by: "person" }) },
      allow: { read: signedIn },
    }),
    organisation: resource({
      id: "org",
      fields: { active: f.boolean() },
      relations: { memberships: many("membership", { by: "organisation" }) },
      allow: {
        read: signedIn,
        // One of its members is an owner somewhere.
        update: { memberships: { some: { person: { memberships: { some: { level: { eq: "owner" } } } } } } },
        delete: { memberships: { none: { level: { eq: "member" } } } },
      },
    }),
    membership: resource({
      id: "mem",
      fields: { level: f.oneOf(["owner", "member"]) },
      relations: { organisation: one("organisation"), person: one("person") },
      allow: {
        read: signedIn,
        update: [ownerOf, { and: [together("organisation"), me] }],
        // Somebody who is a member of some organisation and an owner of one, by the same record.
        delete: {
          person: {
            memberships: {
              some: { level: { eq: "owner" }, or: [ownerOf, { organisation: { active: { eq: false } } }] },
            },
          },
        },
      },
    }),
  },
})
