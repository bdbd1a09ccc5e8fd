// Out and in again: what an export writes, an import into an empty Space makes the same content of.

import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createWriter } from '../../../lib/content/writes/write.ts'
import { createSpace } from '../../../lib/content/writes/write-space.ts'
import type { EntityRow } from '../../../lib/contract/entities/kind.ts'
import { kinds } from '../../../lib/contract/entities/kinds.ts'
import { createEntitiesRepo } from '../../../lib/db/repos/entities.ts'
import { createLinksRepo } from '../../../lib/db/repos/links.ts'
import { exportVault, zipOf } from '../../../lib/files/export/export-vault.ts'
import { attachFile } from '../../../lib/files/import/attach-file.ts'
import type { SourceFile } from '../../../lib/files/import/file/format.ts'
import { importFiles } from '../../../lib/files/import/import-files.ts'
import { readVaultNote, writeVaultNote } from '../../../lib/files/vault/vault-note.ts'
import { createSearch } from '../../../lib/search/search.ts'
import { runs } from '../../helpers/runs.ts'
import { testDb } from '../../helpers/test-db.ts'
import { makeDocx, makePdf } from '../import/make-files.ts'

const database = await testDb()
const writer = createWriter({ kinds, search: createSearch({ db: database, kinds }), now: () => new Date() })
const importFolder = join(tmpdir(), 'void-round-trip')
const owner = { actor: { kind: 'owner' } } as const
let spaces = 0

async function newSpace() {
  return await createSpace(database, { kind: 'owner' }, { name: `Skerry ${++spaces}` })
}

type Space = Awaited<ReturnType<typeof newSpace>>

async function make(
  space: Space,
  type: string,
  fields: Record<string, unknown>,
  hidden?: Record<string, unknown>,
) {
  const write = { action: 'create', type, space_id: space.id, fields, ...(hidden && { hidden }) } as const
  return await database.transaction((tx) => writer.write(tx, write, owner))
}

async function exported(space: Space, trash = false): Promise<{ path: string; bytes: Uint8Array }[]> {
  const files: { path: string; bytes: Uint8Array }[] = []
  for await (const file of exportVault({ database, kinds, space, trash })) files.push(file)
  return files
}

async function bringIn(files: readonly SourceFile[], root: string | null = null): Promise<Space> {
  const space = await newSpace()
  const order = (path: string) => path.split('/').length
  const sorted = files.toSorted((a, b) => order(a.path) - order(b.path) || (a.path < b.path ? -1 : 1))
  const result = await importFiles({
    database,
    writer,
    importFolder,
    space_id: space.id,
    source: 'vault',
    files: sorted,
    root,
  })
  expect(result.notes.filter(({ outcome }) => outcome === 'skipped')).toEqual([])
  return space
}

async function rowsOf(space: Space, type: string): Promise<EntityRow[]> {
  const filter = { space_id: space.id, status: null, deleted: false, before_id: null, limit: 10_000 }
  return await createEntitiesRepo(database).list(kinds.get(type), filter)
}

/** Everything that a Space says, without ids and times: what refers to another thing names it by its content. */
async function contentOf(space: Space) {
  const all = new Map<string, EntityRow>()
  const types = new Map<string, string>()
  for (const kind of kinds.all) {
    for (const row of await rowsOf(space, kind.type)) {
      all.set(row.id, row)
      types.set(row.id, kind.type)
    }
  }
  const trail = (row: EntityRow): string => {
    const parent = all.get(String(row.parent_id))
    return `${parent ? `${trail(parent)} > ` : ''}${row.title}`
  }
  const told: unknown[] = []
  for (const row of all.values()) {
    const kind = kinds.get(types.get(row.id)!)
    const fields = Object.keys(kind.fields.shape).map((name) => {
      const value = row[name]
      return [name, name in kind.references ? (value ? trail(all.get(String(value))!) : null) : value]
    })
    const links = await createLinksRepo(database).listFrom(space.id, row.id)
    const leads = links.map(({ name, heading, to_id }) => [
      name,
      heading,
      to_id ? trail(all.get(to_id)!) : null,
    ])
    told.push([kind.type, Object.fromEntries(fields), leads])
  }
  return told.map((one) => JSON.stringify(one)).toSorted()
}

test('attached files come back, and the text leads to them by the names that they got', async () => {
  const space = await newSpace()
  const attach = async (name: string, text: string) =>
    await attachFile({
      ...{ database, writer, space_id: space.id, name, bytes: Buffer.from(text) },
      actor: owner.actor,
    })
  const attached = [
    await attach('Lamp.png', 'one'),
    await attach('Lamp.png', 'two'),
    await attach('Übersicht (Mai).txt', 'three'),
    await attach('Pasted image 2031-05-01 10.11.12.png', 'four'),
  ]
  const body = attached.map(({ name }) => `![[${name}]]`).join('\n')
  await make(space, 'page', { title: 'With files', body })

  const back = await bringIn(await exported(space))

  expect(await contentOf(back)).toEqual(await contentOf(space))
  const [page] = await rowsOf(back, 'page')
  const links = await createLinksRepo(database).listFrom(back.id, page!.id)
  const docs = new Map((await rowsOf(back, 'source_doc')).map(({ id, title }) => [id, title]))
  expect(links.map(({ to_id }) => docs.get(String(to_id)))).toEqual(attached.map(({ name }) => name))
})

test('a Space with everything in it comes back the same', async () => {
  const space = await newSpace()
  const lamp = await make(space, 'page', {
    title: 'Lamp',
    body: 'See [[Oil]] and [[lease.pdf]].',
    position: 2,
  })
  const oil = await make(space, 'page', {
    title: 'Oil',
    body: '---\naliases: [Fuel]\ntitle: Not this\n---\n# Oil\r\n',
    parent_id: lamp.id,
  })
  await make(space, 'page', { title: 'Lamp', body: 'Its own child, of the same name.', parent_id: lamp.id })
  await make(space, 'page', { title: 'index', body: '', parent_id: lamp.id })
  await make(space, 'page', { title: 'Grade: A/B? <best> "x" | #1 [y]', body: '[[Fuel]]', parent_id: oil.id })
  await make(space, 'page', { title: 'Tasks', body: 'A page named like a folder.' })
  await make(space, 'page', { title: 'tasks', body: 'In another case.' })
  await make(space, 'page', { title: '.hidden', body: '---\nnot: [closed\n---\nbroken YAML' })
  const project = await make(space, 'project', { title: 'Paint', body: 'White.', status: 'on_hold' })
  await make(space, 'task', {
    title: 'Buy paint',
    body: '',
    status: 'in_progress',
    priority: 'high',
    due_on: '2026-03-01',
    project_id: project.id,
  })
  await make(space, 'task', { title: 'Buy paint', body: 'Twice.' })
  await make(space, 'ref', {
    title: 'On paint',
    url: 'https://paint.example/a',
    author: 'Ada',
    published_on: '2020-01-01',
    body: '[[Paint]]',
  })
  await make(space, 'resource', { title: 'Ladder', kind: 'tool', url: null, body: 'Long.' })
  await make(space, 'page_view', { title: 'High ones', body: 'views:\n  - name: High ones\n' })
  const pdf = makePdf(['The lease'])
  await make(
    space,
    'source_doc',
    { title: 'lease.pdf', mime: 'application/pdf', text: '## Page 1\n\nThe lease', metadata: { pages: 1 } },
    { original: Buffer.from(pdf), sha256: 'a'.repeat(64) },
  )
  await make(space, 'source_doc', {
    title: 'notes.md',
    mime: 'text/markdown',
    text: '# Kept as it came',
    metadata: {},
  })
  await make(space, 'source_doc', {
    title: 'A renamed scan',
    mime: 'image/png',
    text: 'what it shows',
    metadata: { path: 'img/scan.png', by: 'Ada' },
  })

  const files = await exported(space)
  const back = await bringIn(files)

  expect(await contentOf(back)).toEqual(await contentOf(space))
  expect(files.map(({ path }) => path).toSorted()).toContain('Lamp/Oil.md')
  const [original] = (await rowsOf(back, 'source_doc')).filter(({ title }) => title === 'lease.pdf')
  const { rows } = await database.query<{ original: Buffer }>(
    'select original from source_docs where id = $1',
    [original!.id],
  )
  expect(Buffer.compare(rows[0]!.original, Buffer.from(pdf))).toBe(0)
  expect(await contentOf(await bringIn(await exported(back)))).toEqual(await contentOf(space))
})

test('it comes back the same from an archive', async () => {
  const space = await newSpace()
  const lamp = await make(space, 'page', { title: 'Lamp', body: '[[Oil]] ![[scan.png]]' })
  await make(space, 'page', { title: 'Oil', body: 'Forty.', parent_id: lamp.id })
  const project = await make(space, 'project', { title: 'Paint' })
  await make(space, 'task', { title: 'Buy', project_id: project.id })
  await make(
    space,
    'source_doc',
    { title: 'scan.png', mime: 'image/png', text: '', metadata: {} },
    { original: Buffer.from([137, 80, 0]), sha256: 'b'.repeat(64) },
  )
  const parts: Buffer[] = []
  for await (const part of zipOf(exportVault({ database, kinds, space, trash: false }), new Date()))
    parts.push(Buffer.from(part))
  const zip = { path: 'vault.zip', bytes: Buffer.concat(parts) }

  expect(await contentOf(await bringIn([zip], 'vault.zip'))).toEqual(await contentOf(space))
})

test('links by the path of an earlier import still lead there', async () => {
  const space = await bringIn([
    { path: 'Notes/lease-2.md', bytes: Buffer.from('---\ntitle: Lease review\n---\n[[img/scan.png]]') },
    { path: 'Start.md', bytes: Buffer.from('[the lease](Notes/lease-2.md)') },
    { path: 'img/scan.png', bytes: new Uint8Array([137, 80, 0]) },
  ])

  expect(await contentOf(await bringIn(await exported(space)))).toEqual(await contentOf(space))
})

test('documents with pictures keep them, byte for byte', async () => {
  const bytes = fc.uint8Array({ minLength: 1, maxLength: 40 })
  await fc.assert(
    fc.asyncProperty(fc.array(bytes, { maxLength: 3 }), fc.boolean(), async (pictures, below) => {
      const path = `${below ? 'Reports/' : ''}survey.docx`
      const space = await bringIn([{ path, bytes: await makeDocx(['The tower.'], pictures) }])

      const back = await bringIn(await exported(space))

      expect(await contentOf(back)).toEqual(await contentOf(space))
      expect(await originalsOf(back)).toEqual(await originalsOf(space))
    }),
    { numRuns: 3 },
  )
}, 120_000)

async function originalsOf(space: Space): Promise<string[]> {
  const { rows } = await database.query<{ original: Buffer }>(
    'select original from source_docs where space_id = $1 and original is not null',
    [space.id],
  )
  return rows.map(({ original }) => original.toString('hex')).toSorted()
}

test('the trash is exported when asked for, and stays behind when it is imported', async () => {
  const space = await newSpace()
  const page = await make(space, 'page', { title: 'Old', body: 'x' })
  await database.transaction((tx) =>
    writer.write(tx, { action: 'delete', type: 'page', space_id: space.id, id: page.id, version: 1 }, owner),
  )

  expect((await exported(space)).map(({ path }) => path)).toEqual(['void.json'])
  const files = await exported(space, true)
  const space_id = (await newSpace()).id
  const result = await importFiles({ database, writer, importFolder, space_id, source: 'v', files })

  expect(files.map(({ path }) => path)).toEqual(['void.json', 'Trash/Old.md'])
  expect(result.notes).toMatchObject([
    { path: 'Trash/Old.md', reason: 'it was in the trash when it was exported' },
  ])
})

// Texts as hostile as Postgres takes them: no NUL, well-formed.
const anyText = fc
  .oneof(
    fc.string({ unit: 'binary', maxLength: 80 }),
    fc
      .array(
        fc.constantFrom(
          '---',
          '\n',
          '\r\n',
          'void: task',
          'title: x',
          '# own',
          "# the text's own properties",
          '[[',
          ']]',
          '\uFEFF',
          '\u2028',
          'é',
          ': ',
          '"',
          '\t',
        ),
        { maxLength: 14 },
      )
      .map((parts) => parts.join('')),
  )
  .map((text) => text.replaceAll('\0', '').toWellFormed())
const anyTitle = anyText.map((text) => text.replace(/\s+/gu, ' ').trim()).filter((text) => text !== '')

test('a note reads back as it was written, whatever it says', () => {
  fc.assert(
    fc.property(anyText, anyTitle, fc.constantFrom('page', 'task'), (body, title, kind) => {
      const note = { kind, properties: { title, position: 3, known_as: ['a/b.md'] }, body }

      expect(readVaultNote(writeVaultNote(note))).toEqual(note)
    }),
    { numRuns: runs(3000) },
  )
})

test('any tree of any texts comes back the same', async () => {
  const anyPage = fc.record({
    title: anyTitle,
    body: anyText,
    above: fc.nat(),
    position: fc.integer({ min: -5, max: 5 }),
  })
  const anyTask = fc.record({
    title: anyTitle,
    body: anyText,
    status: fc.constantFrom('open', 'in_progress', 'done', 'cancelled'),
    priority: fc.constantFrom('low', 'normal', 'high', 'urgent'),
    due_on: fc.constantFrom(null, '2026-02-28'),
  })
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyPage, { maxLength: 8 }),
      fc.array(anyTask, { maxLength: 4 }),
      async (pages, tasks) => {
        const space = await newSpace()
        const ids: (string | null)[] = [null]
        for (const { above, ...fields } of pages) {
          ids.push((await make(space, 'page', { ...fields, parent_id: ids[above % ids.length] })).id)
        }
        const project = await make(space, 'project', { title: 'Paint' })
        for (const fields of tasks) await make(space, 'task', { ...fields, project_id: project.id })

        expect(await contentOf(await bringIn(await exported(space)))).toEqual(await contentOf(space))
      },
    ),
    { numRuns: 20 },
  )
}, 120_000)

test('what links name by an older path is still named so after the second time round', async () => {
  const asFile = (path: string, text: string) => ({ path, bytes: Buffer.from(text) })
  const first = await bringIn([
    asFile('Lamp/oil.csv', 'a,b\n1,2\n'),
    asFile('Log/Watch.md', '---\ntitle: The watch\n---\n'),
    asFile('Start.md', '[[Lamp/oil.csv]] [[oil.csv]] [[Log/Watch]] [[Watch]]'),
  ])

  const second = await bringIn(await exported(first))
  const third = await bringIn(await exported(second))

  expect(await contentOf(third)).toEqual(await contentOf(first))
  expect(await exported(third)).toEqual(
    (await exported(second)).map((file) => ({ ...file, bytes: expect.anything() })),
  )
  const watch = async (space: Space) =>
    String((await exported(space)).find(({ path }) => path.endsWith('The watch.md'))?.bytes)
  expect(await watch(third)).toBe(await watch(first))
})
