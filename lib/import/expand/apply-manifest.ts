import { baseName, folderOf } from '../../vault/file-name.ts'
import { manifestName, readManifest, type VaultManifest } from '../../vault/manifest.ts'
import type { PlainFile } from '../file/source-file.ts'

/**
 * Files with what the manifest of an export says of the documents and messages among them; the manifest itself is taken out. It
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
    const found = find(file.path)
    if (found?.document) yield { ...file, attached: true, document: found.document }
    else yield found?.mail ? { ...file, mail: found.mail } : file
  }

  function isRecord(path: string): boolean {
    return [...manifests].some(
      ([folder, { recordPaths }]) => path.startsWith(folder) && recordPaths.has(path.slice(folder.length)),
    )
  }

  function find(path: string) {
    for (const [folder, { documents, mail }] of manifests) {
      const inside = path.slice(folder.length)
      if (!path.startsWith(folder)) continue
      if (Object.hasOwn(documents, inside)) return { document: documents[inside]! }
      if (Object.hasOwn(mail, inside)) return { mail: mail[inside]! }
    }
    return undefined
  }
}
