import { clientTests } from "../../support/clients.ts"

await clientTests("graphql-codegen", () => import("./generated.ts"))
