// Recognises a pooler that gives each transaction another session: settings and prepared statements are lost there, and
// other clients find them in theirs.
import { randomUUID } from "node:crypto"
import type pg from "pg"

/** Questions by which a session shows that it is one. */
const looks = 3

const kept = "SELECT coalesce(current_setting('bifold.session', true), '') AS kept"

/** @param one has no transaction, @param other another connection to the same address. Rejects with what the driver reports. */
export async function sharesSessions(one: pg.Client, other: pg.Client): Promise<boolean> {
  const own = randomUUID()
  const keepsOwn = async (client: pg.Client): Promise<boolean> =>
    (await client.query<{ readonly kept: string }>(kept)).rows[0]?.kept === own
  await one.query("SELECT set_config('bifold.session', $1, false)", [own])
  for (let at = 0; at < looks; at++) {
    // A transaction takes the session that the pooler gave to the first connection before, or the next one.
    const begun = await other.query("BEGIN").catch((fault: unknown) => fault)
    if (begun instanceof Error) {
      if (takesNoTransactions(begun)) return true
      throw begun
    }
    const isSeen = await keepsOwn(other)
    // Where there is one session, the other connection's transaction has it, and the first would wait for it for ever.
    const isLost = !isSeen && !(await keepsOwn(one))
    await other.query("ROLLBACK")
    if (isSeen || isLost) return true
  }
  return false
}

/** SQLSTATE protocol_violation: a pooler that gives each statement another session. */
const takesNoTransactions = (fault: Error): boolean => "code" in fault && fault.code === "08P01"
