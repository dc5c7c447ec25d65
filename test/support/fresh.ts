// What Bifold makes itself, for tests that count the versions of records.
import type { Fresh } from "../../src/plan/draft/draft.ts"
import { ownFresh } from "../../src/plan/draft/draft.ts"

/** Versions begin with 1, as those of rows that are written past Bifold. */
export const fromOne: Fresh = { ...ownFresh, version: () => 1 }
