// Flags of the threads that have a SQLite database.

/** Not those of the process: a thread refuses some of them, and needs none. Deno knows no flags of Node. */
export const threadFlags: string[] =
  process.versions["deno"] === undefined ? ["--disable-warning=ExperimentalWarning"] : []
