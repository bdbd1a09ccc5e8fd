// Attaches one file to a text: it is stored as in an import, under a unique name, so that `![[name]]` refers only to
// it. Bytes already in the Space are not stored again.

import { createHash } from 'node:crypto'
import { resolveName } from '../../content/links/link-index.ts'
import type { Writer } from '../../content/writes/write.ts'
import type { Attachment } from '../../contract/imports.ts'
import type { OwnerActor, SystemActor } from '../../core/actor.ts'
import { invalid } from '../../core/errors.ts'
import { cleanLine } from '../../core/text/clean.ts'
import { normalizeName } from '../../core/text/normalize-name.ts'
import { extensionOf, stemOf } from '../../core/text/paths.ts'
import type { Database, Queryable, Tx } from '../../db/pool.ts'
import { createAuditRepo } from '../../db/repos/audit.ts'
import { createSourceDocsRepo } from '../../db/repos/files.ts'
import { createNamesRepo } from '../../db/repos/names.ts'
import { maxFileBytes } from '../vault/paths.ts'
import type { ParsedFile } from './file/format.ts'
import { ownFormats } from './parse/formats.ts'
import { createParser } from './parse/parser.ts'
import { prepareFile } from './parse/prepare-file.ts'

export const maxAttachmentBytes = maxFileBytes

export type AttachOptions = {
  database: Database
  writer: Writer
  actor: OwnerActor | SystemActor
  space_id: string
  /** The file's original name. */
  name: string
  bytes: Uint8Array
}

/** Throws a 400 `AppError` for a file that cannot be stored, and the errors of `Writer.write`. */
export async function attachFile(options: AttachOptions): Promise<Attachment> {
  const { database, name, bytes } = options
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const existing = await findKnown(database, options.space_id, sha256)
  if (existing) return existing

  const parsed = await parse(attachmentName(name), bytes)
  return await database.transaction(async (tx) => {
    // Locks out other writers: the name stays free until the commit.
    await createAuditRepo(tx).lock()
    return (await findKnown(tx, options.space_id, sha256)) ?? (await store(tx, options, parsed, sha256))
  })
}

const maxAlike = 20

/** A file with the same bytes whose title resolves to it. */
async function findKnown(db: Queryable, spaceId: string, sha256: string): Promise<Attachment | null> {
  for (const { id, title, mime, size } of await createSourceDocsRepo(db).listByHash(
    spaceId,
    sha256,
    maxAlike,
  )) {
    if (title !== attachmentName(title)) continue
    const target = await resolveName(db, spaceId, title)
    if (target?.entity_id === id) return { id, name: title, mime, size, existing: true }
  }
  return null
}

async function parse(name: string, bytes: Uint8Array): Promise<ParsedFile> {
  const parser = createParser()
  try {
    const file = prepareFile({ formats: await ownFormats(), parser }, { path: name, bytes, attached: true })
    if (!('parse' in file)) throw invalid(`The file cannot be stored: ${reasonOf(file)}.`)
    return await file.parse()
  } finally {
    await parser.close()
  }
}

const reasonOf = (file: { skip: string } | object) => ('skip' in file ? file.skip : 'it is a message')

async function store(
  tx: Tx,
  { writer, actor, space_id, name, bytes }: AttachOptions,
  { fields, hidden }: ParsedFile,
  sha256: string,
): Promise<Attachment> {
  const title = await freeName(tx, space_id, attachmentName(name), sha256)
  const row = await writer.write(
    tx,
    {
      action: 'create',
      type: 'source_doc',
      space_id,
      // The content comes from elsewhere, as an imported file's does.
      origin: 'import',
      fields: { ...fields, title },
      ...(hidden && { hidden }),
    },
    { actor },
  )
  return { id: row.id, name: title, mime: String(row.mime), size: bytes.length, existing: false }
}

const maxNumber = 100

/** The name, or the first numbered variant that is free in the Space. */
async function freeName(tx: Queryable, spaceId: string, name: string, sha256: string): Promise<string> {
  const [stem, extension] = [stemOf(name), extensionOf(name)]
  const numbered = Array.from({ length: maxNumber }, (_, index) =>
    index === 0 ? name : `${stem} (${index + 1})${extension}`,
  )
  const taken = new Set(await createNamesRepo(tx).listTaken(spaceId, numbered.map(normalizeName)))
  const free = numbered.find((candidate) => !taken.has(normalizeName(candidate)))
  return free ?? `${stem} ${sha256.slice(0, 16)}${extension}`
}

const maxStemLength = 150
const maxExtensionLength = 20

/** A file's name without characters that would end a link, lead into a folder or hide it. */
export function attachmentName(given: string): string {
  const plain = cleanLine(given.slice(-2000))
    .replace(/^.*[/\\]/, '')
    .replace(/[[\]|#^<>:"?*\p{Cc}\p{Cf}]/gu, '-')
    .replace(/\s+/g, ' ')
    .replace(/^[\s.]+/, '')
    .trim()
  const extension = extensionOf(plain).length <= maxExtensionLength ? extensionOf(plain) : ''
  const stem = plain.slice(0, plain.length - extension.length)
  const short = [...stem].slice(0, maxStemLength).join('').trim()
  return `${short || 'File'}${plain.slice(plain.length - extension.length)}`
}
