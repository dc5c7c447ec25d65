import { clientTests } from "../../support/clients.ts"

await clientTests("graphql-eslint", () => import("./linted.ts"))
