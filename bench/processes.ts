// Server processes: started on their own core, ready when they say where they listen, gone when the benchmark ends.
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import { type Cores, pinnedServer } from "./machine.ts"

export interface ServerCommand {
  readonly program: string
  readonly args: readonly string[]
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  /** One when absent. */
  readonly cores?: Cores | "any"
}

export interface ServerProcess {
  readonly pid: number
  /** `http://127.0.0.1:40001` */
  readonly url: string
  stop(signal?: "SIGTERM"): Promise<void>
}

/** Milliseconds. */
const patience = 60_000

/** The first address that it prints is where it listens. Throws with what it said when it ends before. */
export async function startServer({
  program,
  args,
  cwd,
  env,
  cores = 1,
}: ServerCommand): Promise<ServerProcess> {
  const [command = program, ...rest] = [...(cores === "any" ? [] : pinnedServer(cores)), program, ...args]
  const child = spawn(command, rest, {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, NODE_ENV: "production", ...env },
    ...(cwd === undefined ? {} : { cwd }),
  })
  const end = (): void => void child.kill("SIGKILL")
  process.once("exit", end)
  try {
    const url = await readAddress(child)
    return {
      pid: child.pid ?? 0,
      url,
      async stop(signal: "SIGKILL" | "SIGTERM" = "SIGKILL") {
        process.off("exit", end)
        if (child.exitCode !== null || child.signalCode !== null) return
        const ended = once(child, "exit")
        child.kill(signal)
        await ended
      },
    }
  } catch (error) {
    end()
    throw error
  }
}

async function readAddress(child: ChildProcess): Promise<string> {
  if (!child.stdout || !child.stderr) throw new Error("A server's output is a pipe.")
  let said = ""
  child.stderr.on("data", (text: Buffer) => {
    said = (said + text.toString()).slice(-4_000)
  })
  // Without a terminal, Bifold logs its address.
  const lines = createInterface(child.stdout)
  const logged = createInterface(child.stderr)
  const found = new Promise<string>((resolve, reject) => {
    const impatient = setTimeout(() => reject(new Error(`It says no address. ${said}`)), patience)
    const settle = (): void => clearTimeout(impatient)
    const look = (line: string): void => {
      const address = /http:\/\/(?:127\.0\.0\.1|localhost|0\.0\.0\.0):\d+/.exec(line)?.[0]
      if (address === undefined) {
        said = `${said}${line}\n`.slice(-4_000)
        return
      }
      settle()
      resolve(address.replace("localhost", "127.0.0.1").replace("0.0.0.0", "127.0.0.1"))
    }
    for (const each of [lines, logged]) each.on("line", look)
    child.once("error", (error) => {
      settle()
      reject(error)
    })
    child.once("exit", () => {
      settle()
      reject(new Error(said.trim() || "The server ended without a message."))
    })
  })
  return await found
}
