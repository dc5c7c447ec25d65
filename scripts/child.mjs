// Runs a child process in our place: its terminal is ours, signals go on to it, its end is ours, our end is its end.
import { spawn } from "node:child_process"
import { constants } from "node:os"
import { Trouble } from "./trouble.mjs"

const forwarded = ["SIGINT", "SIGTERM", "SIGHUP"]

/** Gives the exit code, 128 + n after signal n. */
export function runChild(path, args, { env, cwd }) {
  return new Promise((resolve, reject) => {
    const child = spawn(path, args, { stdio: "inherit", env, cwd })
    const forward = (signal) => child.kill(signal)
    for (const signal of forwarded) process.on(signal, forward)
    const parents = watchParent(() => forward("SIGTERM"))
    child.on("error", (error) =>
      reject(new Trouble(`${path} cannot be run: ${error.message}.`, "Is it there?")),
    )
    child.on("exit", (code, signal) => {
      for (const name of forwarded) process.off(name, forward)
      clearInterval(parents)
      resolve(code ?? 128 + (constants.signals[signal] ?? 0))
    })
  })
}

/** A SIGTERM to npm ends npm and its shell, and neither passes it on: what we run would go on without anybody. */
function watchParent(orphaned) {
  if (!process.env.npm_lifecycle_event) return undefined
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    orphaned()
  }, 300)
  return watch.unref()
}
