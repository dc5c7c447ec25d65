// A process that writes a SQLite file as it is told: `bulk` keeps so many slow writes under way until it is ended, `one` makes one.

import { present } from "../../src/base/invariant.ts"
import { startRequest } from "../../src/base/request.ts"
import { openStorage } from "../../src/storage/open.ts"
import { insertion } from "./baton-rows.ts"

const [path = "", manner = "", count = "1"] = process.argv.slice(2)
const storage = await openStorage(path, { writes: "durable", deadline: 60_000 })
const write = present(storage.write, "it was opened for writing")
const writeOne = (): Promise<unknown> => write(insertion(manner, manner === "bulk"), startRequest(manner))

process.on("disconnect", () => process.exit())
if (manner === "bulk")
  await Promise.all(
    Array.from({ length: Number(count) }, async (_, at) => {
      for (let turn = 0; ; turn += 1) {
        await writeOne()
        if (at === 0 && turn === 0) process.send?.("begun")
      }
    }),
  )
process.send?.("begun")
await writeOne()
process.send?.("done")
