// Own code that keeps its thread for itself: the call that runs is blamed, and no call beside it, whichever of them let it run.
import assert from "node:assert/strict"
import { test } from "node:test"
import { codeAt } from "./in-threads.ts"
import { neighbours } from "./neighbours.ts"
import { openCode } from "./open.ts"

test("a call beside one that spins may be sent again, and the one that spins is out of time", async (t) => {
  // SQLite has one such call at a time.
  const opened = await openCode(
    t,
    codeAt("in threads", t, neighbours, "neighbours.ts#neighbours"),
    "postgres",
  )
  const call = async (name: string) => {
    const { status, body } = await opened
      .as("anyone")
      .rest<{ readonly code: string } | null>("POST", `/actions/${name}`, {})
    return [name, status, body?.code]
  }
  // The thread has begun.
  assert.equal((await call("ready"))[1], 204)
  assert.deepEqual(await Promise.all([call("spin"), call("hand")]), [
    ["spin", 503, "action_timeout"],
    ["hand", 503, "action_interrupted"],
  ])
})
