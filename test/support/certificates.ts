// Certificates of this machine that only the tests trust.
import { execFile } from "node:child_process"
import { join } from "node:path"
import { promisify } from "node:util"

export interface MadeCertificate {
  /** Paths of PEM files. */
  readonly cert: string
  readonly key: string
}

/** A certificate that ended before it began: `openssl req` makes none that has expired. */
export async function makeExpired(folder: string, name: string): Promise<MadeCertificate> {
  const [cert, key, request] = ["crt", "key", "csr"].map((kind) => join(folder, `${name}.${kind}`))
  const openssl = (...given: readonly (string | undefined)[]) =>
    promisify(execFile)("openssl", given.map(String))
  await openssl(
    ...["req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"],
    ...["-subj", `/O=${name}/CN=localhost`, "-keyout", key, "-out", request],
  )
  await openssl("x509", "-req", "-in", request, "-key", key, "-days", "-1", "-out", cert)
  return { cert: `${cert}`, key: `${key}` }
}

/** @param name of the files, and of the certificate's organisation */
export async function makeCertificate(folder: string, name: string): Promise<MadeCertificate> {
  const [cert, key] = [join(folder, `${name}.crt`), join(folder, `${name}.key`)]
  await promisify(execFile)("openssl", [
    ...["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"],
    ...["-subj", `/O=${name}/CN=localhost`, "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"],
    ...["-keyout", key, "-out", cert],
  ])
  return { cert, key }
}
