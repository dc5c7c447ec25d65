// Platformatic DB on the tables as they are: `node platformatic.mjs <database>`.
import { create } from "@platformatic/db"

const database = process.argv[2]
const connectionString = database.startsWith("postgres:") ? database : `sqlite://${database}`
const app = await create(import.meta.dirname, {
  server: { hostname: "127.0.0.1", port: 0, logger: { level: "error" } },
  db: {
    connectionString,
    graphql: { graphiql: false },
    openapi: false,
    events: false,
    // Its own maximum is 100 rows.
    limit: { default: 20, max: 1000 },
  },
})
await app.start({ listen: true })
console.log(app.getUrl())
