// Loaded before a test file is, by `bifold test`.
import { setTestDatabase, testDatabaseVariable } from "../tools/testing/test-database.ts"
import { resolveSelf } from "./self-import.ts"

resolveSelf()
const database = process.env[testDatabaseVariable]
if (database) setTestDatabase(database)
