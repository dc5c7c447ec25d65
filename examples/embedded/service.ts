// A list of tasks: each person sees and changes their own, staff sees all.
import { f, many, one, resource, role, service, viewer } from "bifold"

const own = { owner: { id: { eq: viewer.id } } }

export default service({
  name: "tasks",
  title: "Tasks",
  roles: ["staff"],
  viewer: "person",
  resources: {
    person: resource({
      id: "per",
      fields: { name: f.text({ max: 100 }) },
      relations: { tasks: many("task", { by: "owner" }) },
      allow: { read: [role("staff"), { id: { eq: viewer.id } }], create: role("staff") },
    }),
    task: resource({
      id: "tsk",
      history: true,
      fields: { title: f.text({ max: 200 }), done: f.boolean({ default: false }) },
      relations: { owner: one("person") },
      allow: { read: [role("staff"), own], create: [role("staff"), own], update: own, delete: own },
    }),
  },
})
