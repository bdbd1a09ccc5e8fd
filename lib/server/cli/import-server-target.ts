import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { Space } from '../../contract/entities.ts'
import { ImportJob, type ImportResult, JobFile, Received, Survey } from '../../contract/imports.ts'
import { type List, listOf } from '../../contract/list.ts'
import { AppError } from '../../core/errors.ts'
import type { ReadFile, SourceFile } from '../../files/import/file/format.ts'
import { skipped } from '../../files/import/file/outcome.ts'
import { addOutcomes, addResult, emptyResult } from '../../files/import/import-result.ts'
import type { ImportRun } from '../../files/import/job/import-jobs.ts'
import { type CallServer, createCallServer, type ServerOptions } from './call-server.ts'
import type { ImportTarget, TargetSpace } from './run-import.ts'

// The import command while a server runs on the embedded store, which only one process may open: the files go to that
// server as a job, in calls small enough to be answered soon. Handing a file over twice does nothing, so a lost answer
// is asked for again.

const filesPerCall = 100

const bytesPerCall = 6 * 1024 * 1024

const askEveryMs = 300

export function createServerTarget(options: ServerOptions): ImportTarget {
  const call = createCallServer(options)

  return {
    note: `Void is running at ${options.url}, so the files go to it.`,
    enterSpace: (slug, name) => enterSpace(call, slug, name),
    findSpace: (slug) => findSpace(call, slug),
    survey: ({ space_id, ...body }) => call('POST', `/api/spaces/${space_id}/import/survey`, Survey, body),
    importFiles: (run) => sendFiles(call, options, run),
    close: async () => {},
  }
}

export async function enterSpace(call: CallServer, slug: string, name: string): Promise<TargetSpace> {
  const existing = await findSpace(call, slug)
  if (existing) return existing
  try {
    return { ...(await call('POST', '/api/spaces', Space, { slug, name })), created: true }
  } catch (error) {
    // Another import may have created it meanwhile.
    const created = await findSpace(call, slug)
    if (!created) throw error
    return created
  }
}

export async function findSpace(call: CallServer, slug: string): Promise<TargetSpace | null> {
  let cursor = ''
  do {
    const page = await call('GET', `/api/spaces?limit=200${cursor && `&cursor=${cursor}`}`, listOf(Space))
    const found = page.items.find((item) => item.slug === slug)
    if (found) return { ...found, created: false }
    cursor = page.next_cursor ?? ''
  } while (cursor)
  return null
}

async function sendFiles(call: CallServer, options: ServerOptions, run: ImportRun): Promise<ImportResult> {
  const { space_id, source, root, trust, signal } = run
  const { id } = await call('POST', `/api/spaces/${space_id}/imports`, ImportJob, {
    source,
    root: root ?? null,
    trust,
  })
  const result = emptyResult()

  for await (const batch of inCalls(run.files)) {
    if (signal.aborted) return { ...result, stopped: true }
    addOutcomes(
      result,
      batch.flatMap((file) => ('skip' in file ? [skipped(file.path, file.skip)] : [])),
    )
    const files = batch.flatMap((file) => ('bytes' in file ? [encode(file)] : []))
    if (files.length > 0) await call('POST', `/api/imports/${id}/files`, Received, { files })
    for (const file of batch) if ('stored' in file) await sendStored(options, id, file)
  }

  await call('POST', `/api/imports/${id}/${run.preview ? 'preview' : 'start'}`, ImportJob)
  const ended = await follow(call, options, id, run)
  if (ended.state === 'failed') {
    throw new AppError('import_failed', 500, `The import failed: ${ended.problem} Run it again to continue.`)
  }
  addResult(result, { ...emptyResult(), ...ended, stopped: ended.state === 'stopped' })
  for (let cursor: string | null = '0'; cursor !== null; ) {
    const path = `/api/imports/${id}/files?noted=true&limit=500&cursor=${cursor}`
    const page: List<JobFile> = await call('GET', path, listOf(JobFile))
    result.notes.push(...page.items)
    cursor = page.next_cursor
  }
  return result
}

/** The job once it runs no more. Told to stop, it is asked to, once. */
async function follow(
  call: CallServer,
  { pause = wait }: ServerOptions,
  id: string,
  { signal, onProgress }: ImportRun,
) {
  for (let told = false; ; ) {
    const now = await call('GET', `/api/imports/${id}`, ImportJob)
    onProgress(now.done)
    if (now.state !== 'running' && now.state !== 'previewing') return now
    if (signal.aborted && !told) {
      told = true
      await call('POST', `/api/imports/${id}/stop`, ImportJob)
    }
    await pause(askEveryMs)
  }
}

// An archive or a mailbox goes as it is: it may be larger than memory.
async function sendStored(
  { url, ownerToken, fetch = globalThis.fetch }: ServerOptions,
  id: string,
  { path, stored }: { path: string; stored: string | Buffer },
): Promise<void> {
  const response = await fetch(new URL(`/api/imports/${id}/file?path=${encodeURIComponent(path)}`, url), {
    method: 'POST',
    headers: { authorization: `Bearer ${ownerToken}`, 'content-type': 'application/octet-stream' },
    body: Readable.toWeb(createReadStream(stored)),
    duplex: 'half',
  })
  if (response.ok) return
  throw new AppError(
    'server_refused',
    response.status,
    `The running Void did not accept ${path} (status ${response.status}).`,
  )
}

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

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

const encode = ({ path, bytes, modified }: ReadFile) => ({
  path,
  modified_at: modified,
  base64: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64'),
})
