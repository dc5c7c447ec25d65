// The table of budgets in a PostgreSQL store, as `rate-limiter-flexible` uses it.
export const budgetTable = {
  name: "bifold_budgets",
  columns: ["key", "points", "expire"],
  declaration: "key varchar(255) PRIMARY KEY, points integer NOT NULL DEFAULT 0, expire bigint",
} as const
