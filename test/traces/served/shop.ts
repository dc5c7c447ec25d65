// The shop of the tests that serve it by the command line: without code, whose writes nobody handles yet.
import { f, resource, role, service } from "../../../src/index.ts"

const staff = role("staff")
const allow = { read: staff, create: staff, update: staff, delete: staff }

export default service({
  name: "shop",
  roles: ["staff"],
  resources: {
    order: resource({ id: "ord", fields: { number: f.text() }, history: true, allow }),
    letter: resource({ id: "let", fields: { about: f.text() }, history: true, allow }),
  },
})
