// Every rule, in the order in which mistakes are told: names, then what they lead to, then what is said of values.
import { about } from "./about.ts"
import { allowedActions } from "./allowed-actions.ts"
import { allowedWrites } from "./allowed-writes.ts"
import { apiVersions } from "./api-versions.ts"
import { cacheAges } from "./cache-ages.ts"
import { codeComputed } from "./code-computed.ts"
import { columnNames } from "./column-names.ts"
import { computedFields } from "./computed-fields.ts"
import { constraints } from "./constraints.ts"
import type { Rule } from "./context.ts"
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

export const rules = {
  serviceName,
  resourceNames,
  memberNames,
  memberClashes,
  typeNames,
  rootNames,
  stateMachines,
  stateNames,
  transitionNames,
  ownEvents,
  idPrefixes,
  tableNames,
  columnNames,
  formerNames,
  listableResources,
  versions,
  cacheAges,
  relationTargets,
  relationForms,
  relationsBack,
  ownedCycles,
  relationKeys,
  joinTables,
  memberLists,
  keyMembers,
  uniqueKeys,
  indexMembers,
  fieldForms,
  computedFields,
  conversions,
  constraints,
  patterns,
  enumerations,
  defaultValues,
  transitionInputs,
  transitionSets,
  limits,
  log,
  webhooks,
  about,
  identity,
  grantedNames,
  credentials,
  viewers,
  allowedActions,
  allowedWrites,
  userCode,
  codeComputed,
  handlers,
  apiVersions,
} as const satisfies Readonly<Record<string, Rule>>

/**
 * Those that look at values and rules: a service with no other mistakes has sound names, keys and relations, so that a
 * Model can be made of it all the same.
 */
export const ofValues: ReadonlySet<string> = new Set<keyof typeof rules>([
  "versions",
  "cacheAges",
  "formerNames",
  "constraints",
  "patterns",
  "defaultValues",
  "stateNames",
  "transitionInputs",
  "transitionSets",
  "limits",
  "log",
  "webhooks",
  "about",
  "identity",
  "credentials",
  "allowedActions",
  "allowedWrites",
])
