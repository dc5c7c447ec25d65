// A service of which every write runs a hook, which tells what it was given and fills in what nobody can write.
import { anyone, f, many, one, problem, resource, role, service, viewer, withCode } from "../../src/index.ts"

const keeper = role("keeper")

interface Told {
  readonly input?: object
  readonly old?: object
  readonly new?: object
}

export const told: { readonly hook: string; readonly given: Told }[] = []

function tell(hook: string, { input, old, new: next }: Told): void {
  told.push({ hook, given: { ...(input && { input }), ...(old && { old }), ...(next && { new: next }) } })
}

export const zoo = withCode(
  service({
    name: "zoo",
    roles: ["keeper"],
    viewer: "person",
    resources: {
      person: resource({ id: "per", fields: { name: f.text() }, allow: { read: anyone } }),
      animal: resource({
        id: "ani",
        fields: {
          name: f.text({ unique: true }),
          weight: f.integer({ default: 1 }),
          slug: f.text({ optional: true, readonly: true }),
          secret: f.text({ optional: true, read: role("keeper") }),
          changes: f.integer({ default: 0, readonly: true }),
        },
        relations: {
          owner: one("person", { optional: true }),
          toys: many("toy", { by: "animal", owned: true }),
        },
        states: {
          initial: "young",
          transitions: {
            grow: { from: "young", to: "old", allow: [keeper, { owner: { id: { eq: viewer.id } } }] },
          },
        },
        allow: {
          read: [keeper, { owner: { id: { eq: viewer.id } } }],
          create: keeper,
          update: keeper,
          delete: keeper,
        },
      }),
      toy: resource({
        id: "toy",
        fields: { name: f.text() },
        relations: { animal: one("animal") },
        allow: { read: keeper, create: keeper, update: keeper, delete: keeper },
      }),
      note: resource({
        id: "not",
        fields: { text: f.text() },
        allow: { read: keeper, create: keeper },
      }),
    },
  }),
  {
    before: {
      animal: {
        async create(change) {
          tell("create", change)
          if (change.new.name === "Dragon")
            throw problem("invalid_value", "There are none.", { place: ["name"] })
          if (change.new.name === "Bug") throw new Error("a bug")
          if (change.new.name === "Liar") return { weight: "heavy" as unknown as number }
          if (change.new.name === "Stateful") return { state: "old" } as object
          if (change.new.name === "Noted") await change.db.note.create({ text: "made" })
          return { slug: change.new.name.toLowerCase() }
        },
        update(change) {
          tell("update", change)
          if ((change.new.weight ?? 0) > 100) throw problem("conflict", "Too heavy.")
          return { changes: change.old.changes + 1 }
        },
        delete(change) {
          tell("delete", change)
          if (change.old.name === "Immortal") throw problem("conflict", "It does not go.")
        },
      },
      toy: {
        delete(change) {
          tell("toy", change)
          if (change.old.name === "Glued") throw problem("conflict", "It is glued.")
        },
      },
      note: {
        async create(change) {
          if (change.new.text === "endless") await change.db.note.create({ text: "endless" })
        },
      },
    },
  },
)
