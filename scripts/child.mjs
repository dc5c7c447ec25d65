// Runs a child process in our place: its terminal is ours, signals go on to it, its end is ours.
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
    child.on("error", (error) =>
      reject(new Trouble(`${path} cannot be run: ${error.message}.`, "Is it there?")),
    )
    child.on("exit", (code, signal) => {
      for (const name of forwarded) process.off(name, forward)
      resolve(code ?? 128 + (constants.signals[signal] ?? 0))
    })
  })
}
