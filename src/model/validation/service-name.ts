// A service has a name that can stand in file names and headers, and at least one resource.
import type { Rule } from "./context.ts"

export const serviceName: Rule = (service, report) => {
  if (!/^[A-Za-z][A-Za-z0-9_-]*$/.test(service.name))
    report(
      ["name"],
      `"${service.name}" cannot be the name of a service.`,
      "A letter, then letters, digits, hyphens and underscores; what people read is the title.",
    )
  if (Object.keys(service.resources).length === 0) report(["resources"], "The service has no resources.")
}
