// Test files that share a process: each is a suite of its own, so that its hooks are its own.
import { AsyncResource } from "node:async_hooks"
import { describe } from "node:test"

/**
 * No test begins before all files are loaded: a test may lend its environment and its folder to what it calls.
 * @param files by name, their addresses
 */
export async function together(files) {
  const loaded = Promise.withResolvers()
  // node:test takes what runs after a suite's import for a part of the suite.
  const outside = new AsyncResource("test files")
  for (const [name, url] of Object.entries(files)) {
    let loading
    const load = async () => {
      // Called here, so that what the file declares belongs to this suite.
      loading = import(url)
      await loading
      await loaded.promise
    }
    outside.runInAsyncScope(() => void describe(name, load))
    // One after the other: what two of them import is loaded for one of them. What cannot be loaded fails its own suite.
    await loading.catch(() => {})
  }
  loaded.resolve()
}
