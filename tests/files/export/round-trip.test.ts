// Out and in again: what an export writes, an import into an empty Space makes the same content of.

import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createWriter } from '../../../lib/content/writes/write.ts'
import { createSpace } from '../../../lib/content/writes/write-space.ts'
import type { EntityRow } from '../../../lib/contract/entities/kind.ts'
import { kinds } from '../../../lib/contract/entities/kinds.ts'
import { machineCalendar } from '../../../lib/core/schedule/calendar.ts'
import { createEntitiesRepo } from '../../../lib/db/repos/entities.ts'
import { createLinksRepo } from '../../../lib/db/repos/links.ts'
import { exportVault, zipOf } from '../../../lib/files/export/export-vault.ts'
import { attachFile } from '../../../lib/files/import/attach-file.ts'
import type { SourceFile } from '../../../lib/files/import/file/format.ts'
import { importFiles } from '../../../lib/files/import/import-files.ts'
import { compareNames } from '../../../lib/files/vault/paths.ts'
import { readVaultNote, writeVaultNote } from '../../../lib/files/vault/vault-note.ts'
import { createSearch } from '../../../lib/search/search.ts'
import { runs } from '../../helpers/runs.ts'
import { testDb } from '../../helpers/test-db.ts'
import { makeDocx, makePdf } from '../import/make-files.ts'

const database = await testDb()
const writer = createWriter({
  kinds,
  search: createSearch({ db: database, kinds }),
  calendar: machineCalendar(() => new Date()),
})
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
  const sorted = files.toSorted((a, b) => order(a.path) - order(b.path) || compareNames('')(a.path, b.path))
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

test('dates come back', async () => {
  const space = await newSpace()
  await make(space, 'page', { title: 'Old', body: 'x' })
  await make(space, 'task', { title: 'Old task' })
  await make(space, 'source_doc', { title: 'old.txt', mime: 'text/plain', text: 'y', metadata: {} })
  for (const table of ['pages', 'tasks', 'source_docs'])
    await database.query(
      `update ${table} set created_at = '2001-02-03T04:05:06.789Z', updated_at = '2002-02-03T04:05:06.789Z'
       where space_id = $1`,
      [space.id],
    )

  const back = await bringIn(await exported(space))

  for (const type of ['page', 'task', 'source_doc'])
    expect((await rowsOf(back, type)).map(({ created_at, updated_at }) => [created_at, updated_at])).toEqual([
      ['2001-02-03T04:05:06.789Z', '2002-02-03T04:05:06.789Z'],
    ])
})

test('an import that nothing changed goes out as the same files, to the byte', async () => {
  const given: Record<string, string | Uint8Array> = {
    'Home.md': '---\ntitle: Welcome\n# kept\naliases: [a]\n---\n[[People/Alice Chen]]\r\n',
    'mixed.md': '\uFEFFa\r\nb\nc\r',
    'People/Alice Chen.md': '![](../assets/plan.PNG)',
    'People/index.md': '',
    'assets/plan.PNG': new Uint8Array([137, 80, 0]),
    'empty.md': '',
    'data/x.base': 'views: []',
    'broken.md': '---\na: [\n---\nx',
    'hugo.md': '+++\ntitle = "x"\n+++\nb',
    'dup/Note.md': 'one',
    'dup2/note.MD': 'two',
  }
  const files = Object.entries(given).map(([path, bytes]) => ({ path, bytes: Buffer.from(bytes as string) }))
  const space = await bringIn(files)
  const out = new Map((await exported(space)).map(({ path, bytes }) => [path, Buffer.from(bytes)]))
  out.delete('void.json')

  expect([...out.keys()].toSorted()).toEqual(Object.keys(given).toSorted())
  for (const { path, bytes } of files)
    expect([path, out.get(path)!.toString('hex')]).toEqual([path, bytes.toString('hex')])
})

test('a text that changed keeps the byte order mark and the line breaks of its file', async () => {
  const space = await bringIn([
    { path: 'a.md', bytes: Buffer.from('\uFEFF---\r\nx: 1\r\n---\r\none\r\ntwo') },
  ])
  const [page] = await rowsOf(space, 'page')
  const { id, version } = page!
  const fields = { body: '---\nx: 1\n---\none\nmore\ntwo' }
  await database.transaction((tx) =>
    writer.write(tx, { action: 'update', type: 'page', space_id: space.id, id, version, fields }, owner),
  )

  const [file] = (await exported(space)).filter(({ path }) => path === 'a.md')
  expect(String(Buffer.from(file!.bytes))).toBe('\uFEFF---\r\nx: 1\r\n---\r\none\r\nmore\r\ntwo')
})

test('names with spaces at their ends are folders alone, and notes keep their names before what becomes one', async () => {
  const files = {
    ' lead/x.md': 'x',
    'end. /y.md': 'y',
    'z.md': 'note',
    'z.html': '<p>page</p>',
    'z.csv': 'a,b',
  }
  const space = await bringIn(
    Object.entries(files).map(([path, text]) => ({ path, bytes: Buffer.from(text) })),
  )

  const out = new Map((await exported(space)).map(({ path, bytes }) => [path, String(Buffer.from(bytes))]))
  out.delete('void.json')
  for (const [path, text] of Object.entries(files)) expect([path, out.get(path)]).toEqual([path, text])
  expect([...out.keys()].filter((path) => !(path in files)).toSorted()).toEqual(['z (2).md', 'z (3).md'])
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
      const text = writeVaultNote(note)

      if (text !== null) expect(readVaultNote(text)).toEqual(note)
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

// A folder as people have it: notes and pictures at any path, links of every form between them, and dates.

const anyFolder = fc.constantFrom('', '', 'a/', 'a/b/', 'Ünï/', 'a b/c (d)/')
const anyStem = fc.oneof(
  fc.constantFrom('Note', 'note', 'index', 'README', 'a', 'b', 'Ü #1', '2023_05_01', 'x.y', 'CON', "it's"),
  fc.string({ minLength: 1, maxLength: 8 }).map((text) => text.replace(/[/\0\p{C}]/gu, '-')),
)
const anyLink = fc
  .record({ folder: anyFolder, stem: anyStem, form: fc.integer({ min: 0, max: 7 }) })
  .map(({ folder, stem, form }) => {
    const path = `${folder}${stem}`
    const forms = [
      ...[`[[${path}]]`, `[[${stem}|label]]`, `![[${stem}#Part]]`, `[x](${encodeURI(path)}.md "t")`],
      ...[`[x](<../${path}.md>)`, `![](/${encodeURI(path)}.png)`, `[r]\n\n[r]: ${encodeURI(path)}.md`],
      `<a href="${path}.md">x</a>`,
    ]
    return forms[form]!
  })
const anyNote = fc
  .tuple(
    fc.constantFrom(
      '',
      '---\ntitle: Other\n---\n',
      '---\n# c\naliases: [x, "y"]\n---\n',
      '---\nup: "[[a]]"\n---\n',
      '\uFEFF',
    ),
    fc.array(fc.oneof(anyLink, anyText, fc.constantFrom('\n', '\r\n', '```\n[[no]]\n```', '- [ ] t')), {
      maxLength: 6,
    }),
  )
  .map(([head, parts]) => head + parts.join('\n'))
const anyFile = fc.record({
  path: fc
    .tuple(anyFolder, anyStem, fc.constantFrom('.md', '.md', '.MD', '.png', '.canvas', ''))
    .map((parts) => parts.join('')),
  text: anyNote,
  day: fc.integer({ min: 1, max: 28 }),
})

/** Pages and files by path, with their texts, dates and where their links lead, by path. */
async function placedOf(space: Space) {
  const rows = [...(await rowsOf(space, 'page')), ...(await rowsOf(space, 'source_doc'))]
  const paths = new Map(rows.map(({ id, path }) => [id, String(path)]))
  const told: unknown[] = []
  for (const { id, path, title, body, text, created_at, updated_at, parent_id } of rows) {
    const links = await createLinksRepo(database).listFrom(space.id, id)
    const leads = links.map(({ target, to_id }) => [target, to_id && paths.get(to_id)])
    const parent = parent_id ? paths.get(String(parent_id)) : null
    told.push([path, title, body ?? text, leads, parent, created_at, updated_at])
  }
  return told.map((one) => JSON.stringify(one)).toSorted()
}

test('a note beside its folder is the page of it, however its extension is written', async () => {
  const asFile = (path: string, text: string) => ({ path, bytes: Buffer.from(text) })
  const files = [
    asFile('a.MD', 'Above.'),
    asFile('a/x.md', 'Below.'),
    asFile('b.Md', 'Above.'),
    asFile('b/y.md', '.'),
  ]

  const space = await bringIn(files)
  const out = await exported(space)

  const rows = await rowsOf(space, 'page')
  expect(rows.map(({ path }) => path).toSorted()).toEqual(['a.MD', 'a/x.md', 'b.Md', 'b/y.md'])
  expect(await placedOf(await bringIn(out))).toEqual(await placedOf(space))
})

test('any folder goes out with the same bytes, and comes back the same, with its dates', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(anyFile, { maxLength: 10, selector: ({ path }) => path }),
      async (given) => {
        const files = given.map(({ path, text }) => ({ path, bytes: Buffer.from(text) }))
        const space = await bringIn(files.filter(({ path }) => !/(?:^|\/)\./.test(path)))
        for (const { day } of given)
          await database.query(
            `update pages set created_at = $2, updated_at = $2 where space_id = $1 and length(title) % 28 = $3`,
            [space.id, `2001-02-${String(day).padStart(2, '0')}T04:05:06.789Z`, day % 28],
          )

        const out = await exported(space)
        const back = await bringIn(out)

        const bytes = new Map(out.map((file) => [file.path, Buffer.from(file.bytes).toString('hex')]))
        const changed = files.filter(
          (file) => bytes.has(file.path) && bytes.get(file.path) !== file.bytes.toString('hex'),
        )
        expect(changed.map(({ path }) => path)).toEqual([])
        expect((await placedOf(back)).join('\n')).toEqual((await placedOf(space)).join('\n'))
      },
    ),
    { numRuns: runs(100) },
  )
}, 120_000)
