// A transition as SQL: as many statements as an update, and all that the law asks in the WHERE of the first.
import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { load } from "../../src/model/load.ts"
import type { Model } from "../../src/model/model.ts"
import { actorOf, everybodyOf } from "../../src/plan/access/actor.ts"
import { openModel } from "../../src/plan/access/visible-model.ts"
import { type Draft, startDraft } from "../../src/plan/draft/draft.ts"
import { guard } from "../../src/plan/guard/guard.ts"
import { resourceNamed, transitionNamed } from "../../src/plan/lookup.ts"
import type { RecordRoot } from "../../src/plan/read-plan.ts"
import { type Effect, readUpdate } from "../../src/plan/write/write.ts"
import { readTransition } from "../../src/plan/write/write-transition.ts"
import type { Dialect } from "../../src/sql/dialect.ts"
import { postgres } from "../../src/sql/dialects/postgres.ts"
import { sqlite } from "../../src/sql/dialects/sqlite.ts"
import { compileWrite } from "../../src/sql/write/write.ts"
import { desk } from "../services/desk.ts"
import { transitionsMember } from "../states/open-desk.ts"

const whole = load(desk)
const cursors = { seal: () => "", open: () => undefined }
const reporter = actorOf(whole, { name: "ann", viewer: "ann", roles: [], scopes: [] })
const agent = actorOf(whole, { name: "agent", viewer: "max", roles: ["agent"], scopes: [] })
assert.ok(reporter && agent)

const by: RecordRoot["by"] = [{ subject: { kind: "id" }, slot: 0 }]

function commandsOf(
  actor: typeof reporter & object,
  dialect: Dialect,
  read: (draft: Draft, model: Model, by: RecordRoot["by"]) => Effect | undefined,
  members: RecordRoot["members"] = [{ kind: "field", key: "state", field: "state" }],
): readonly string[] {
  const draft = startDraft({ model: actor.model, cursors })
  const named = by.map(({ subject }) => ({ subject, ...draft.bind(["t"]) }))
  const effect = read(draft, actor.model, named)
  assert.ok(effect, JSON.stringify(draft.problems.found))
  const answer: RecordRoot = {
    kind: "record",
    key: "ticket",
    resource: "ticket",
    by: [{ subject: { kind: "id" }, ...effect.key }],
    members,
  }
  const plan = guard(draft.finishWrite([{ writes: effect.writes, answer, reads: "after" }]), actor)
  assert.ok(plan.kind === "write")
  return compileWrite(plan, dialect).commands.map(({ text }) => text)
}

const firing =
  (name: string, match?: readonly string[]) =>
  (draft: Draft, model: Model, named: RecordRoot["by"]): Effect | undefined => {
    const resource = resourceNamed(model, "ticket")
    return readTransition(draft, resource, transitionNamed(resource, name), {
      input: name === "solve" ? { answer: "so" } : undefined,
      place: [],
      by: named,
      ...(match && { match }),
    })
  }

const updating = (draft: Draft, model: Model, named: RecordRoot["by"]): Effect | undefined =>
  readUpdate(draft, resourceNamed(model, "ticket"), {
    input: { title: "t" },
    place: [],
    by: named,
    absent: "keep",
  })

for (const dialect of [sqlite, postgres])
  describe(`a transition on ${dialect.name}`, () => {
    for (const [who, actor, name] of [
      ["a reporter", reporter, "close"],
      ["an agent", agent, "solve"],
      ["everybody", everybodyOf(openModel(whole)), "solve"],
    ] as const)
      test(`is as many statements for ${who} as an update`, () => {
        const commands = commandsOf(actor, dialect, firing(name, ["1"]))
        assert.equal(commands.length, commandsOf(actor, dialect, updating).length)
        // On SQLite what is kept of it is a statement of its own, which comes first and asks all.
        assert.equal(commands.length, dialect.name === "postgres" ? 1 : 2)
        const [command] = commands
        assert.match(
          command ?? "",
          /WHERE .*"bifold_version".*"state"(?: COLLATE "C")?\)? IN \('open', 'working'/s,
        )
        if (name === "close") assert.match(command ?? "", /WHERE .*"reporter_id" = .*"cost"/s)
        else assert.match(command ?? "", /WHERE .*(EXISTS|IN) \(SELECT .* FROM "note"/s)
      })

    test("that is asked with what is possible then reads it of what is written", () => {
      const resource = resourceNamed(agent.model, "ticket")
      const commands = commandsOf(agent, dialect, firing("solve"), [transitionsMember(resource)])
      // RETURNING is no place for subqueries: their columns would be taken for those of the row.
      assert.equal(commands.length, dialect.name === "postgres" ? 1 : 3)
      if (dialect.name === "postgres") assert.match(commands[0] ?? "", /^WITH .* FROM "bifold_written" AS /s)
    })
  })
