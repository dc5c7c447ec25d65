import { clientTests } from "../../support/clients.ts"

await clientTests("gql-tada", () => import("./inferred.ts"))
