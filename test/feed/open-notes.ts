// The notes, served in the test's own process, with two people.
import assert from "node:assert/strict"
import { startService } from "../../src/tools/testing/start-service.ts"
import { notes } from "./notes.ts"

/** @param database as of `startService` */
export async function openNotes(database: string) {
  const started = await startService(notes, { database })
  const { person: [ann = "", ben = ""] = [] } = await started.add({
    person: [{ name: "A" }, { name: "B" }],
  })
  const staff = started.as("role:staff")
  const write = async (method: string, path: string, body?: unknown): Promise<string> => {
    const answer = await staff.rest<{ id: string }>(method, path, body)
    assert.ok(answer.status < 300, JSON.stringify(answer.body))
    return answer.body?.id
  }
  const [annSees, benSees] = [started.as(`person:${ann}`), started.as(`person:${ben}`)]
  return { started, ann, ben, staff, write, annSees, benSees }
}
