// The content codings, by what zlib makes of bytes: at once, beside other work, for good, and piece by piece.

import type { Transform } from "node:stream"
import { promisify } from "node:util"
import type { BrotliOptions, ZlibOptions, ZstdOptions } from "node:zlib"
import type { Coding } from "./accept-encoding.ts"

/** An import would load it in each process, also where nothing is ever coded. */
const zlibOf = () => process.getBuiltinModule("node:zlib")

/** Bytes up to which coding takes about as long as handing it to another thread does: less than half a millisecond. */
const mostAtOnce = 32 * 1024

type Speed = "answer" | "document"

/** By measurement: the next level of an answer would take more time than its bytes are worth. A document is coded once. */
const levels: Readonly<Record<Speed, Readonly<Record<Coding, number>>>> = {
  answer: { zstd: 1, br: 4, gzip: 6 },
  document: { zstd: 12, br: 9, gzip: 9 },
}

interface Compressor {
  atOnce(bytes: Buffer): Buffer
  later(bytes: Buffer, speed: Speed): Promise<Buffer>
  /** Each piece that goes in comes out, without waiting for the next one. */
  stream(): Transform
}

const zstdOptions = (speed: Speed): ZstdOptions => {
  const { ZSTD_c_compressionLevel } = zlibOf().constants
  return { params: { [ZSTD_c_compressionLevel]: levels[speed].zstd } }
}

const brotliOptions = (speed: Speed, size?: number): BrotliOptions => {
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = zlibOf().constants
  return {
    params: {
      [BROTLI_PARAM_QUALITY]: levels[speed].br,
      ...(size !== undefined && { [BROTLI_PARAM_SIZE_HINT]: size }),
    },
  }
}

const gzipOptions = (speed: Speed): ZlibOptions => ({ level: levels[speed].gzip })

const compressors: Readonly<Record<Coding, Compressor>> = {
  zstd: {
    atOnce: (bytes) => zlibOf().zstdCompressSync(bytes, zstdOptions("answer")),
    later: (bytes, speed) => promisify(zlibOf().zstdCompress)(bytes, zstdOptions(speed)),
    stream: () =>
      zlibOf().createZstdCompress({ ...zstdOptions("answer"), flush: zlibOf().constants.ZSTD_e_flush }),
  },
  br: {
    atOnce: (bytes) => zlibOf().brotliCompressSync(bytes, brotliOptions("answer", bytes.length)),
    later: (bytes, speed) => promisify(zlibOf().brotliCompress)(bytes, brotliOptions(speed, bytes.length)),
    stream: () =>
      zlibOf().createBrotliCompress({
        ...brotliOptions("answer"),
        flush: zlibOf().constants.BROTLI_OPERATION_FLUSH,
      }),
  },
  gzip: {
    atOnce: (bytes) => zlibOf().gzipSync(bytes, gzipOptions("answer")),
    later: (bytes, speed) => promisify(zlibOf().gzip)(bytes, gzipOptions(speed)),
    stream: () => zlibOf().createGzip({ ...gzipOptions("answer"), flush: zlibOf().constants.Z_SYNC_FLUSH }),
  },
}

export function compress(coding: Coding, bytes: Buffer): Buffer | Promise<Buffer> {
  const compressor = compressors[coding]
  return bytes.length <= mostAtOnce ? compressor.atOnce(bytes) : compressor.later(bytes, "answer")
}

export const compressDocument = (coding: Coding, bytes: Buffer): Promise<Buffer> =>
  compressors[coding].later(bytes, "document")

export const compressPieces = (coding: Coding): Transform => compressors[coding].stream()
