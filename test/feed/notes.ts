// A service whose records come in and go out of sight: by their own members, and by a relation's.
import { anyone, computed, f, one, only, resource, role, service, viewer, withCode } from "../../src/index.ts"

const staff = role("staff")

export const notes = service({
  name: "notes",
  roles: ["staff"],
  viewer: "person",
  resources: {
    person: resource({ id: "per", fields: { name: f.text() }, allow: { read: anyone, create: staff } }),
    folder: resource({
      id: "fol",
      fields: { title: f.text(), open: f.boolean({ default: false }) },
      relations: { owner: one("person") },
      history: true,
      allow: {
        read: [staff, { owner: { id: { eq: viewer.id } } }],
        create: staff,
        update: staff,
        delete: staff,
      },
    }),
    note: resource({
      id: "nte",
      fields: {
        text: f.text(),
        price: f.decimal({ precision: 10, scale: 2, default: "1.00" }),
        shared: f.boolean({ default: false }),
        dueOn: f.date({ optional: true }),
        secret: f.text({ optional: true, read: staff }),
        tags: f.list(f.text(), { optional: true }),
      },
      relations: { owner: one("person"), folder: one("folder", { optional: true }) },
      states: {
        initial: "draft",
        transitions: {
          publish: {
            from: "draft",
            to: "published",
            allow: staff,
            input: { why: f.text({ optional: true }) },
          },
        },
      },
      allow: {
        read: [
          staff,
          { owner: { id: { eq: viewer.id } } },
          { shared: { eq: true } },
          { folder: { open: { eq: true } } },
        ],
        create: staff,
        update: staff,
        delete: staff,
      },
    }),
    /** Ids that people choose come again. */
    page: resource({
      key: ["slug"],
      fields: { slug: f.text(), text: f.text(), open: f.boolean({ default: false }) },
      history: true,
      allow: {
        read: [staff, only(["slug", "text", "open"], { open: { eq: true } })],
        create: staff,
        update: staff,
        delete: staff,
      },
    }),
  },
})

/** With a field that tells the name of the caller for whom it was computed. */
export const namedNotes = withCode(notes, {
  computed: {
    note: {
      mine: computed({
        type: f.text(),
        needs: ["text"],
        run: (all, { actor }) => all.map(({ text }) => `${text} for ${actor.name}`),
      }),
    },
  },
})
