// Checks the database of an embedded service, in the words of `bifold serve`.
import type { Drift } from "../engine/drift.ts"
import type { Model } from "../model/model.ts"
import type { Observe } from "../server/observation.ts"

interface Fitting {
  readonly database: string
  readonly dev?: boolean
  readonly file?: string
  readonly observe: Observe
}

/** Throws a Refusal that says in what the database differs and what to do. */
export async function checkEmbeddedDatabase(
  model: Model,
  { database, dev = false, file = "service.ts", observe }: Fitting,
): Promise<{ readonly model: Model; readonly drift: Drift }> {
  const { checkDatabase, watchDatabase } = await import("./database-check.ts")
  const tell = { say: (text: string) => observe({ kind: "noticed", text }), observe, err: noColours }
  const checked = await checkDatabase(tell, { model, database, file, dev })
  return watchDatabase(tell, { model: checked, database, dev })
}

const plain = (text: string | number | null | undefined): string => String(text)
const noColours = { bold: plain, dim: plain, red: plain, green: plain, yellow: plain, cyan: plain }
