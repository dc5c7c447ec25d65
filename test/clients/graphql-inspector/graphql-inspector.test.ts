import { clientTests } from "../../support/clients.ts"

await clientTests("graphql-inspector", () => import("./inspected.ts"))
