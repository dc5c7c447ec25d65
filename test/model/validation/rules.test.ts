// Every rule has cases in the file of its name: a broken declaration, and exactly the problems that are reported for it.
import assert from "node:assert/strict"
import { describe, it } from "node:test"
import { Refusal } from "../../../src/base/problem.ts"
import type { ServiceDeclaration } from "../../../src/model/declaration/declaration.ts"
import { load, withStates } from "../../../src/model/load.ts"
import { rules } from "../../../src/model/validation/rules.ts"
import { about } from "./about.ts"
import { allowedActions } from "./allowed-actions.ts"
import { allowedWrites } from "./allowed-writes.ts"
import { apiVersions } from "./api-versions.ts"
import { cacheAges } from "./cache-ages.ts"
import type { Case, Reported } from "./case.ts"
import { codeComputed } from "./code-computed.ts"
import { columnNames } from "./column-names.ts"
import { computedFields } from "./computed-fields.ts"
import { constraints } from "./constraints.ts"
import { conversions } from "./conversions.ts"
import { credentials } from "./credentials.ts"
import { defaultValues } from "./default-values.ts"
import { enumerations } from "./enumerations.ts"
import { fieldForms } from "./field-forms.ts"
import { formerNames } from "./former-names.ts"
import { grantedNames } from "./granted-names.ts"
import { handlers } from "./handlers.ts"
import { idPrefixes } from "./id-prefixes.ts"
import { identity } from "./identity.ts"
import { indexMembers } from "./index-members.ts"
import { joinTables } from "./join-tables.ts"
import { keyMembers } from "./key-members.ts"
import { limits } from "./limits.ts"
import { listableResources } from "./listable-resources.ts"
import { log } from "./log.ts"
import { memberClashes } from "./member-clashes.ts"
import { memberLists } from "./member-lists.ts"
import { memberNames } from "./member-names.ts"
import { ownEvents } from "./own-events.ts"
import { ownedCycles } from "./owned-cycles.ts"
import { patterns } from "./patterns.ts"
import { relationForms } from "./relation-forms.ts"
import { relationKeys } from "./relation-keys.ts"
import { relationTargets } from "./relation-targets.ts"
import { relationsBack } from "./relations-back.ts"
import { resourceNames } from "./resource-names.ts"
import { rootNames } from "./root-names.ts"
import { serviceName } from "./service-name.ts"
import { stateMachines } from "./state-machines.ts"
import { stateNames } from "./state-names.ts"
import { tableNames } from "./table-names.ts"
import { transitionInputs } from "./transition-inputs.ts"
import { transitionNames } from "./transition-names.ts"
import { transitionSets } from "./transition-sets.ts"
import { typeNames } from "./type-names.ts"
import { uniqueKeys } from "./unique-keys.ts"
import { userCode } from "./user-code.ts"
import { versions } from "./versions.ts"
import { viewers } from "./viewers.ts"
import { webhooks } from "./webhooks.ts"

const cases: Readonly<Record<keyof typeof rules, readonly Case[]>> = {
  stateMachines,
  stateNames,
  transitionNames,
  ownEvents,
  transitionInputs,
  transitionSets,
  handlers,
  apiVersions,
  userCode,
  credentials,
  viewers,
  allowedActions,
  allowedWrites,
  formerNames,
  serviceName,
  resourceNames,
  memberNames,
  memberClashes,
  typeNames,
  rootNames,
  idPrefixes,
  tableNames,
  columnNames,
  listableResources,
  versions,
  cacheAges,
  relationTargets,
  relationForms,
  ownedCycles,
  relationsBack,
  relationKeys,
  joinTables,
  memberLists,
  keyMembers,
  uniqueKeys,
  indexMembers,
  computedFields,
  conversions,
  codeComputed,
  fieldForms,
  constraints,
  patterns,
  enumerations,
  defaultValues,
  limits,
  log,
  webhooks,
  about,
  identity,
  grantedNames,
}

function reported(declaration: unknown): readonly Reported[] {
  try {
    load(declaration as ServiceDeclaration)
  } catch (error) {
    assert.ok(error instanceof Refusal, String(error))
    return error.problems.map(({ code, place, message, hint }): Reported => {
      assert.equal(code, "invalid_declaration")
      const at = (place ?? []).join(".")
      return hint === undefined ? [at, message] : [at, message, hint]
    })
  }
  return []
}

for (const [name, ofRule] of Object.entries(cases)) {
  describe(name, () => {
    for (const { it: behaviour, broken, reported: expected } of ofRule)
      it(behaviour, () => {
        assert.deepEqual(reported(broken), expected)
        const messages: string[] = []
        const rule = rules[name as keyof typeof rules]
        rule(withStates(broken), (_, message) => messages.push(message))
        assert.ok(messages.length > 0, "another rule found it")
      })
  })
}
