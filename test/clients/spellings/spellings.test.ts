import { clientTests } from "../../support/clients.ts"

await clientTests("spellings", () => import("./serialisers.ts"))
