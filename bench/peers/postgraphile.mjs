// PostGraphile 5 with its own preset, as its documentation sets up production: `node postgraphile.mjs <database>`.
import { createServer } from "node:http"
import { postgraphile } from "postgraphile"
import { makePgService } from "postgraphile/adaptors/pg"
import { grafserv } from "postgraphile/grafserv/node"
import { PostGraphileAmberPreset } from "postgraphile/presets/amber"

process.env.GRAPHILE_ENV = "production"
const preset = {
  extends: [PostGraphileAmberPreset],
  pgServices: [makePgService({ connectionString: process.argv[2], schemas: ["public"] })],
  grafserv: { graphqlPath: "/graphql", graphiql: false, watch: false },
  grafast: { explain: false },
}
const instance = postgraphile(preset)
const server = createServer()
await instance.createServ(grafserv).addTo(server)
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}`))
