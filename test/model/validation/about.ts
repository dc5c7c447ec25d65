// Declarations that break the rule `about`, and exactly what is reported for each.
import { type Case, service } from "./case.ts"

export const about: readonly Case[] = [
  {
    it: "wants a release, a licence and a contact that a description of the API can hold",
    broken: service(
      { item: { fields: {} } },
      {
        about: {
          version: " ",
          licence: { name: "", url: "our-terms", identifier: "see\nbelow" },
          contact: { name: "", url: "mailto:us@example.org", email: "us" },
        },
      },
    ),
    reported: [
      ["about.version", '"version" is empty.', "Leave it out instead."],
      ["about.licence.name", '"name" is empty.', "Leave it out instead."],
      ["about.licence.url", '"url" must be the address of a page, not "our-terms".'],
      ["about.licence", "`licence` has a url or an identifier, not both."],
      [
        "about.licence.identifier",
        '"see\nbelow" cannot be an SPDX identifier.',
        'Such as "MIT" or "Apache-2.0"; give the url of any other license.',
      ],
      ["about.contact.name", '"name" is empty.', "Leave it out instead."],
      ["about.contact.url", '"url" must be the address of a page, not "mailto:us@example.org".'],
      ["about.contact.email", '"email" must be an address of mail, not "us".'],
    ],
  },
]
