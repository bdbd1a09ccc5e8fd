// Files uploaded for an import wait in the database, in parts, so that any server on it can run the import, and
// continue it after a crash.

import { open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { v7 as uuid } from 'uuid'
import { AppError, invalid } from '../../../core/errors.ts'
import { baseName, folderOf } from '../../../core/text/paths.ts'
import type { Database } from '../../../db/pool.ts'
import { createImportUploadsRepo, type Upload } from '../../../db/repos/files.ts'
import { checkPath, compareNames, maxContainerBytes, nameOfUnusablePath } from '../../vault/paths.ts'
import { isContainer } from '../expand/expand-files.ts'
import { createScratchFile } from '../file/attachment.ts'
import type { SourceFile } from '../file/format.ts'
import { type FoundFile, readFiles } from '../read/read-folder.ts'

/** `modified_at`: when the file was changed, as its sender says. */
export type UploadedFile<Content> = { content: Content; modified_at?: string | null | undefined }

export type StagedFiles = ReturnType<typeof createStagedFiles>

const partBytes = 256 * 1024

/** Limit for all jobs together. */
const maxWaitingBytes = maxContainerBytes

export function createStagedFiles(database: Database, { maxBytes = maxWaitingBytes } = {}) {
  const uploads = createImportUploadsRepo(database)

  return {
    /**
     * Stores a file of a job, replacing an earlier one at that path. A path that is too long to be stored only excludes
     * its file. False if the job accepts no more files. Throws a 400 `AppError` for a path that leads outside, 413 for
     * a file beyond `maxFile` bytes, 507 if too much is waiting; nothing is stored then.
     */
    async put(
      jobId: string,
      given: string,
      { content, modified_at = null }: UploadedFile<Readable | Uint8Array>,
      maxFile: number,
    ): Promise<boolean> {
      const upload = { id: uuid(), job_id: jobId, modified_at, ...checkUpload(given) }
      await uploads.begin(upload)
      try {
        const stream = content instanceof Readable ? content : Readable.from([content])
        const size = await store(upload.id, stream, upload.problem === null ? maxFile : null)
        const accepted = size !== null && (await uploads.complete(upload, size))
        if (!accepted) await uploads.remove(upload.id)
        return accepted
      } catch (error) {
        await uploads.remove(upload.id)
        throw error
      }
    },

    list: uploads.list,
    removeOf: uploads.removeOf,

    /** All of a file's bytes. */
    async read(id: string): Promise<Buffer> {
      const parts: Buffer[] = []
      for await (const part of partsOf(id)) parts.push(part)
      return Buffer.concat(parts)
    },

    /** Writes a file to disk, for streaming. */
    async copyTo(id: string, path: string): Promise<void> {
      const file = await open(path, 'wx', 0o600)
      try {
        for await (const part of partsOf(id)) await file.writeFile(part)
      } finally {
        await file.close()
      }
    },

    /** Removes files of finished jobs and of interrupted uploads. */
    async tidy(): Promise<void> {
      const { over, broken } = await uploads.listLeftOver()
      for (const jobId of over) await uploads.removeOf(jobId)
      for (const id of broken) await uploads.remove(id)
    },
  }

  /** The size, or null if the job is over. Without a limit, the bytes are read and not stored. */
  async function store(id: string, stream: Readable, maxFile: number | null): Promise<number | null> {
    const room = maxBytes - (await uploads.sumBytes())
    let size = 0
    let ordinal = 0
    for await (const part of inParts(stream)) {
      if (maxFile === null) continue
      size += part.length
      if (size > maxFile) throw new AppError('too_large', 413, `The file is larger than ${maxFile} bytes.`)
      if (size > room) throw tooMuchWaiting(maxBytes)
      if (!(await uploads.addPart(id, ordinal++, part))) return null
    }
    return size
  }

  async function* partsOf(id: string): AsyncGenerator<Buffer> {
    for (let ordinal = 0; ; ordinal++) {
      const part = await uploads.readPart(id, ordinal)
      if (part === null) return
      yield part
    }
  }
}

function checkUpload(given: string): { path: string; problem: string | null } {
  const { path, problem, tooLong } = checkPath(given)
  if (problem && !tooLong) throw invalid(`Invalid path ${nameOfUnusablePath(given)}: ${problem}.`)
  return { path: tooLong ? nameOfUnusablePath(path) : path, problem }
}

async function* inParts(stream: Readable): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = []
  let size = 0
  for await (const chunk of stream) {
    const bytes = Buffer.from(chunk)
    waiting.push(bytes)
    size += bytes.length
    if (size < partBytes) continue
    const whole = Buffer.concat(waiting)
    let at = 0
    for (; at + partBytes <= whole.length; at += partBytes) yield whole.subarray(at, at + partBytes)
    waiting = [whole.subarray(at)]
    size = whole.length - at
  }
  if (size > 0) yield Buffer.concat(waiting)
}

const tooMuchWaiting = (maxBytes: number) =>
  new AppError(
    'too_much_waiting',
    507,
    `Unfinished imports take up ${Math.round(maxBytes / 1024 ** 3)} GB. Start or undo them, and try again.`,
  )

/** A job's uploaded files, in import order. One to be unpacked is on disk meanwhile. */
export async function* readUploads(
  staged: StagedFiles,
  uploads: readonly Upload[],
  importFolder: string,
): AsyncGenerator<SourceFile> {
  const files = inOrder(uploads).map(
    ({ id, path, problem, modified_at }): FoundFile => ({
      path,
      modified: modified_at ?? undefined,
      location: id,
      ...(problem !== null && { skip: problem }),
    }),
  )
  let removeLast = async () => {}

  async function read({ path, location: id, modified }: FoundFile): Promise<SourceFile> {
    if (!isContainer(path)) return { path, bytes: await staged.read(String(id)), modified }
    const { file, remove } = await createScratchFile(importFolder)
    removeLast = remove
    await staged.copyTo(String(id), file)
    return { path, stored: file }
  }

  try {
    for await (const file of readFiles(files, read)) {
      yield file
      await removeLast()
    }
  } finally {
    await removeLast()
  }
}

// Same order as on disk: a folder's files, its description first, then its subfolders.
function inOrder(uploads: readonly Upload[]): Upload[] {
  const byFolder = Map.groupBy(uploads, ({ path }) => folderOf(path))
  return [...byFolder.keys()]
    .sort((a, b) => (a < b ? -1 : 1))
    .flatMap((folder) => {
      const compare = compareNames(folder)
      return byFolder.get(folder)!.toSorted((a, b) => compare(baseName(a.path), baseName(b.path)))
    })
}
