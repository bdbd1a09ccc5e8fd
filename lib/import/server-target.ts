// The import command while a server runs on the embedded store, which only one process may open: the files go to that
// server, in calls small enough to be answered soon. Importing a file twice does nothing, so a lost answer is asked
// for again.

import { z } from 'zod'
import { type CallServer, createCallServer, type ServerOptions } from './call-server.ts'
import type { ImportRun, ImportTarget, TargetSpace } from './import-target.ts'
import { addOutcomes, addResult, emptyResult, type ImportResult, skipped } from './outcome.ts'
import { importResult, survey } from './result-schema.ts'
import type { SourceFile } from './source-file.ts'

const filesPerCall = 100
const bytesPerCall = 6 * 1024 * 1024

export function createServerTarget(options: ServerOptions): ImportTarget {
  const call = createCallServer(options)

  return {
    note: `Void is running at ${options.url}, so the files go to it.`,
    enterSpace: (slug, name) => enterSpace(call, slug, name),
    survey: ({ space_id, ...body }) => call('POST', `/api/spaces/${space_id}/import/survey`, survey, body),
    importFiles: (run) => sendFiles(call, run),
    close: async () => {},
  }
}

const space = z.object({ id: z.string(), slug: z.string(), name: z.string() })
const spaces = z.object({ items: z.array(space), next_cursor: z.string().nullable() })

async function enterSpace(call: CallServer, slug: string, name: string): Promise<TargetSpace> {
  let cursor = ''
  do {
    const page = await call('GET', `/api/spaces?limit=200${cursor && `&cursor=${cursor}`}`, spaces)
    const found = page.items.find((item) => item.slug === slug)
    if (found) return { ...found, created: false }
    cursor = page.next_cursor ?? ''
  } while (cursor)
  return { ...(await call('POST', '/api/spaces', space, { slug, name })), created: true }
}

async function sendFiles(call: CallServer, run: ImportRun): Promise<ImportResult> {
  const { space_id, source, gone, onProgress, signal } = run
  const result = emptyResult()
  let done = 0

  for await (const batch of inCalls(run.files)) {
    if (signal.aborted) return { ...result, stopped: true }
    const files = batch.flatMap((file) => ('bytes' in file ? [encode(file)] : []))
    addOutcomes(
      result,
      batch.flatMap((file) => ('skip' in file ? [skipped(file.path, file.skip)] : [])),
    )
    if (files.length > 0) {
      const body = { source, files, gone }
      addResult(result, await call('POST', `/api/spaces/${space_id}/import`, importResult, body))
    }
    done += batch.length
    onProgress(done)
  }
  return result
}

async function* inCalls(files: AsyncIterable<SourceFile>): AsyncGenerator<SourceFile[]> {
  let batch: SourceFile[] = []
  let bytes = 0

  for await (const file of files) {
    batch.push(file)
    bytes += 'bytes' in file ? file.bytes.length : 0
    if (batch.length < filesPerCall && bytes < bytesPerCall) continue
    yield batch
    batch = []
    bytes = 0
  }
  if (batch.length > 0) yield batch
}

const encode = ({ path, bytes }: { path: string; bytes: Uint8Array }) => ({
  path,
  base64: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64'),
})
