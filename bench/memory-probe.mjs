// Loaded into a server that is measured (`--import`): appends what V8 holds to a file, once a second.
import { appendFileSync } from "node:fs"

const file = process.env.BIFOLD_BENCH_MEMORY
if (file) setInterval(() => appendFileSync(file, `${JSON.stringify(process.memoryUsage())}\n`), 1_000).unref()
