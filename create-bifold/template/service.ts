// The service: its resources, and who may do what with them.
import { anyone, f, many, one, resource, role, service, viewer } from "bifold"

/** Records of the person who is signed in. */
const own = { author: { id: { eq: viewer.id } } }

export default service({
  name: "{{name}}",
  roles: ["editor"],
  // The resource that a signed-in person is.
  viewer: "author",
  identity: { keys: true },
  resources: {
    author: resource({
      fields: {
        name: f.text({ max: 100 }),
        email: f.email({ unique: true, read: role("editor") }),
      },
      relations: { posts: many("post", { by: "author" }) },
      allow: { read: anyone, create: role("editor"), update: role("editor") },
    }),
    post: resource({
      fields: {
        title: f.text({ max: 200 }),
        text: f.text({ optional: true }),
        draft: f.boolean({ default: true }),
      },
      relations: { author: one("author") },
      allow: {
        read: [{ draft: { eq: false } }, own, role("editor")],
        create: [own, role("editor")],
        update: [own, role("editor")],
        delete: own,
      },
    }),
  },
})
