import { clientTests } from "../../support/clients.ts"

await clientTests("got", () => import("./requests.ts"))
