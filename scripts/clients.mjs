// The folders test/clients/*/ with the clients under test, each a package of its own. A test of a folder installs it from
// its package-lock.json, and again only when its package.json or lock changed.
import { createHash } from "node:crypto"
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { whileLocked } from "./lock.mjs"
import { installByNpm } from "./npm.mjs"

const root = join(import.meta.dirname, "..")
const home = join(root, "test", "clients")
/** Installs at a time: one waits for the network while another unpacks. */
const atOnce = 2

/** Names of all folders of clients. */
export const clientFolders = () =>
  globSync("*/package.json", { cwd: home })
    .map((path) => path.split(/[\\/]/)[0])
    .toSorted()

/** Names of the folders that hold a test file of these patterns. */
export function clientsOf(patterns) {
  const names = patterns
    .flatMap((pattern) => globSync(pattern, { cwd: root }))
    .map((path) => /(?:^|\/)test\/clients\/([^/]+)\/.+/.exec(path.replaceAll("\\", "/"))?.[1])
  return clientFolders().filter((name) => names.includes(name))
}

/**
 * Installs those that are lacking. Gives the reason, by name, of each that could not be installed.
 * Once the registry cannot be reached it is not tried again.
 */
export async function installClients(names) {
  const waiting = names.filter((name) => !isInstalled(name))
  const failed = {}
  let unreachable
  const work = async () => {
    for (let name = waiting.shift(); name; name = waiting.shift()) {
      failed[name] = unreachable ?? (await install(name))
      if (unreachable === undefined && isUnreachable(failed[name]))
        unreachable = `the package registry cannot be reached: ${failed[name]}`
    }
  }
  if (waiting.length > 0) console.error(`Installing ${waiting.length} of ${names.length} clients …`)
  await Promise.all(Array.from({ length: atOnce }, work))
  const reasons = Object.entries(failed).filter(([, reason]) => reason !== undefined)
  if (unreachable) console.error(`  ${unreachable}`)
  return Object.fromEntries(reasons)
}

async function install(name) {
  const began = performance.now()
  let reason
  await whileLocked(`installing-client-${name}`, async () => {
    if (isInstalled(name)) return
    reason = existsSync(join(home, name, "package-lock.json"))
      ? await installByNpm(["ci", "--prefer-offline"], join(home, name))
      : "it has no package-lock.json"
    if (reason !== undefined) return
    mkdirSync(join(home, name, "node_modules"), { recursive: true })
    writeFileSync(stampOf(name), fingerprint(name))
  })
  const seconds = ((performance.now() - began) / 1_000).toFixed(1)
  console.error(reason ? `  ${name} failed: ${reason}` : `  ${name} (${seconds} s)`)
  return reason
}

const isUnreachable = (reason) =>
  /\b(ENOTFOUND|ECONNREFUSED|ECONNRESET|EAI_AGAIN|ETIMEDOUT|ERR_SOCKET_TIMEOUT|ENETUNREACH|EHOSTUNREACH|ENOTCACHED)\b/.test(
    reason ?? "",
  )

/** npm removes the stamp with the rest of node_modules before it installs. */
const stampOf = (name) => join(home, name, "node_modules", ".bifold-client")

function isInstalled(name) {
  const stamp = stampOf(name)
  return existsSync(stamp) && readFileSync(stamp, "utf8") === fingerprint(name)
}

function fingerprint(name) {
  const hash = createHash("sha256")
  for (const file of ["package.json", "package-lock.json"]) {
    const path = join(home, name, file)
    hash.update(existsSync(path) ? readFileSync(path) : "").update("\0")
  }
  return hash.digest("hex")
}
