// Settings of the log, apart from all that writes it.

export const levels = ["debug", "info", "warn", "error"] as const
export type Level = (typeof levels)[number]

/** Each has what the one before it has: failures of the service, what took long, everything. */
export type RequestChoice = "none" | "errors" | "slow" | "all"
