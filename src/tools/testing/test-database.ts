// The database of services in tests: `bifold test` tells it to `bifold/testing`, which a test may import from another copy of
// the package.

/** The environment variable by which `bifold test` tells its processes. */
export const testDatabaseVariable = "BIFOLD_TEST_DATABASE"

const place = Symbol.for("bifold.testDatabase")

export function setTestDatabase(database: string): void {
  Object.defineProperty(globalThis, place, { value: database, configurable: true })
}

/** Undefined unless `bifold test` has set it. */
export function testDatabase(): string | undefined {
  const database: unknown = Object.getOwnPropertyDescriptor(globalThis, place)?.value
  return typeof database === "string" ? database : undefined
}
