import { startServer } from "./bench/processes.ts"
import { applyOpenLoad } from "./bench/overload.ts"
import { bifoldAt, askOver } from "./bench/servers.ts"
import { musicData, fillCommands } from "./bench/data.ts"
import { turnsOf } from "./bench/workloads.ts"
import { load } from "./src/model/load.ts"
import declaration from "./bench/service.ts"
import { sqlite } from "./src/sql/dialects/sqlite.ts"
import { setUp } from "./src/storage/migration/set-up.ts"
import { existsSync } from "node:fs"
const data = musicData()
const address = "/tmp/prof/full.sqlite"
if (!existsSync(address)) await setUp(address, fillCommands(load(declaration), sqlite, data))
const c = bifoldAt("/work/main", "Bifold")
const command = c.command("graphql", address)
const server = await startServer({ ...command, args: [...command.args, "--no-single-flight"], env: { BIFOLD_PROXIES: "1", BIFOLD_MAX_CONNECTIONS: "0" } })
const turns = turnsOf("W4", data)
const requests = await c.requests(askOver(server.url), { workload: "W4", face: "graphql", database: "sqlite", turns })
for (const [rate, conns, s] of [[1000, 32, 3], [900, 256, 6], [3000, 2000, 6], [10000, 2000, 8], [700, 256, 6]] as const) {
  const t = process.cpuUsage(); const w = performance.now()
  const r = await applyOpenLoad({ url: server.url, requests, perSecond: rate, seconds: s, connections: conns })
  const u = process.cpuUsage(t)
  console.log(rate, conns, JSON.stringify(r, (_, v) => typeof v === "number" ? Math.round(v * 10) / 10 : v), "client cpu", ((u.user + u.system) / 1000 / (performance.now() - w)).toFixed(2), "took", Math.round(performance.now() - w))
}
await server.stop()
process.exit(0)
