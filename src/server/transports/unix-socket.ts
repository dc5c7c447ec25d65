// A unix socket to listen on: with its mode from the beginning, in the place of one that a dead process has left.
import { existsSync } from "node:fs"
import { lstat, unlink } from "node:fs/promises"
import type { Server } from "node:net"
import { dirname } from "node:path"
import { type Refusal, refusal } from "../../base/problem.ts"

export interface UnixSocket {
  readonly path: string
  /** Permissions of the file: 0o660 lets its group connect. */
  readonly mode: number
}

const net = process.getBuiltinModule("node:net")

/** Rejects with a Refusal when the path cannot be had. */
export async function listenOn(server: Server, { path, mode }: UnixSocket, backlog: number): Promise<void> {
  await removeStale(path)
  const listening = new Promise<void>((resolve, reject) => {
    server.once("error", reject)
    server.once("listening", () => {
      server.off("error", reject)
      resolve()
    })
  })
  // The call makes the file, and no process may connect to it before its mode is set.
  const before = process.umask(0o777 & ~mode)
  try {
    server.listen({ path, backlog })
  } finally {
    process.umask(before)
  }
  await listening.catch((error: unknown) => {
    throw cannotListen(error, path) ?? error
  })
}

/** Makes room at the path: removes only a socket without a listener. Rejects with a Refusal when the path is not available. */
export async function removeStale(path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined)
  if (!found) {
    if (existsSync(dirname(path))) return
    throw noFolder(path)
  }
  if (!found.isSocket())
    throw refusal("cannot_listen", `${path} is no socket, and is left as it is.`, {
      hint: "Choose another path with --socket.",
    })
  if (await isAnswered(path)) throw inUse(path)
  await unlink(path)
}

/** Whether a process listens, or may: a process that this user cannot reach is not ours. */
function isAnswered(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect({ path })
    socket.once("connect", () => {
      socket.destroy()
      resolve(true)
    })
    socket.once("error", (error) => {
      const code = "code" in error ? error.code : undefined
      resolve(code !== "ECONNREFUSED" && code !== "ENOENT")
    })
  })
}

const inUse = (path: string): Refusal =>
  refusal("cannot_listen", `The socket ${path} is in use already.`, {
    hint: "Choose another with --socket, or end the program that uses it.",
  })

const noFolder = (path: string): Refusal =>
  refusal("cannot_listen", `There is no folder for the socket ${path}.`, {
    hint: "Make the folder, or choose another path with --socket.",
  })

function cannotListen(error: unknown, path: string): Refusal | undefined {
  const code = error instanceof Error && "code" in error ? error.code : undefined
  if (code === "EADDRINUSE") return inUse(path)
  // Node says of a folder that is not there that it may not be used.
  if (code === "EACCES" && !existsSync(dirname(path))) return noFolder(path)
  if (code === "EACCES" || code === "EPERM")
    return refusal("cannot_listen", `This user may not make a socket at ${path}.`, {
      hint: "Choose a folder that the server's user may write to.",
    })
  if (code === "ENOENT" || code === "ENOTDIR") return noFolder(path)
  if (code === "EINVAL" || code === "ENAMETOOLONG")
    return refusal("cannot_listen", `The path ${path} is too long for a socket.`, {
      hint: "Systems allow about 100 characters.",
    })
  return undefined
}
