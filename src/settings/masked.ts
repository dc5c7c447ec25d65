// Values of settings as people may see them: secrets and passwords are masked.
import type { Setting } from "./setting.ts"

const mask = "***"
/** In names of parameters of addresses that are secrets by themselves. */
const secretParameter = /pass|pwd|secret|token|auth|credential|api_?key|cipher/i

/** As JSON; secrets are masked. */
export function maskedValue(setting: Setting, given: unknown): string {
  return JSON.stringify(masked(setting, given)) ?? "unset"
}

export function masked({ secret }: Setting, given: unknown): unknown {
  if (secret === undefined || given === undefined) return given
  if (secret === "whole" || typeof given !== "string") return mask
  return withoutPassword(given)
}

/** `postgres://me:***@host/shop`. An address whose password cannot be told from the rest is masked whole. */
function withoutPassword(address: string): string {
  // Several servers of a cluster.
  if (/^\w+:\/\/[^,]+,\w+:\/\//.test(address)) return address.split(",").map(withoutPassword).join(",")
  if (!address.includes("://")) return /[@\s=]/.test(address) ? mask : address
  const url = URL.parse(address)
  // A password with / or # in it, which had to be percent-encoded.
  if (url?.hash !== "" || /@/.test(url.pathname + url.search)) return mask
  if (url.password !== "") url.password = mask
  // A user without a password is a token, as NATS has it.
  else if (url.username !== "" && !/^postgres(ql)?:$/.test(url.protocol)) url.username = mask
  for (const name of [...url.searchParams.keys()])
    if (secretParameter.test(name)) url.searchParams.set(name, mask)
  return url.href
}
