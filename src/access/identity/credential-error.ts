// Refused credentials: the client learns no more than that, the log has the reason.
import { Refusal } from "../../base/problem.ts"

/** @param fault in Bifold's own words, without any part of the credential, which may be secret */
export const refuseCredentials = (fault: string): Refusal =>
  new Refusal(
    [
      {
        code: "invalid_credentials",
        message: "The credentials are not accepted.",
        hint: "Send a valid token or key as `Authorization: Bearer …`, or none at all.",
      },
    ],
    { cause: fault },
  )

/** The fault of a Refusal that `refuseCredentials` made; undefined for any other. */
export const faultOf = ({ problems, cause }: Refusal): string | undefined =>
  problems[0].code === "invalid_credentials" && typeof cause === "string" ? cause : undefined
