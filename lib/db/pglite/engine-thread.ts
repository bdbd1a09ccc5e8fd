// The program of the thread that the embedded database runs in: opens the store, then runs what it is sent.

import fs, { openAsBlob } from 'node:fs'
import { flushCompileCache, syncBuiltinESMExports } from 'node:module'
import { setFlagsFromString } from 'node:v8'
import { parentPort, workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import { vector } from '@electric-sql/pglite-pgvector'

/** What the thread opens. */
export type EngineOptions = {
  /** Folder of PGlite's files. Default: in memory. */
  folder?: string | undefined
  /** A `.tar` of such a folder, with which a store in memory begins. */
  dump?: string | undefined
  /** PGlite's code, compiled before: for who opens many. */
  code?: WebAssembly.Module | undefined
}

/** Bytes to run, or `null` to close the store. */
export type EngineRequest = Uint8Array<ArrayBuffer> | null

/** One for each request, in their order, after one for the store that is open. An error is what the engine threw. */
export type EngineAnswer = Uint8Array<ArrayBuffer> | Error

// Postgres fills its buffers with zeros when it starts, and PGlite's default of 128 MB is most of what a small store
// takes. The files' pages are cached by the system as well.
const buffers = ['-c', 'shared_buffers=32MB']

/** Of the buffer that answers are gathered in. */
const startBytes = 64 * 1024

/**
 * V8 compiles a function again, for speed, once it has been busy. For the parser of SQL, 105 kB in one function, that takes
 * 600 MB and 2 s, and statements are parsed once. Whether it counts how busy a function is, it decides as the function is
 * first run.
 */
class Engine extends PGlite {
  /** Called once Postgres has started, before the first statement. */
  override async _initArrayTypes(options?: { force?: boolean }): Promise<void> {
    setFlagsFromString('--wasm-tier-up-filter=0')
    parseNothing(this.Module)
    setFlagsFromString('--wasm-tier-up-filter=-1')
    await super._initArrayTypes(options)
  }
}

// PGlite gives each file the mode that Postgres asked for, 666 or 644, by a chmod of its own, past the umask.
const { chmodSync } = fs
fs.chmodSync = (path, mode) => chmodSync(path, Number(mode) & 0o700)
syncBuiltinESMExports()

const { folder, dump, code }: EngineOptions = workerData
const pglite = new Engine({
  dataDir: folder ?? 'memory://',
  extensions: { vector },
  ...(code && { pgliteWasmModule: code }),
  // A dump has settings of its own.
  ...(dump === undefined
    ? { startParams: [...PGlite.defaultStartParams, ...buffers], initDbStartParams: buffers }
    : { loadDataDir: await openAsBlob(dump) }),
})
await pglite.waitReady
const bytes = createByteBuffer()

parentPort?.on('message', async (request: EngineRequest) => {
  try {
    if (request === null) await pglite.close()
    else await pglite.execProtocolRawStream(request, { syncToFs: false, onRawData: bytes.add })
    answer(bytes.take())
  } catch (error) {
    bytes.take()
    answer(new Error(error instanceof Error ? error.message : String(error)))
  }
})
answer(bytes.take())
// A thread that is ended does not keep what it compiled.
flushCompileCache()

function parseNothing(module: Engine['Module']): void {
  const parse: unknown = Reflect.get(module, '_raw_parser')
  if (typeof parse !== 'function') throw new Error('PGlite does not export its parser')
  const text = module._malloc(1)
  module.HEAPU8[text] = 0
  parse(text, 0)
  module._free(text)
}

function answer(found: EngineAnswer): void {
  parentPort?.postMessage(found, found instanceof Error ? [] : [found.buffer])
}

/** Gathers bytes that come in parts; the parts may change afterwards. */
function createByteBuffer() {
  let bytes = new Uint8Array(startBytes)
  let length = 0

  return {
    add(part: Uint8Array): void {
      const needed = length + part.length
      if (needed > bytes.length) {
        const larger = new Uint8Array(Math.max(needed, bytes.length * 2))
        larger.set(bytes.subarray(0, length))
        bytes = larger
      }
      bytes.set(part, length)
      length = needed
    },

    /** All of them, in a buffer of their own. */
    take(): Uint8Array<ArrayBuffer> {
      const taken = bytes.slice(0, length)
      length = 0
      if (bytes.length > startBytes) bytes = new Uint8Array(startBytes)
      return taken
    },
  }
}
