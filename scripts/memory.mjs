// A folder whose files are in memory: what tests keep for seconds is made there in a fraction of a disk's time.
import { accessSync, constants, readFileSync, statfsSync } from "node:fs"

const path = "/dev/shm"
const ample = 6 * 2 ** 30

/**
 * Undefined where the system lacks such a folder, or room in it.
 * @param runs whether programs have to be run from there, as container engines forbid
 */
export function folderInMemory({ runs = false } = {}) {
  try {
    accessSync(path, constants.W_OK)
    const { bavail, bsize } = statfsSync(path)
    const isAmple = bavail * bsize > ample && process.availableMemory() > ample
    return isAmple && !(runs && forbidsPrograms()) ? path : undefined
  } catch {
    return undefined
  }
}

function forbidsPrograms() {
  const mounts = readFileSync("/proc/mounts", "utf8").split("\n")
  const [, , , options = ""] = mounts.findLast((line) => line.split(" ")[1] === path)?.split(" ") ?? []
  return options.split(",").includes("noexec")
}
