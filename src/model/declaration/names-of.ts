// Roles and scopes that a service declares, as types.
import type { Enums, Resources, TypedService } from "./typed-declaration.ts"

export type RolesOf<Service> =
  Service extends TypedService<Resources, Enums, infer Role, string> ? Role : string
export type ScopesOf<Service> =
  Service extends TypedService<Resources, Enums, string, infer Scope> ? Scope : string
