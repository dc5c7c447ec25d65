// Checks that `about` can stand in the `info` of an OpenAPI document.
import type { Rule } from "./context.ts"

export const about: Rule = ({ about: said }, report) => {
  const { version, licence, contact } = said ?? {}
  const text = (place: readonly string[], value: string | undefined): void => {
    if (value?.trim() === "")
      report(["about", ...place], `"${place.at(-1)}" is empty.`, "Leave it out instead.")
  }
  const url = (place: readonly string[], value: string | undefined): void => {
    if (value !== undefined && !(URL.canParse(value) && /^https?:/i.test(value)))
      report(["about", ...place], `"${place.at(-1)}" must be the address of a page, not "${value}".`)
  }
  text(["version"], version)
  text(["licence", "name"], licence?.name)
  url(["licence", "url"], licence?.url)
  if (licence?.url !== undefined && licence.identifier !== undefined)
    report(["about", "licence"], "A licence has a url or an identifier, not both.")
  if (licence?.identifier !== undefined && !/^[A-Za-z0-9.+:() -]+$/.test(licence.identifier))
    report(
      ["about", "licence", "identifier"],
      `"${licence.identifier}" cannot be an SPDX identifier.`,
      'One is such as "MIT" or "Apache-2.0"; of another licence give the url.',
    )
  text(["contact", "name"], contact?.name)
  url(["contact", "url"], contact?.url)
  if (contact?.email !== undefined && !/^[^\s@]+@[^\s@]+$/.test(contact.email))
    report(["about", "contact", "email"], `"email" must be an address of mail, not "${contact.email}".`)
}
