// A pooler before a test's PostgreSQL database: pgbouncer, where it is installed.
import { spawn, spawnSync } from "node:child_process"
import { chmodSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import pg from "pg"
import { type Hooks, temporaryFolder } from "./database.ts"
import { freePort } from "./free-port.ts"

export const hasPooler = spawnSync("pgbouncer", ["--version"]).status === 0

/** Gives its address. @param sessions that it has with the server */
export async function startPooler(hooks: Hooks, url: string, mode: string, sessions = 4): Promise<string> {
  const folder = await temporaryFolder(hooks)
  const port = await freePort()
  const { hostname, port: serverPort, username, password, pathname } = new URL(url)
  const file = join(folder, "pooler.ini")
  writeFileSync(
    file,
    `[databases]
x = host=${hostname} port=${serverPort} dbname=${pathname.slice(1)} user=${username}${password && ` password=${decodeURIComponent(password)}`}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = ${sessions}
`,
  )
  chmodSync(folder, 0o755)
  chmodSync(file, 0o644)
  const isRoot = process.getuid?.() === 0
  const child = spawn("pgbouncer", [file], { stdio: "ignore", ...(isRoot && { uid: 65_534, gid: 65_534 }) })
  hooks.after(() => void child.kill("SIGKILL"))
  const address = `postgres://me@127.0.0.1:${port}/x`
  for (let tries = 0; ; tries++) {
    const client = new pg.Client(address)
    client.on("error", () => {})
    try {
      await client.connect()
      await client.end()
      return address
    } catch (error) {
      if (tries > 100) throw error
      await sleep(50)
    }
  }
}
