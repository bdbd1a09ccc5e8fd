// A folder brought into a Space and out again, counted link by link.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'yaml'
import { createWriter } from '../../../../lib/content/writes/write.ts'
import { createSpace } from '../../../../lib/content/writes/write-space.ts'
import { textOf } from '../../../../lib/contract/entities/kind.ts'
import { kinds } from '../../../../lib/contract/entities/kinds.ts'
import type { Link } from '../../../../lib/contract/entities.ts'
import { machineCalendar } from '../../../../lib/core/schedule/calendar.ts'
import type { Database } from '../../../../lib/db/pool.ts'
import { createEntitiesRepo } from '../../../../lib/db/repos/entities.ts'
import { createLinksRepo } from '../../../../lib/db/repos/links.ts'
import { exportVault } from '../../../../lib/files/export/export-vault.ts'
import { importFiles } from '../../../../lib/files/import/import-files.ts'
import { createSearch } from '../../../../lib/search/search.ts'
import { loadRichSyntax, markdownToHtml } from '../../../../public/ui/markdown/markdown.ts'
import { type Folder, type Lead, leadsOf, type Tool } from './folder-resolver.ts'

export type VaultReport = {
  files: number
  notes: number
  skipped: number
  /** Links of notes that the tool resolves, and those that lead to the same file here. */
  links: number
  right: number
  /** Local pictures that the tool shows, and those that a page shows. */
  pictures: number
  shown: number
  /** Files whose bytes came out as they went in. */
  same: number
  /** Links that lead in the folder that came out, by the tool's rules. */
  after: number
  /** Notes of which a link leads elsewhere than before. */
  moved: number
  /** Front matter that could be read before and cannot after. */
  unreadable: number
  /** Pages that an import of the export has as they were. */
  pages: number
  again: number
  /** What is not right, in words. */
  faults: string[]
}

type Page = { id: string; title: string; path: string; body: string; parent: string | null; links: Link[] }

export async function measureVault(database: Database, folder: Folder, tool: Tool): Promise<VaultReport> {
  await loadRichSyntax()
  const report = emptyReport()
  const first = await bringIn(database, folder)
  const pages = await readPages(database, first.space_id)
  report.files = folder.size
  report.skipped = first.skipped
  report.pages = pages.length
  const before = leadsOf(folder, tool)
  report.notes = before.size
  countLinks(report, before, pages)
  countPictures(report, before, pages, folder)

  const out = await takeOut(database, first.space_id)
  countBytes(report, folder, out)
  countLeads(report, before, leadsOf(out, tool))
  countFrontMatter(report, folder, out)
  const second = await bringIn(database, out)
  countAgain(report, pages, await readPages(database, second.space_id))
  return report
}

const emptyReport = (): VaultReport => ({
  ...{ files: 0, notes: 0, skipped: 0, links: 0, right: 0, pictures: 0, shown: 0, same: 0, after: 0 },
  ...{ moved: 0, unreadable: 0, pages: 0, again: 0, faults: [] },
})

async function bringIn(database: Database, folder: Folder) {
  const owner = { kind: 'owner' } as const
  const space = await createSpace(database, owner, { name: `Vault ${Date.now()}` })
  const search = createSearch({ db: database, kinds })
  const writer = createWriter({ kinds, search, calendar: machineCalendar(() => new Date()) })
  const importFolder = await mkdtemp(join(tmpdir(), 'void-vault-'))
  const files = [...folder].map(([path, bytes]) => ({ path, bytes }))
  try {
    const about = { database, writer, importFolder, space_id: space.id, source: 'vault' }
    const { notes } = await importFiles({ ...about, files })
    return { space_id: space.id, skipped: notes.filter(({ outcome }) => outcome === 'skipped').length }
  } finally {
    await rm(importFolder, { recursive: true })
  }
}

async function readPages(database: Database, space_id: string): Promise<Page[]> {
  const kind = kinds.get('page')
  const pages: Page[] = []
  let before_id: string | null = null
  do {
    const filter = { space_id, status: null, deleted: false, before_id, limit: 500 }
    const rows = await createEntitiesRepo(database).list(kind, filter)
    const links = Map.groupBy(
      await createLinksRepo(database).listFromAll(
        space_id,
        rows.map(({ id }) => id),
      ),
      ({ from_id }) => from_id,
    )
    for (const row of rows) {
      const [title, path, body] = [textOf(row.title), textOf(row.path), textOf(row.body)]
      const parent = row.parent_id ? String(row.parent_id) : null
      pages.push({ id: row.id, title, path, body, parent, links: links.get(row.id) ?? [] })
    }
    before_id = rows.length === 500 ? rows.at(-1)!.id : null
  } while (before_id)
  return pages
}

async function takeOut(database: Database, space_id: string): Promise<Map<string, Uint8Array>> {
  const space = {
    id: space_id,
    slug: 'vault',
    name: 'Vault',
    description: '',
    color: 'violet',
    emoji: '',
  } as const
  const out = new Map<string, Uint8Array>()
  for await (const { path, bytes } of exportVault({ database, kinds, space, trash: false }))
    out.set(path, bytes)
  return out
}

const keyOf = (form: string, target: string) =>
  `${form} ${target.trim().normalize('NFC').toLowerCase().replace(/\/$/, '')}`

function countLinks(report: VaultReport, before: ReadonlyMap<string, Lead[]>, pages: readonly Page[]): void {
  const byPath = new Map(pages.map((page) => [page.path, page]))
  for (const [path, leads] of before) {
    const page = byPath.get(path)
    const known = new Map((page?.links ?? []).map((link) => [keyOf(link.form, link.target), link.to_path]))
    for (const { form, target, to } of leads) {
      if (to === null) continue
      report.links++
      const here = known.get(keyOf(form, target))
      if (here === to) report.right++
      else report.faults.push(`link: ${path}: ${target} → ${to}, here ${here ?? 'nowhere'}`)
    }
  }
}

const picture = /\.(?:png|jpe?g|gif|webp|avif|svg)$/i

function countPictures(
  report: VaultReport,
  before: ReadonlyMap<string, Lead[]>,
  pages: readonly Page[],
  folder: Folder,
): void {
  const byPath = new Map(pages.map((page) => [page.path, page]))
  for (const [path, leads] of before) {
    const wanted = leads.filter(({ embed, to }) => embed && to !== null && picture.test(to) && folder.has(to))
    if (wanted.length === 0) continue
    report.pictures += wanted.length
    const page = byPath.get(path)
    if (!page) continue
    const html = markdownToHtml(page.body, { slug: 'vault', links: page.links, path: page.path })
    const files = new Map(page.links.map((link) => [link.to_path, link.to_id]))
    for (const { target, to } of wanted) {
      const id = files.get(to)
      if (id && html.includes(`src="/api/source-docs/${id}/original"`)) report.shown++
      else report.faults.push(`picture: ${path}: ${target}`)
    }
  }
}

function countBytes(report: VaultReport, folder: Folder, out: Folder): void {
  for (const [path, bytes] of folder) {
    const back = out.get(path)
    if (back && Buffer.compare(back, bytes) === 0) report.same++
    else report.faults.push(`bytes: ${path}${back ? '' : ' is missing'}`)
  }
}

function countLeads(
  report: VaultReport,
  before: ReadonlyMap<string, Lead[]>,
  after: ReadonlyMap<string, Lead[]>,
): void {
  const told = (leads: readonly Lead[] = []) => JSON.stringify(leads.map(({ to }) => to))
  for (const leads of after.values()) report.after += leads.filter(({ to }) => to !== null).length
  for (const [path, leads] of before) {
    if (told(leads) === told(after.get(path))) continue
    report.moved++
    report.faults.push(`moved: ${path}`)
  }
}

function countFrontMatter(report: VaultReport, folder: Folder, out: Folder): void {
  for (const [path, bytes] of out) {
    const before = folder.get(path)
    if (isReadable(bytes) || (before && !isReadable(before))) continue
    report.unreadable++
    report.faults.push(`front matter: ${path}`)
  }
}

function isReadable(bytes: Uint8Array): boolean {
  const [, yaml] =
    /^---[ \t]*\r?\n(.*?)\r?\n---[ \t]*(?:\r?\n|$)/s.exec(new TextDecoder().decode(bytes)) ?? []
  if (yaml === undefined) return true
  try {
    parse(yaml, { strict: true, uniqueKeys: true })
    return true
  } catch {
    return false
  }
}

function countAgain(report: VaultReport, pages: readonly Page[], again: readonly Page[]): void {
  const told = (all: readonly Page[]) => {
    const paths = new Map(all.map(({ id, path }) => [id, path]))
    return new Map(
      all.map(({ title, path, body, parent, links }) => [
        path,
        JSON.stringify([title, body, parent && paths.get(parent), links.map(({ to_path }) => to_path)]),
      ]),
    )
  }
  const back = told(again)
  for (const [path, said] of told(pages)) {
    if (back.get(path) === said) report.again++
    else report.faults.push(`again: ${path}`)
  }
}
