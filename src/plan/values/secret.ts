// The text of an API key: the service's name, so that it is known where it turns up, and 256 bits of chance.
import { hash } from "node:crypto"

export interface MadeKey {
  /** Shown once: `storefront_` and 43 characters. */
  readonly secret: string
  /** How it begins, to tell keys apart by. */
  readonly hint: string
  /** The stored part of a secret. */
  readonly digest: string
}

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
/** 62 to the power of 43 is a little more than 2 to the power of 256. */
const characters = 43
const shownCharacters = 6
/** The greatest multiple of 62 that bytes reach: of those beyond, some characters would be likelier than others. */
const fair = 248

/** @param random so many bytes, unpredictable */
export function makeKey(service: string, random: (bytes: number) => Uint8Array): MadeKey {
  let chance = ""
  while (chance.length < characters)
    for (const byte of random(64)) if (byte < fair) chance += alphabet[byte % alphabet.length]
  const secret = `${service}_${chance.slice(0, characters)}`
  const hint = secret.slice(0, service.length + 1 + shownCharacters)
  return { secret, hint, digest: digestOf(secret) }
}

/** Whether it could be a key of the service. */
export function isKeyText(service: string, text: string): boolean {
  return (
    text.length === service.length + 1 + characters &&
    text.startsWith(`${service}_`) &&
    /^[0-9A-Za-z]+$/.test(text.slice(service.length + 1))
  )
}

/** SHA-256 in base64url. A secret of 256 bits of chance cannot be found by trying, so that nothing slower is needed. */
export const digestOf = (secret: string): string => hash("sha256", secret, "base64url")
