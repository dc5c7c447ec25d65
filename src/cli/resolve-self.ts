// Loaded before a test file is, by `bifold test`.
import { resolveSelf } from "./self-import.ts"

resolveSelf()
