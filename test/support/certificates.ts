// Certificates of this machine that only the tests trust.
import { execFile } from "node:child_process"
import { writeFile } from "node:fs/promises"
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

/** A certificate that is valid from a day to another: by `openssl ca`, as `openssl req` takes no dates. */
export async function makeDated(folder: string, from: Date, until: Date): Promise<MadeCertificate> {
  const [cert, key, request, config, index] = ["crt", "key", "csr", "cnf", "index"].map((kind) =>
    join(folder, `dated.${kind}`),
  )
  const openssl = (...given: readonly (string | undefined)[]) =>
    promisify(execFile)("openssl", given.map(String), { cwd: folder })
  await openssl(
    ...["req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"],
    ...["-subj", "/CN=localhost", "-keyout", key, "-out", request],
  )
  const settings = [
    "database=dated.index",
    "new_certs_dir=.",
    "default_md=sha256",
    "policy=any",
    "rand_serial=yes",
  ]
  await writeFile(
    `${config}`,
    ["[ca]", "default_ca=own", "[own]", ...settings, "[any]", "commonName=supplied", ""].join("\n"),
  )
  await writeFile(`${index}`, "")
  const at = (date: Date): string => `${date.toISOString().replaceAll(/[-:T]/g, "").slice(0, 14)}Z`
  await openssl(
    ...["ca", "-batch", "-selfsign", "-notext", "-config", config, "-keyfile", key, "-in", request],
    ...["-startdate", at(from), "-enddate", at(until), "-out", cert],
  )
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
