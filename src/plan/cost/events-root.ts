// A page of events as a root of a plan: it is priced and limited with the rest of the request, and the feed answers it.

import { type PlanContext, startDraft } from "../draft/draft.ts"
import type { ReadPlan, Root } from "../read-plan.ts"
import { prices } from "./points.ts"

/** Bytes of an event, as an expectation. */
const eventBytes = 512

/** @param limit events that the page may have */
export const eventsRoot = (key: string, limit: number): Root => ({
  kind: "constant",
  key,
  json: "null",
  charge: { points: prices.record * limit, records: 0, bytes: eventBytes * limit },
})

/** The page by itself. */
export const eventsPlan = (model: PlanContext["model"], limit: number): ReadPlan =>
  startDraft({ model, cursors: noCursors }).finish([eventsRoot("events", limit)])

const noCursors = { seal: () => "", open: () => undefined }

/** Points of a page that has fewer events than it may. */
export const unusedPoints = (limit: number, count: number): number =>
  prices.record * Math.max(0, limit - count)
