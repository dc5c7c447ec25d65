// The public API: named re-exports, nothing else.
export type { JsonText, JsonValue } from "./base/json.ts"
export { type Place, type Problem, Refusal } from "./base/problem.ts"
export type { CodeActor } from "./model/code-actor.ts"
export {
  action,
  type CodeContext,
  hook,
  increment,
  operation,
  problem,
  type ServiceCode,
  withCode,
} from "./model/declaration/code.ts"
export { computed } from "./model/declaration/computed-code.ts"
export type {
  ActionDeclaration,
  CodeDeclaration,
  ComputedDeclaration,
  DatabaseDefault,
  EnumDeclaration,
  FieldDeclaration,
  HandlerDeclaration,
  KeyDeclaration,
  KeyPartDeclaration,
  LimitsDeclaration,
  MachineDeclaration,
  ManyDeclaration,
  OneDeclaration,
  RelationDeclaration,
  ResourceDeclaration,
  ServiceDeclaration,
  SetDeclaration,
  StateDeclaration,
  StatesDeclaration,
  ThroughDeclaration,
  TransitionDeclaration,
} from "./model/declaration/declaration.ts"
export { type HandledEvent, type HandlerCall, handler } from "./model/declaration/handlers.ts"
export type { RecordOf } from "./model/declaration/record-of.ts"
export {
  anyone,
  databaseDefault,
  f,
  given,
  many,
  one,
  only,
  resource,
  role,
  scope,
  service,
  signedIn,
  together,
  viewer,
} from "./model/declaration/service.ts"
export type {
  BuiltResource,
  ServiceNames,
  TypedField,
  TypedMany,
  TypedOne,
  TypedResource,
  TypedService,
} from "./model/declaration/typed-declaration.ts"
export type { IdentityDeclaration, JwtDeclaration } from "./model/identity.ts"
export { printDeclaration } from "./model/language/print.ts"
export { load } from "./model/load.ts"
export type { Model } from "./model/model.ts"
export type { AllowDeclaration, RuleDeclaration, RuleObject } from "./model/policy-declaration.ts"

export type { Observation, Observe } from "./server/observation.ts"
export {
  createService,
  type EmbeddedService,
  type HandledRequest,
  type HandledResponse,
  type PassedOn,
} from "./service/create-service.ts"
export type { EmbeddedActor, EmbedOptions, Identified } from "./service/embedded-options.ts"

export { type Config, defineConfig } from "./settings/settings.ts"
