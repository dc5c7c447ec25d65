// One PostgreSQL connection for one task: opened, used and closed here. Requests share connections instead (connections.ts).
import pg from "pg"

/** Milliseconds to wait for a connection. */
const patience = 10_000

/** Rejects with what the driver or `use` reports. The connection is closed in any case. */
export async function withClient<Result>(
  config: pg.ClientConfig & { readonly connectionString: string },
  use: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({
    connectionTimeoutMillis: patience,
    application_name: "bifold",
    ...config,
  })
  client.on("error", () => {}) // a connection that is lost later fails the query that waits for it
  try {
    await client.connect()
    return await use(client)
  } finally {
    await client.end().catch(() => {})
  }
}
