// A clinic of which the interesting part is who may have which own code run, and see what it computes: for tests of rules.
import {
  action,
  anyone,
  computed,
  f,
  many,
  one,
  operation,
  resource,
  role,
  scope,
  service,
  viewer,
  withCode,
} from "../../src/index.ts"

const doctor = role("doctor")
const clerk = role("clerk")
const boss = role("boss")
const own = { patient: { id: { eq: viewer.id } } }

const plain = service({
  name: "clinic",
  roles: ["doctor", "clerk", "boss"],
  scopes: ["stock"],
  viewer: "patient",
  resources: {
    patient: resource({
      id: "pat",
      fields: {
        name: f.text(),
        weight: f.integer({ read: [doctor, { id: { eq: viewer.id } }] }),
        dose: f.integer({ read: doctor }),
      },
      relations: { visits: many("visit", { by: "patient" }) },
      allow: { read: [doctor, clerk, { id: { eq: viewer.id } }] },
    }),
    room: resource({
      id: "roo",
      fields: { name: f.text() },
      relations: { visits: many("visit", { by: "room" }) },
      allow: { read: doctor },
    }),
    visit: resource({
      id: "vis",
      fields: { open: f.boolean(), cost: f.integer() },
      relations: { patient: one("patient"), room: one("room") },
      allow: { read: [doctor, clerk, own] },
    }),
  },
})

const nothing = (): void => {}

export const clinic = withCode(plain, {
  computed: {
    patient: {
      perKilo: computed({
        type: f.integer(),
        needs: ["weight", "dose"],
        run: (patients) => patients.map(({ weight, dose }) => Math.round(dose / weight)),
      }),
      heavy: computed({
        type: f.boolean(),
        needs: ["weight"],
        run: (patients) => patients.map(({ weight }) => weight > 90),
      }),
    },
    visit: {
      place: computed({
        type: f.text(),
        needs: ["open", "roomId"],
        run: (visits) => visits.map(({ roomId }) => `in ${roomId}`),
      }),
    },
  },
  actions: {
    visit: {
      close: action({
        allow: [doctor, { ...own, open: { eq: true } }],
        as: { roles: ["clerk"], scopes: ["stock"] },
        run: nothing,
      }),
      bill: action({ allow: { and: [clerk, scope("stock")] }, run: nothing }),
      /** Who may reads no visits by that alone. */
      reopen: action({ allow: boss, run: nothing }),
      forget: action({ run: nothing }),
    },
  },
  operations: {
    restock: operation({ allow: [doctor, scope("stock")], as: {}, run: nothing }),
    audit: operation({ allow: { and: [boss, { not: clerk }] }, run: nothing }),
    ping: operation({ allow: anyone, run: nothing }),
    wipe: operation({ run: nothing }),
  },
})
