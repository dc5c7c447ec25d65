// The files of a service that is served while a person edits them: the service file and the files that it imports by path. They are
// read again, and watched.
import { type FSWatcher, watch } from "node:fs"
import { createRequire, registerHooks } from "node:module"
import { basename, dirname } from "node:path"
import { fileURLToPath } from "node:url"

const { cache } = createRequire(import.meta.url)
/** Milliseconds: an editor writes a file in several steps. */
const calm = 50

export class WatchedFiles {
  readonly #files = new Set<string>()
  readonly #folders = new Map<string, FSWatcher>()
  readonly #changed: () => void
  #turn = 0
  #timer: NodeJS.Timeout | undefined

  /** @param changed is called when files have changed, once for changes that come together */
  constructor(changed: () => void) {
    this.#changed = changed
  }

  /**
   * Imports the file and what it imports anew.
   * @param within settles in time, also where the import never does
   */
  async import(
    url: string,
    within: (loading: Promise<Record<string, unknown>>) => Promise<Record<string, unknown>>,
  ): Promise<Record<string, unknown>> {
    for (const file of this.#files) delete cache[file]
    // Node keeps a module for each URL.
    const mark = `?edited=${++this.#turn}`
    const hook = this.#follow(mark)
    try {
      return await within(import(`${url}${mark}`))
    } finally {
      hook.deregister()
      for (const file of this.#files) this.#watch(dirname(file))
    }
  }

  #follow(mark: string): { deregister(): void } {
    return registerHooks({
      resolve: (specifier, context, next) => {
        const isEntry = specifier.endsWith(mark)
        const isPath = isEntry || /^(\.|\/|#|file:)/.test(specifier)
        if (!isPath || !(isEntry || context.parentURL?.endsWith(mark))) return next(specifier, context)
        try {
          const found = next(specifier, context)
          const { url } = found
          if (!url.startsWith("file:") || url.includes("/node_modules/")) return found
          this.#files.add(fileURLToPath(url))
          return url.endsWith(mark) ? found : { ...found, url: `${url}${mark}` }
        } catch (error) {
          // A missing file may be made.
          if (specifier.startsWith(".")) this.#files.add(fileURLToPath(new URL(specifier, context.parentURL)))
          throw error
        }
      },
    })
  }

  /** Folders: an editor may put a new file in the place of the old one. */
  #watch(folder: string): void {
    if (this.#folders.has(folder)) return
    try {
      const watcher = watch(folder, { persistent: false }, (_, name) => {
        if (
          name !== null &&
          ![...this.#files].some((file) => dirname(file) === folder && basename(file) === name)
        )
          return
        clearTimeout(this.#timer)
        this.#timer = setTimeout(this.#changed, calm)
      })
      watcher.on("error", () => this.#folders.delete(folder)) // the folder is gone
      this.#folders.set(folder, watcher)
    } catch {
      // A folder that does not exist.
    }
  }

  close(): void {
    clearTimeout(this.#timer)
    for (const watcher of this.#folders.values()) watcher.close()
  }
}
