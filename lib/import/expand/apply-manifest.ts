import { baseName, folderOf } from '../../vault/file-name.ts'
import { manifestName, readManifest, type VaultManifest } from '../../vault/manifest.ts'
import type { PlainFile } from '../file/source-file.ts'

/**
 * Files with what the manifest of an export says of the documents among them; the manifest itself is taken out. It
 * stands at the top of the export, and so comes before them.
 */
export async function* applyManifest(files: AsyncIterable<PlainFile>): AsyncGenerator<PlainFile> {
  const manifests = new Map<string, VaultManifest & { recordPaths: ReadonlySet<string> }>()

  for await (const file of files) {
    if (!('bytes' in file)) {
      yield file
      continue
    }
    const manifest = baseName(file.path) === manifestName ? readManifest(file.bytes) : null
    if (manifest) {
      manifests.set(folderOf(file.path), { ...manifest, recordPaths: new Set(manifest.records) })
      continue
    }
    if (isRecord(file.path)) {
      yield { path: file.path, skip: 'it is a record of research, which is not imported' }
      continue
    }
    const document = find(file.path)
    yield document ? { ...file, attached: true, document } : file
  }

  function isRecord(path: string): boolean {
    return [...manifests].some(
      ([folder, { recordPaths }]) => path.startsWith(folder) && recordPaths.has(path.slice(folder.length)),
    )
  }

  function find(path: string) {
    for (const [folder, { documents }] of manifests) {
      const inside = path.slice(folder.length)
      if (path.startsWith(folder) && Object.hasOwn(documents, inside)) return documents[inside]
    }
    return undefined
  }
}
