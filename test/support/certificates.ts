// Certificates of this machine that only the tests trust.
import { execFile } from "node:child_process"
import { join } from "node:path"
import { promisify } from "node:util"

export interface MadeCertificate {
  /** Paths of PEM files. */
  readonly cert: string
  readonly key: string
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
