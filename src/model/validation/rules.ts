// Every rule, in the order of its reports: names, then references between them, then values.

import { apiVersions } from "./api-versions.ts"
import { codeComputed, computedFields } from "./computed-fields.ts"
import type { Rule } from "./context.ts"
import { handlers, log, ownEvents, webhooks } from "./events.ts"
import { constraints, conversions, defaultValues, enumerations, fieldForms, patterns } from "./fields.ts"
import { formerNames, versions } from "./former-names.ts"
import { indexMembers, keyMembers, listableResources, memberLists, uniqueKeys } from "./keys.ts"
import { about, cacheAges, limits } from "./limits.ts"
import {
  columnNames,
  idPrefixes,
  memberClashes,
  memberNames,
  resourceNames,
  rootNames,
  serviceName,
  tableNames,
  typeNames,
} from "./names.ts"
import { allowedActions, allowedWrites, credentials, grantedNames, identity, viewers } from "./permissions.ts"
import {
  joinTables,
  ownedCycles,
  relationForms,
  relationKeys,
  relationsBack,
  relationTargets,
} from "./relations.ts"
import { stateMachines, stateNames, transitionInputs, transitionNames, transitionSets } from "./states.ts"
import { userCode } from "./user-code.ts"

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
 * Checks of values and of access rules. A service with no other mistakes has sound names, keys and relations, so that its
 * Model can be built all the same.
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
