// A vault in memory and a Void to bring it into: what the import tests share.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach } from 'vitest'
import { createWriter } from '../../../lib/content/writes/write.ts'
import { createSpace } from '../../../lib/content/writes/write-space.ts'
import type { EntityRow } from '../../../lib/contract/entities/kind.ts'
import { kinds } from '../../../lib/contract/entities/kinds.ts'
import type { FileOutcome, ImportResult } from '../../../lib/contract/imports.ts'
import { machineCalendar } from '../../../lib/core/schedule/calendar.ts'
import { createEntitiesRepo } from '../../../lib/db/repos/entities.ts'
import { createLinksRepo } from '../../../lib/db/repos/links.ts'
import { createMailMessagesRepo } from '../../../lib/db/repos/mail_messages.ts'
import { createMailThreadsRepo } from '../../../lib/db/repos/mail_threads.ts'
import type { SourceFile } from '../../../lib/files/import/file/format.ts'
import { findMissing, importFiles } from '../../../lib/files/import/import-files.ts'
import { createLargeMessageThreads } from '../../../lib/outside/mail/message/parse-in-thread.ts'
import { createImportMail } from '../../../lib/outside/mail/store/import-messages.ts'
import { createSearch } from '../../../lib/search/search.ts'
import { testDb } from '../../helpers/test-db.ts'

export type Vault = Record<string, string | Uint8Array>

const owner = { kind: 'owner' } as const
const bytesOf = (content: string | Uint8Array) =>
  typeof content === 'string' ? new TextEncoder().encode(content) : content

export const asFiles = (vault: Vault): SourceFile[] =>
  Object.entries(vault).map(([path, content]) => ({ path, bytes: bytesOf(content) }))

/** A database for the test file and a new Space for each test. */
export async function importWorld() {
  const database = await testDb()
  const search = createSearch({ db: database, kinds })
  const now = () => new Date()
  const writer = createWriter({ kinds, search, calendar: machineCalendar(now) })
  const threads = createLargeMessageThreads()
  const importMail = createImportMail({ database, search, threads, now, onNews: () => {} })
  const importFolder = await mkdtemp(join(tmpdir(), 'void-import-'))
  afterAll(async () => {
    await threads.close()
    await rm(importFolder, { recursive: true })
  })
  const world = { database, writer, importFolder, importMail, space_id: '' }
  let spaces = 0
  beforeEach(async () => {
    spaces += 1
    world.space_id = (await createSpace(database, owner, { name: `Skerry Light ${spaces}` })).id
  })

  /** Brings the vault in as the command does: with the knowledge of what is gone from it. */
  async function bringIn(vault: Vault, source = 'keeper'): Promise<ImportResult & { gone: FileOutcome[] }> {
    const about = { database, space_id: world.space_id, source, present: Object.keys(vault) }
    const { paths } = await findMissing(about)
    const files = asFiles(vault)
    const { present } = about
    const result = await importFiles({ ...world, source, files, present, gone: paths })
    return { ...result, gone: (await findMissing(about)).kept }
  }

  async function list(type: string): Promise<EntityRow[]> {
    const filter = { space_id: world.space_id, status: null, deleted: false, before_id: null, limit: 10_000 }
    return (await createEntitiesRepo(database).list(kinds.get(type), filter)).reverse()
  }

  /** The pages as `Grandparent > Parent > Page`, in order. */
  async function tree(): Promise<string[]> {
    const pages = new Map((await list('page')).map((page) => [page.id, page]))
    const trail = (page: EntityRow): string => {
      const parent = pages.get(String(page.parent_id))
      return parent ? `${trail(parent)} > ${page.title}` : String(page.title)
    }
    return [...pages.values()].map(trail).sort()
  }

  async function named(title: string, type = 'page'): Promise<EntityRow> {
    const found = (await list(type)).filter((row) => row.title === title)
    if (found.length !== 1) throw new Error(`${found.length} of type ${type} are called ${title}`)
    return found[0]!
  }

  /** The bytes of the document with this title. */
  async function originalOf(title: string): Promise<Buffer> {
    const { id } = await named(title, 'source_doc')
    const { rows } = await database.query<{ original: Buffer }>(
      'select original from source_docs where id = $1',
      [id],
    )
    return rows[0]!.original
  }

  /** The links of the entity with this title: each name with the title it leads to, or null. */
  async function linksFrom(title: string, type = 'page'): Promise<Record<string, string | null>> {
    const from = await named(title, type)
    const titles = new Map(
      [...(await list('page')), ...(await list('source_doc'))].map((row) => [row.id, row.title]),
    )
    const links = await createLinksRepo(database).listFrom(world.space_id, from.id)
    return Object.fromEntries(
      links.map(({ name, heading, to_id }) => [
        heading ? `${name}#${heading}` : name,
        to_id ? String(titles.get(to_id)) : null,
      ]),
    )
  }

  /** A change by the owner in the browser. */
  async function edit(row: EntityRow, fields: Record<string, unknown>, type = 'page'): Promise<EntityRow> {
    const { id, space_id, version } = row
    return await database.transaction((tx) =>
      writer.write(tx, { action: 'update', type, space_id, id, version, fields }, { actor: owner }),
    )
  }

  async function remove(row: EntityRow, type = 'page'): Promise<void> {
    const { id, space_id, version } = row
    await database.transaction((tx) =>
      writer.write(tx, { action: 'delete', type, space_id, id, version }, { actor: owner }),
    )
  }

  /** The messages of the Space by conversation, each with who wrote them, oldest first. */
  async function mail() {
    const filter = { space_id: world.space_id, from: null, subject: null }
    const threads = await createMailThreadsRepo(database).list(filter, { before: null, limit: 1000 })
    const messages = createMailMessagesRepo(database)
    return await Promise.all(
      threads.map(async ({ id, subject, unread }) => ({
        ...{ subject, unread },
        messages: await messages.listOfThread(id, 1000),
      })),
    )
  }

  return { world, bringIn, mail, list, tree, named, originalOf, linksFrom, edit, remove }
}

/** The outcomes and warnings that a result tells of, as short lines. */
export const notesOf = ({ notes }: ImportResult): string[] =>
  notes.map(({ path, outcome, reason, warnings }) =>
    [path, outcome, reason, ...warnings].filter(Boolean).join(': '),
  )
