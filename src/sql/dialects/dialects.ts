// The dialect of each kind of database.
import type { Dialect } from "../dialect.ts"
import { postgres } from "./postgres.ts"
import { sqlite } from "./sqlite.ts"

export const dialects: Readonly<Record<Dialect["name"], Dialect>> = { sqlite, postgres }
