// The program of the thread that the embedded database runs in: opens the store, then runs what it is sent.

import { openAsBlob } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import { vector } from '@electric-sql/pglite-pgvector'
import { createByteBuffer } from './byte-buffer.ts'
import { copyEmptyStore } from './copy-empty-store.ts'
import type { EngineAnswer, EngineOptions, EngineRequest } from './messages.ts'

// Postgres fills its buffers with zeros when it starts, and PGlite's default of 128 MB is most of what a small store
// takes. The files' pages are cached by the system as well.
const ownParams = [...PGlite.defaultStartParams, '-c', 'shared_buffers=32MB']

const { folder, dump, code }: EngineOptions = workerData
if (folder) copyEmptyStore(folder)
const pglite = await PGlite.create({
  dataDir: folder ?? 'memory://',
  extensions: { vector },
  ...(code && { pgliteWasmModule: code }),
  // A dump has settings of its own.
  ...(dump === undefined ? { startParams: ownParams } : { loadDataDir: await openAsBlob(dump) }),
})
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

function answer(found: EngineAnswer): void {
  parentPort?.postMessage(found, found instanceof Error ? [] : [found.buffer])
}
