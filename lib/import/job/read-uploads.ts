import type { Upload } from '../../db/repos/import_uploads.ts'
import { baseName, folderOf } from '../../vault/file-name.ts'
import { compareNames } from '../../vault/folder-order.ts'
import { isContainer } from '../expand/expand-files.ts'
import { createScratchFile } from '../file/scratch-file.ts'
import type { SourceFile } from '../file/source-file.ts'
import { type FoundFile, readFiles } from '../read/read-folder.ts'
import type { StagedFiles } from './staged-files.ts'

/** The files that were handed over for a job, in the order of an import. One that is unpacked lies on disk meanwhile. */
export async function* readUploads(
  staged: StagedFiles,
  uploads: readonly Upload[],
  importFolder: string,
): AsyncGenerator<SourceFile> {
  const found = inOrder(uploads).map(
    ({ id, path, problem }): FoundFile => ({
      path,
      location: id,
      ...(problem !== null && { skip: problem }),
    }),
  )
  let removeLast = async () => {}

  async function read(path: string, id: string | Buffer): Promise<SourceFile> {
    if (!isContainer(path)) return { path, bytes: await staged.read(String(id)) }
    const { file, remove } = await createScratchFile(importFolder)
    removeLast = remove
    await staged.copyTo(String(id), file)
    return { path, stored: file }
  }

  try {
    for await (const file of readFiles(found, read)) {
      yield file
      await removeLast()
    }
  } finally {
    await removeLast()
  }
}

// As on disk: the files of a folder, what describes it first, then the folders below.
function inOrder(uploads: readonly Upload[]): Upload[] {
  const byFolder = Map.groupBy(uploads, ({ path }) => folderOf(path))
  return [...byFolder.keys()]
    .sort((a, b) => (a < b ? -1 : 1))
    .flatMap((folder) => {
      const compare = compareNames(folder)
      return byFolder.get(folder)!.toSorted((a, b) => compare(baseName(a.path), baseName(b.path)))
    })
}
