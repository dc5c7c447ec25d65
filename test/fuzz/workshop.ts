// The service that random requests are sent to: every kind of field, key, relation and operation, and four who ask, of
// whom each may do something that another may not.
import { action, anyone, computed, f, many, one, operation, resource, role, service, withCode } from "bifold"

const staff = role("staff")
const reads = [staff, role("reader")]
const creates = [staff, role("creator")]
/** What is created, read, changed and deleted by different people. */
const divided = { create: creates, read: reads, update: staff, delete: staff }

const declared = service({
  name: "workshop",
  title: "Workshop",
  roles: ["staff", "reader", "creator"],
  viewer: "person",
  identity: { keys: { manage: staff } },
  limits: { page: { default: 5, max: 100 } },
  resources: {
    person: resource({
      id: "per",
      fields: { name: f.text({ max: 60 }), email: f.email({ unique: true }) },
      relations: { things: many("thing", { by: "owner" }) },
      allow: divided,
    }),
    thing: resource({
      id: "thg",
      fields: {
        name: f.text({ unique: true, max: 80 }),
        open: f.boolean({ default: true }),
        title: f.text({ optional: true }),
        site: f.url({ optional: true }),
        contact: f.email({ optional: true }),
        handle: f.slug({ optional: true }),
        floor: f.integer({ optional: true, min: -5, max: 50 }),
        count: f.int64({ optional: true }),
        height: f.float({ optional: true }),
        price: f.decimal({ precision: 12, scale: 2, optional: true }),
        madeOn: f.date({ optional: true }),
        opensAt: f.time({ optional: true }),
        seenAt: f.timestamp({ optional: true }),
        serial: f.uuid({ optional: true }),
        facts: f.json({ optional: true }),
        mood: f.oneOf(["calm", "loud"], { optional: true }),
        image: f.bytes({ optional: true, max: 1_000 }),
        words: f.list(f.text({ max: 40 }), { optional: true }),
        years: f.list(f.integer(), { optional: true }),
        secret: f.text({ optional: true, read: staff, write: creates }),
        double: f.decimal({ optional: true, precision: 14, scale: 2, computed: { multiply: ["price", 2] } }),
      },
      relations: {
        owner: one("person", { optional: true }),
        shelf: one("shelf", { optional: true }),
        label: one("label", { optional: true }),
        place: one("place", { optional: true, columns: { place_hall: "hall", place_number: "number" } }),
        parent: one("thing", { optional: true }),
        children: many("thing", { by: "parent" }),
        tags: many("tag", { through: "thing_tag" }),
        parts: many("part", { by: "thing", owned: true }),
      },
      indexes: [["floor"], ["price", "name"]],
      history: true,
      allow: {
        read: [...reads, { open: { eq: true } }],
        create: creates,
        update: staff,
        delete: [{ and: [staff, { open: { eq: false } }] }],
      },
    }),
    part: resource({
      key: ["thing", "position"],
      fields: { position: f.integer({ min: 0, immutable: true }), text: f.text({ max: 200 }) },
      relations: { thing: one("thing") },
      allow: { ...divided, read: [...reads, { thing: { open: { eq: true } } }] },
    }),
    shelf: resource({
      key: { column: "id", type: "integer" },
      fields: { name: f.text() },
      relations: { things: many("thing", { by: "shelf" }) },
      allow: divided,
    }),
    label: resource({
      key: ["code"],
      fields: { code: f.text({ immutable: true, max: 40 }), order: f.integer({ optional: true }) },
      relations: { things: many("thing", { by: "label" }) },
      allow: divided,
    }),
    place: resource({
      key: ["hall", "number"],
      fields: {
        hall: f.text({ immutable: true, max: 20 }),
        number: f.integer({ immutable: true }),
        free: f.boolean({ default: true }),
      },
      relations: { things: many("thing", { by: "place" }) },
      allow: { ...divided, read: anyone },
    }),
    tag: resource({
      key: { column: "id", type: "text", given: true },
      fields: { colour: f.text({ optional: true, max: 40 }) },
      relations: { things: many("thing", { through: "thing_tag" }) },
      allow: divided,
    }),
    signup: resource({
      id: "sgn",
      fields: { name: f.text({ max: 60 }), note: f.text({ optional: true, max: 500 }) },
      allow: { create: anyone, read: staff, delete: staff },
    }),
    guest: resource({
      id: "gst",
      fields: { text: f.text({ max: 200 }), stars: f.integer({ min: 0, max: 5, default: 3 }) },
      allow: { create: anyone, read: anyone, update: anyone, delete: staff },
    }),
    careful: resource({
      id: "crf",
      versioned: "required",
      fields: { text: f.text({ max: 200 }) },
      allow: divided,
    }),
    job: resource({
      id: "job",
      fields: {
        title: f.text({ max: 100 }),
        effort: f.integer({ optional: true, min: 0, max: 1_000 }),
        answer: f.text({ optional: true, readonly: true }),
        endedAt: f.timestamp({ optional: true, readonly: true }),
      },
      relations: { thing: one("thing", { optional: true }) },
      states: {
        state: {
          initial: "waiting",
          final: "ended",
          transitions: {
            begin: { from: "waiting", to: "running", allow: [staff, role("creator")] },
            pause: { from: "running", to: "waiting", allow: anyone },
            finish: {
              from: ["waiting", "running"],
              to: "ended",
              when: { effort: { isNull: false } },
              input: { answer: f.text({ max: 80 }) },
              set: { answer: { given: "answer" }, endedAt: "now" },
              allow: staff,
            },
          },
        },
      },
      allow: { ...divided, read: [...reads, { state: { eq: "running" } }] },
    }),
  },
})

export const workshop = withCode(declared, {
  computed: {
    person: {
      initials: computed({
        type: f.text({ optional: true }),
        needs: ["name"],
        run: (people) => people.map(({ name }) => name.slice(0, 2)),
      }),
    },
  },
  actions: {
    job: {
      copy: action({
        input: { title: f.text({ max: 40 }), times: f.integer({ min: 1, max: 3 }) },
        output: { made: f.integer() },
        allow: [staff, role("creator")],
        as: { roles: ["staff"] },
        async run({ input: { title, times }, db }) {
          for (let index = 0; index < times; index += 1) await db.job.create({ title })
          return { made: times }
        },
      }),
    },
  },
  operations: {
    greet: operation({
      input: { name: f.text({ max: 40 }) },
      output: { text: f.text() },
      allow: anyone,
      run: ({ input: { name } }) => ({ text: `Hello ${name}` }),
    }),
  },
})
