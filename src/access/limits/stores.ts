// Opens the store of budgets: memory for one process, Redis or Valkey, or PostgreSQL, for several.
import { RateLimiterPostgres, RateLimiterRedis } from "rate-limiter-flexible"
import { refusal } from "../../base/problem.ts"
import { type Budget, createBudget, memoryBudget, windowSeconds } from "./budget.ts"
import { budgetTable } from "./budget-table.ts"

/** Milliseconds for which a request waits for the store. */
const patience = 1_000

/**
 * @param address `memory`, `redis://…`, `rediss://…` or `postgres://…`
 * @param service names the service: several may share a store
 */
export async function openBudget(address: string, service: string): Promise<Budget> {
  if (address === "memory") return memoryBudget()
  if (/^rediss?:\/\//.test(address)) return redisBudget(address, service)
  if (/^postgres(ql)?:\/\//.test(address)) return postgresBudget(address, service)
  // The message does not repeat the address: it may hold a password.
  throw refusal("invalid_command", "The store of limits has no valid address.", {
    hint: "Give memory, or an address that begins with redis://, rediss:// or postgres://.",
  })
}

async function redisBudget(address: string, service: string): Promise<Budget> {
  const { Redis } = await import("ioredis")
  const client = new Redis(address, {
    enableOfflineQueue: false,
    connectTimeout: patience,
    commandTimeout: patience,
    maxRetriesPerRequest: 0,
    retryStrategy: (times) => Math.min(100 * times, 2_000),
  })
  // The request that meets a fault reports it.
  client.on("error", () => {})
  await new Promise<void>((resolve) => {
    client.once("ready", resolve)
    client.once("error", () => resolve())
  })
  return createBudget({
    create: (points) =>
      new RateLimiterRedis({
        storeClient: client,
        points,
        duration: windowSeconds,
        keyPrefix: `bifold:${service}:${points}`,
      }),
    close: async () => client.disconnect(),
  })
}

async function postgresBudget(address: string, service: string): Promise<Budget> {
  const { default: pg } = await import("pg")
  const pool = new pg.Pool({
    connectionString: address,
    max: 4,
    connectionTimeoutMillis: patience,
    query_timeout: patience,
    statement_timeout: patience,
    allowExitOnIdle: true,
  })
  pool.on("error", () => {})
  let made: Promise<void> | undefined
  // The request that meets a fault reports it, and the next one tries again.
  const ready = (): Promise<void> =>
    (made ??= makeTable(pool).catch((fault: unknown) => {
      made = undefined
      throw fault
    }))
  return createBudget({
    ready,
    failed: (fault) => {
      if (codeOf(fault) === undefinedTable) made = undefined
    },
    create: (points) =>
      new RateLimiterPostgres({
        storeClient: pool,
        storeType: "pool",
        points,
        duration: windowSeconds,
        keyPrefix: `${service}:${points}`,
        tableName: budgetTable.name,
        tableCreated: true,
      }),
    close: () => pool.end(),
  })
}

/** SQLSTATE of a table that is gone: the next request makes it again. */
const undefinedTable = "42P01"

const codeOf = (fault: unknown): string | undefined =>
  fault instanceof Error && "code" in fault ? String(fault.code) : undefined

/** Two processes may make it at the same time (SQLSTATE 23505, or 42710 of its type). */
async function makeTable(pool: { query(text: string): Promise<unknown> }): Promise<void> {
  try {
    await pool.query(`CREATE TABLE IF NOT EXISTS ${budgetTable.name} (${budgetTable.declaration})`)
  } catch (fault) {
    if (!["23505", "42710"].includes(codeOf(fault) ?? "")) throw fault
  }
}
