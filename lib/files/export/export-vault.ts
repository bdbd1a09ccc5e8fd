// A Space as a folder of Markdown: pages in their tree, the other types in folders of their own, originals with their
// bytes, research runs as a record. An import reads everything except that record back as the same content.

import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { inflate } from 'node:zlib'
import yazl from 'yazl'
import { type EntityRow, type Kind, textOf, titleOf } from '../../contract/entities/kind.ts'
import type { Kinds } from '../../contract/entities/kinds.ts'
import { normalizeName } from '../../core/text/normalize-name.ts'
import type { Queryable } from '../../db/pool.ts'
import { createEntitiesRepo } from '../../db/repos/entities.ts'
import { createVaultExportRepo } from '../../db/repos/export.ts'
import { createMailMessagesRepo } from '../../db/repos/mail_messages.ts'
import { createSpacesRepo, type SpaceRow } from '../../db/repos/spaces.ts'
import { manifestName, type VaultManifest } from '../vault/manifest.ts'
import { maxFileBytes } from '../vault/paths.ts'
import { writeVaultNote } from '../vault/vault-note.ts'
import { exportResearch } from './export-research.ts'
import { folders, planVault, type VaultPlan } from './plan-vault.ts'

export type VaultFile = { path: string; bytes: Uint8Array }

type ExportOptions = {
  database: Queryable
  kinds: Kinds
  space: Pick<SpaceRow, 'id' | 'slug' | 'name' | 'description' | 'color' | 'emoji'>
  /** Includes the trash, in a folder of its own, which an import skips. */
  trash: boolean
}

const rowsPerPage = 200

/** The files, one at a time: exporting a Space of any size takes little memory. */
export async function* exportVault(options: ExportOptions): AsyncGenerator<VaultFile> {
  const { database, kinds, space } = options
  const plan = await planVault(database, space.id)
  const details = await createSpacesRepo(database).findNamed(space.id)
  const manifest = manifestOf(options, plan, details?.instructions ?? '')
  yield { path: manifestName, bytes: encode(`${JSON.stringify(manifest, null, 1)}\n`) }

  for (const kind of kinds.all.filter(({ type }) => type !== 'source_doc')) {
    yield* exportKind(options, plan, kind, false)
    if (options.trash) yield* exportKind(options, plan, kind, true)
  }
  for (const { id, path } of plan.documents) {
    const bytes = await createVaultExportRepo(database).readDocument(space.id, id)
    if (bytes) yield { path, bytes }
  }
  yield* exportMail(database, plan)
  yield* exportResearch(database, space.id, plan)
}

async function* exportKind(
  options: ExportOptions,
  plan: VaultPlan,
  kind: Kind,
  deleted: boolean,
): AsyncGenerator<VaultFile> {
  const { database, space } = options
  let before_id: string | null = null
  do {
    const filter = { space_id: space.id, status: null, deleted, before_id, limit: rowsPerPage }
    const rows: EntityRow[] = await createEntitiesRepo(database).list(kind, filter)
    const ids = rows.map(({ id }) => id)
    const byEntity = Map.groupBy(
      await createVaultExportRepo(database).listPathNames(space.id, ids),
      (row) => row.entity_id,
    )
    for (const row of rows) {
      const path = pathOf(plan, kind, row, deleted)
      const names = (byEntity.get(row.id) ?? []).map(({ name }) => name)
      const others = otherPaths(names, path)
      const properties = {
        ...propertiesOf(plan, kind, row),
        ...(others.length > 0 && { known_as: others }),
        ...(deleted && { deleted: true }),
      }
      yield {
        path,
        bytes: encode(writeVaultNote({ kind: kind.type, properties, body: textOf(row[kind.bodyField]) })),
      }
    }
    before_id = rows.length === rowsPerPage ? rows.at(-1)!.id : null
  } while (before_id)
}

function pathOf({ paths, name }: VaultPlan, kind: Kind, row: EntityRow, deleted: boolean): string {
  if (deleted) return name(folders.trash, titleOf(row), '.md')
  const folder = kind.type in folders ? folders[kind.type as keyof typeof folders] : `${kind.path}/`
  // Pages created after names were assigned go to the top.
  return paths.get(row.id) ?? name(kind.type === 'page' ? '' : folder, titleOf(row), '.md')
}

// All fields except the text, which follows the front matter, and a page's parent, which is its file's location.
function propertiesOf({ paths }: VaultPlan, kind: Kind, row: EntityRow): Record<string, unknown> {
  const entries = Object.keys(kind.fields.shape).flatMap((field): [string, unknown][] => {
    const value = row[field]
    if (field === kind.bodyField || field === 'parent_id' || value === null) return []
    if (field === 'position' && value === 0) return []
    if (!(field in kind.references)) return [[field, value]]
    const path = paths.get(textOf(value))
    return path ? [[field.replace(/_id$/, ''), path]] : []
  })
  return Object.fromEntries(entries)
}

function manifestOf(
  { space }: ExportOptions,
  { documents, research, mail }: VaultPlan,
  instructions: string,
): VaultManifest {
  const { slug, name, description, color, emoji } = space
  const entries = documents.map(({ path, title, mime, metadata, has_original }) => [
    path,
    {
      title,
      mime,
      metadata: metadata as VaultManifest['documents'][string]['metadata'],
      is_text: !has_original,
    },
  ])
  return {
    void: 1,
    space: { slug, name, description, color, emoji, instructions },
    documents: Object.fromEntries(entries),
    mail: Object.fromEntries(mail.map(({ path, entry }) => [path, entry])),
    records: research.flatMap(({ path, data }) => [path, data]),
  }
}

const encode = (text: string) => new TextEncoder().encode(text)

// The Space's messages in their original form, one file each. The manifest holds their folders and flags.

const inflateAsync = promisify(inflate)

/** One message at a time. */
async function* exportMail(
  database: Queryable,
  { mail }: Pick<VaultPlan, 'mail'>,
): AsyncGenerator<{ path: string; bytes: Uint8Array }> {
  const messages = createMailMessagesRepo(database)
  for (const { id, path } of mail) {
    const original = await messages.findOriginal(id)
    if (original) yield { path, bytes: await inflateAsync(original.bytes, { maxOutputLength: maxFileBytes }) }
  }
}

/**
 * Additional paths by which links may name an entity: those of `names`, as stored, that are not a suffix of another.
 */
export function otherPaths(names: readonly string[], path: string): string[] {
  const all = [...names, normalizeName(path)]
  return names.filter(
    (name) => normalizeName(path) !== name && !all.some((other) => other.endsWith(`/${name}`)),
  )
}

/** Already compressed; compressing them again takes time and gains nothing. */
const packed =
  /\.(jpe?g|png|gif|webp|avif|heic|mp[34]|m4a|mov|webm|ogg|flac|zip|gz|docx|xlsx|pptx|odt|epub)$/i

/** Files as an archive, written as fast as it is read: the next file is fetched once the previous one is sent. */
export function zipOf(files: AsyncIterable<VaultFile>, mtime: Date): Readable {
  const zip = new yazl.ZipFile()
  const output = zip.outputStream as Readable
  // A disconnected reader requests nothing more.
  const disconnected = Promise.withResolvers<never>()
  disconnected.promise.catch(() => {})
  output.once('close', () => disconnected.reject(new Error('reader disconnected')))
  const feed = async () => {
    for await (const { path, bytes } of files) {
      const gone = Promise.withResolvers<void>()
      zip.addReadStreamLazy(path, { mtime, compress: !packed.test(path) }, (give) => {
        const stream = Readable.from([Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)], {
          objectMode: false,
        })
        stream.on('close', gone.resolve).on('error', gone.reject)
        give(null, stream)
      })
      await Promise.race([gone.promise, disconnected.promise])
    }
    zip.end()
  }
  feed().catch((error: Error) => output.destroy(error))
  return output
}
