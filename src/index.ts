// The public API: named re-exports, nothing else.
export type { JsonText, JsonValue } from "./base/json.ts"
export { type Place, type Problem, Refusal } from "./base/problem.ts"
export type { AllowDeclaration, RuleDeclaration, RuleObject } from "./model/allow.ts"
export {
  action,
  type CodeContext,
  operation,
  problem,
  type ServiceCode,
  withCode,
} from "./model/code.ts"
export type { CodeActor } from "./model/code-actor.ts"
export { computed } from "./model/computed-code.ts"
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
} from "./model/declaration.ts"
export { type HandledEvent, type HandlerCall, handler } from "./model/handlers.ts"
export type { IdentityDeclaration, JwtDeclaration } from "./model/identity.ts"
export { load } from "./model/load.ts"
export type { Model } from "./model/model.ts"
export { printDeclaration } from "./model/print.ts"
export type { RecordOf } from "./model/record-of.ts"
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
  viewer,
} from "./model/service.ts"
export type {
  BuiltResource,
  ServiceNames,
  TypedField,
  TypedMany,
  TypedOne,
  TypedResource,
  TypedService,
} from "./model/typed-declaration.ts"
