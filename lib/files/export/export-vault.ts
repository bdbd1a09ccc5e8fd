// A Space as the folder that it would be on disk: pages and files at their paths with their own bytes, the other types in
// folders of their own, research runs as a record. An import reads everything except that record back as the same content.

import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { inflate } from 'node:zlib'
import yazl from 'yazl'
import { type EntityRow, type Kind, textOf, titleOf } from '../../contract/entities/kind.ts'
import type { Kinds } from '../../contract/entities/kinds.ts'
import { namesOfPath } from '../../core/text/links/resolve-link.ts'
import { baseName, isNotePath } from '../../core/text/paths.ts'
import type { Queryable } from '../../db/pool.ts'
import { createEntitiesRepo } from '../../db/repos/entities.ts'
import { createVaultExportRepo } from '../../db/repos/export.ts'
import { createMailMessagesRepo } from '../../db/repos/mail_messages.ts'
import { createSpacesRepo, type SpaceRow } from '../../db/repos/spaces.ts'
import { mimeOf } from '../import/file/mime.ts'
import { positionIn, titleIn } from '../import/file/note-fields.ts'
import type { NoteEntry, VaultManifest } from '../vault/manifest.ts'
import { writeNoteText } from '../vault/note-bytes.ts'
import { asTitle, manifestName, maxFileBytes } from '../vault/paths.ts'
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
  const notes: VaultManifest['notes'] = {}
  const dates: VaultManifest['dates'] = {}
  // What has no room in its file is in the manifest, which comes first.
  for (const kind of kinds.all.filter(({ type }) => type !== 'source_doc')) {
    const date = (path: string, row: EntityRow) => {
      dates[path] = [row.created_at, row.updated_at]
    }
    for await (const { path, entry, row } of notesOf(options, plan, kind, false, date)) {
      date(path, row)
      if (entry) notes[path] = entry
    }
  }
  const manifest = manifestOf(options, plan, { notes, dates, instructions: details?.instructions ?? '' })
  yield { path: manifestName, bytes: encode(`${JSON.stringify(manifest, null, 1)}\n`) }

  for (const kind of kinds.all.filter(({ type }) => type !== 'source_doc')) {
    for await (const { path, bytes } of notesOf(options, plan, kind, false)) yield { path, bytes }
    if (options.trash)
      for await (const { path, bytes } of notesOf(options, plan, kind, true)) yield { path, bytes }
  }
  for (const { id, path } of plan.documents) {
    const bytes = await createVaultExportRepo(database).readDocument(space.id, id)
    if (bytes) yield { path, bytes }
  }
  yield* exportMail(database, plan)
  yield* exportResearch(database, space.id, plan)
}

type NoteFile = VaultFile & { entry: NoteEntry | null; row: EntityRow }

async function* notesOf(
  options: ExportOptions,
  plan: VaultPlan,
  kind: Kind,
  deleted: boolean,
  onFolder?: (path: string, row: EntityRow) => void,
): AsyncGenerator<NoteFile> {
  const { database, space } = options
  let before_id: string | null = null
  do {
    const filter = { space_id: space.id, status: null, deleted, before_id, limit: rowsPerPage }
    const rows: EntityRow[] = await createEntitiesRepo(database).list(kind, filter)
    const ids = rows.map(({ id }) => id)
    const repo = createVaultExportRepo(database)
    const former = Map.groupBy(await repo.listFormerNames(space.id, ids), ({ entity_id }) => entity_id)
    const originals = new Map(
      kind.type === 'page' ? (await repo.listOriginals(space.id, ids)).map((row) => [row.id, row]) : [],
    )
    for (const row of rows) {
      const path = pathOf(plan, kind, row, deleted)
      if (path.endsWith('/')) {
        onFolder?.(path, row)
        continue
      }
      const names = (former.get(row.id) ?? []).map(({ name }) => name)
      const known_as = knownAs(names)
      const properties = {
        ...propertiesOf(plan, kind, row, path),
        ...(known_as.length > 0 && { known_as }),
        ...(deleted && { deleted: true }),
      }
      yield noteFile({ kind, row, path, properties }, originals.get(row.id))
    }
    before_id = rows.length === rowsPerPage ? rows.at(-1)!.id : null
  } while (before_id)
}

type Note = { kind: Kind; row: EntityRow; path: string; properties: Record<string, unknown> }

function noteFile(
  { kind, row, path, properties }: Note,
  original: { bytes: Buffer; original_of: string } | undefined,
): NoteFile {
  const body = textOf(row[kind.bodyField])
  const isPlain = kind.type === 'page' && Object.keys(properties).length === 0
  if (isPlain && original && original.original_of === sha256(body))
    return { path, row, bytes: original.bytes, entry: null }
  const text = writeVaultNote({ kind: kind.type, properties, body })
  // What an import would not take as it is.
  const isFit = text !== null && !/^\uFEFF|\r/.test(text) && isNotePath(path)
  // Edited since it came in: with the byte order mark and the line breaks that it had.
  if (isFit)
    return {
      path,
      row,
      bytes: (original && writeNoteText(original.bytes, text)) ?? encode(text),
      entry: null,
    }
  return {
    path,
    row,
    bytes: encode(body),
    entry: { kind: kind.type, properties: properties as NoteEntry['properties'] },
  }
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** The shortest paths from which these names come. */
const knownAs = (names: readonly string[]): string[] => {
  const paths = names.filter((name) => name.startsWith('/')).map((name) => name.slice(1))
  const said = new Set(paths.flatMap((path) => [path, ...namesOfPath(path)]))
  return [...paths, ...names.filter((name) => !name.startsWith('/') && !said.has(name))]
}

function pathOf({ paths, placed, name }: VaultPlan, kind: Kind, row: EntityRow, deleted: boolean): string {
  if (deleted) return placed.get(row.id) ?? place(folders.trash)
  const folder = kind.type in folders ? folders[kind.type as keyof typeof folders] : `${kind.path}/`
  // Pages created after names were assigned go to the top.
  return paths.get(row.id) ?? placed.get(row.id) ?? place(kind.type === 'page' ? '' : folder)

  /** The same for each of the two times that it is read. */
  function place(folder: string): string {
    const path = name(folder, titleOf(row), '.md')
    placed.set(row.id, path)
    return path
  }
}

// What neither the file's name nor its text says: all fields but the text, which follows, and a page's place.
function propertiesOf(plan: VaultPlan, kind: Kind, row: EntityRow, path: string): Record<string, unknown> {
  const body = textOf(row[kind.bodyField])
  const said: Record<string, unknown> = {
    ...kind.defaults,
    ...(kind.type === 'page' ? positionIn(body) : {}),
    title: asTitle((kind.type === 'page' ? titleIn(body, path) : null) ?? plan.nameOf(path)),
  }
  const entries = Object.keys(kind.fields.shape).flatMap((field): [string, unknown][] => {
    const value = row[field]
    if ([kind.bodyField, 'parent_id', 'path'].includes(field)) return []
    if (value === (said[field] ?? null)) return []
    if (!(field in kind.references)) return [[field, value]]
    const target = plan.paths.get(textOf(value))
    return target ? [[field.replace(/_id$/, ''), target]] : []
  })
  return Object.fromEntries(entries)
}

function manifestOf(
  { space }: ExportOptions,
  { documents, research, mail }: VaultPlan,
  { notes, dates, instructions }: Pick<VaultManifest, 'notes' | 'dates'> & { instructions: string },
): VaultManifest {
  const { slug, name, description, color, emoji } = space
  const entries = documents.flatMap(({ path, title, mime, metadata, has_original }) => {
    const { size: _, ...said } = metadata
    const isSaid =
      title === baseName(path) && said.path === path && Object.keys(said).length === 1 && has_original
    const isPlain = isSaid && mime === (mimeOf(path) ?? mime) && !becomesPage(path)
    const entry = {
      title,
      mime,
      metadata: metadata as VaultManifest['documents'][string]['metadata'],
      is_text: !has_original,
    }
    return isPlain ? [] : [[path, entry] as const]
  })
  return {
    void: 1,
    space: { slug, name, description, color, emoji, instructions },
    documents: Object.fromEntries(entries),
    notes,
    dates: {
      ...dates,
      ...Object.fromEntries(
        documents.map(({ path, created_at, updated_at }) => [path, [created_at, updated_at] as const]),
      ),
    } as VaultManifest['dates'],
    mail: Object.fromEntries(mail.map(({ path, entry }) => [path, entry])),
    records: research.flatMap(({ path, data }) => [path, data]),
  }
}

/** Whether an import would read the file as something else than a file. */
const becomesPage = (path: string): boolean =>
  !/\.(?:png|jpe?g|gif|webp|avif|svg|bmp|tiff?|mp[34]|m4a|mov|webm|ogg|wav|flac)$/i.test(path)

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
