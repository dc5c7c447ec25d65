// Bifold's own server with its database open for writing: `node writing.ts <database>`.

import { load } from "../src/model/load.ts"
import { createServer } from "../src/server/server.ts"
import { createFaces } from "../src/server/service.ts"
import { openStorage } from "../src/storage/open.ts"
import declaration from "./service.ts"

const model = load(declaration)
const storage = await openStorage(process.argv[2] ?? "", { writes: "durable" })
const { url } = await createServer({
  ...createFaces({ model, storage, base: "", secret: "a secret of the benchmark" }),
  model,
  base: "",
  cors: [],
  bodyLimit: 1024 * 1024,
  loopbackOnly: false,
  observe: (observation) => console.error(observation),
  host: "127.0.0.1",
  port: 0,
})
console.log(url)
