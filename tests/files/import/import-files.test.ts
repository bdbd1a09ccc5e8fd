import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { importFiles } from '../../../lib/files/import/import-files.ts'
import { asFiles, importWorld, notesOf } from './vault.ts'

const { world, bringIn, list, tree, named } = await importWorld()

test('folders become the parents of what is in them', async () => {
  const result = await bringIn({
    'Start.md': '# Start',
    'Lamp/Oil.md': 'Forty litres.',
    'Lamp/Parts/Lens/Prism.md': 'Glass.',
  })

  expect(await tree()).toEqual([
    'Lamp',
    'Lamp > Oil',
    'Lamp > Parts',
    'Lamp > Parts > Lens',
    'Lamp > Parts > Lens > Prism',
    'Start',
  ])
  expect(result.counts.created).toBe(3)
  expect(result.created).toEqual({ page: 3, folder: 3 })
})

test('a note that describes its folder is the page of the folder', async () => {
  await bringIn({
    'Lamp/Lamp.md': 'About the lamp.',
    'Lamp/Oil.md': '',
    'Boats/README.md': 'About boats.',
    'Boats/Sloop.md': '',
    'Coast/index.md': '---\ntitle: The coast\n---\n',
    'Coast/Cliff.md': '',
    'House.md': 'About the house.',
    'House/Kitchen.md': '',
  })

  expect(await tree()).toEqual([
    'Boats',
    'Boats > Sloop',
    'House',
    'House > Kitchen',
    'Lamp',
    'Lamp > Oil',
    'The coast',
    'The coast > Cliff',
  ])
  expect((await named('Boats')).body).toBe('About boats.')
})

test('a folder is described once, and further candidates are pages in it', async () => {
  await bringIn({ 'Lamp/Lamp.md': 'one', 'Lamp/README.md': 'two', 'Lamp/index.md': 'three' })

  expect(await tree()).toEqual(['Lamp', 'Lamp > README', 'Lamp > index'])
})

test('a note that comes after the page of its folder takes that page over', async () => {
  const files = asFiles({ 'Lamp/Oil.md': '', 'Lamp/README.md': 'About the lamp.' })
  await importFiles({ ...world, source: 'keeper', files })
  await bringIn({ 'Lamp/Oil.md': '', 'Lamp/README.md': 'About the lamp.', 'Boats/Sloop.md': '' })
  await bringIn({
    'Lamp/Oil.md': '',
    'Lamp/README.md': 'About the lamp.',
    'Boats/Sloop.md': '',
    'Boats.md': 'Hulls.',
  })

  expect(await tree()).toEqual(['Boats', 'Boats > Sloop', 'Lamp', 'Lamp > Oil'])
  expect((await named('Lamp')).body).toBe('About the lamp.')
  expect((await named('Boats')).body).toBe('Hulls.')
})

test('a folder that holds only attachments becomes no page', async () => {
  await bringIn({ 'Start.md': '', 'Attachments/chart.png': new Uint8Array([137, 80, 78, 71, 0, 1]) })

  expect(await tree()).toEqual(['Start'])
})

test('the front matter names the page and stays in its body, word for word', async () => {
  const text = '---\ntitle: The great lamp\ntags: [light]\nposition: 3\n---\n\nIt turns.\n'
  await bringIn({ 'lamp.md': text, 'number.md': '---\ntitle: 1906\n---\n' })

  expect(await named('The great lamp')).toMatchObject({ body: text, position: 3, origin: 'import' })
  expect(await tree()).toEqual(['The great lamp', 'number'])
})

test('unreadable front matter is kept and told, and the page comes in', async () => {
  const text = '---\ntitle: "unclosed\ntags: [a\n---\nText.\n'
  const result = await bringIn({ 'lamp.md': text })

  expect((await named('lamp')).body).toBe(text)
  expect(notesOf(result)).toEqual([
    expect.stringMatching(/^lamp\.md: created: its front matter cannot be read/),
  ])
})

test('an attachment keeps its bytes, its type and the hash of the bytes', async () => {
  const bytes = new Uint8Array([137, 80, 78, 71, 0, 255, 1])
  await bringIn({
    'Pictures/chart.PNG': bytes,
    'rota.ics': 'who,when\nAda,Monday\n',
    LICENSE: 'Free.',
    blob: bytes,
  })

  const chart = await named('chart.PNG', 'source_doc')
  const { rows } = await world.database.query<{ original: Buffer }>(
    'select original from source_docs where id = $1',
    [chart.id],
  )
  expect(chart).toMatchObject({
    mime: 'image/png',
    text: '',
    metadata: { path: 'Pictures/chart.PNG', size: 7 },
    sha256: createHash('sha256').update(bytes).digest('hex'),
  })
  expect(new Uint8Array(rows[0]!.original)).toEqual(bytes)
  expect(await named('rota.ics', 'source_doc')).toMatchObject({
    mime: 'text/calendar',
    text: 'who,when\nAda,Monday\n',
  })
  expect(await named('LICENSE', 'source_doc')).toMatchObject({ mime: 'text/plain', text: 'Free.' })
  expect(await named('blob', 'source_doc')).toMatchObject({ mime: 'application/octet-stream', text: '' })
})

test('an empty file becomes an empty page', async () => {
  await bringIn({ 'Empty.md': '', 'Marked.md': new Uint8Array([0xef, 0xbb, 0xbf]) })

  expect((await list('page')).map(({ title, body }) => [title, body])).toEqual([
    ['Empty', ''],
    ['Marked', ''],
  ])
})

test('hidden files are left out wherever they lie', async () => {
  const result = await bringIn({
    '.obsidian/app.json': '{}',
    'Lamp/.trash/Old.md': '',
    '.DS_Store': 'x',
    'Thumbs.db': 'x',
    'Lamp/Oil.md': '',
  })

  expect(await tree()).toEqual(['Lamp', 'Lamp > Oil'])
  expect(await list('source_doc')).toEqual([])
  expect(result.notes).toEqual([])
})

test('hostile names come in as plain titles, or not at all with a reason', async () => {
  const long = 'x'.repeat(700)
  const result = await bringIn({
    'a#b^c[d]|e.md': '',
    '🪔 lamp 👩‍👩‍👧.md': '',
    'note.md': 'lower',
    'Note.md': 'upper',
    'nul\0name\uD800.md': '',
    ' .md': '',
    'titled.md': `---\ntitle: ${long}\n---\n`,
    [`${'ﷺ'.repeat(80)}.md`]: '',
    '../outside.md': '',
    '/etc/passwd.md': '',
    'a/../../up.md': '',
    [`${'deep/'.repeat(500)}end.md`]: '',
  })

  const titles = await tree()
  expect(titles).toEqual(
    expect.arrayContaining([
      'a#b^c[d]|e',
      '🪔 lamp 👩‍👩‍👧',
      'note',
      'Note',
      'nulname\uFFFD',
      'Untitled',
      `${'x'.repeat(499)}…`,
    ]),
  )
  expect(titles).toHaveLength(8)
  expect(notesOf(result)).toEqual([
    '../outside.md: skipped: its path points outside the folder',
    'etc/passwd.md: skipped: its path points outside the folder',
    'a/../../up.md: skipped: its path points outside the folder',
    expect.stringMatching(/skipped: its path is longer than 2000 bytes$/),
    'Note.md: created: something else has this path, or one that differs by case alone; it is “Note (2).md” here',
  ])
})

test('folders may be nested a hundred deep', async () => {
  const result = await bringIn({ [`${'deep/'.repeat(100)}end.md`]: '[[deep/end]]' })

  expect(result.counts).toMatchObject({ created: 1, skipped: 0 })
  expect(await list('page')).toHaveLength(101)
})

test('one bad file is skipped with its reason and the others of its batch come in', async () => {
  const { writer } = world
  const failing: typeof writer = {
    async write(tx, write, context) {
      if (write.action === 'create' && write.fields.title === 'Cursed') {
        await tx.query('select no_such_column from pages')
      }
      return await writer.write(tx, write, context)
    },
  }
  const files = asFiles({
    'A.md': 'a',
    'Cursed.md': 'c',
    'Long.md': 'x'.repeat(2_000_001),
    'Picture.md': new Uint8Array([0, 1, 2, 3, 255, 254, 0, 7]),
    'Z.md': 'z',
  })
  const result = await importFiles({ ...world, writer: failing, source: 'keeper', files })

  expect(await tree()).toEqual(['A', 'Z'])
  expect(notesOf(result).sort()).toEqual([
    'Cursed.md: skipped: it could not be stored: column "no_such_column" does not exist',
    'Long.md: created: it has 2,000,001 characters; a page holds 2,000,000; stored as a file: it is long; only its first 2,000,000 characters can be searched',
    'Picture.md: created: it is not text, despite its name; stored as a file',
  ])
})

test('a file over 50 MB is skipped', async () => {
  const result = await bringIn({ 'film.mp4': new Uint8Array(50 * 1024 * 1024 + 1), 'A.md': '' })

  expect(notesOf(result)).toEqual(['film.mp4: skipped: it has 50.1 MB; the limit is 50 MB'])
})

test('a signal ends the import between two batches, and the next run does the rest', async () => {
  const vault = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`Log ${n}.md`, `Day ${n}`]))
  const stop = new AbortController()
  const files = asFiles(vault)
  const first = await importFiles({
    ...world,
    source: 'keeper',
    files,
    signal: stop.signal,
    onProgress: () => stop.abort(),
  })
  const second = await bringIn(vault)

  expect(first.stopped).toBe(true)
  expect(first.counts.created).toBe(25)
  expect(second.counts).toMatchObject({ created: 35, unchanged: 25 })
  expect(await list('page')).toHaveLength(60)
})

test('a lost database ends the import with an error, and the next run adds nothing twice', async () => {
  const vault = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`Log ${n}.md`, `Day ${n}`]))
  let transactions = 0
  const dying: typeof world.database = {
    ...world.database,
    transaction(work) {
      transactions += 1
      if (transactions < 2) return world.database.transaction(work)
      // The batch was written and never committed.
      return world.database.transaction(async (tx) => {
        await work(tx)
        throw Object.assign(new Error('Connection terminated unexpectedly'), { code: '57P01' })
      })
    },
  }
  const files = asFiles(vault)

  await expect(importFiles({ ...world, database: dying, source: 'keeper', files })).rejects.toThrow(
    /database/,
  )
  await bringIn(vault)

  expect(new Set((await list('page')).map(({ title }) => title)).size).toBe(60)
  expect(await list('page')).toHaveLength(60)
})

// Without it the embedded database reads all links for each file: what it planned for empty tables stays.
test('the planner hears of many new names and links while they come in', async () => {
  const notes = Object.fromEntries(Array.from({ length: 520 }, (_, n) => [`${n}.md`, `[[${n + 1}]]`]))

  await bringIn(notes)

  const { rows } = await world.database.query<{ relname: string; reltuples: number }>(
    `select relname, reltuples from pg_class where relname in ('links', 'entity_names') order by relname`,
  )
  expect(rows.map(({ relname }) => relname)).toEqual(['entity_names', 'links'])
  for (const { reltuples } of rows) expect(reltuples).toBeGreaterThanOrEqual(500)
})

test('an import leaves statistics of what it filled behind, and none of what is empty', async () => {
  const message = 'From: keeper@skerry.example\nMessage-ID: <1@skerry.example>\nSubject: Oil\n\nForty litres.'

  await bringIn({ 'Lamp.md': 'Burns [[Oil]].', 'Oil.md': 'Forty litres.', 'oil.eml': message })

  const { rows } = await world.database.query<{ name: string; counted: boolean }>(
    `select relname as name, reltuples > 0 as counted
     from pg_class
     where relname in ('pages', 'entity_names', 'links', 'import_files', 'mail_messages', 'refs')
     order by relname`,
  )
  expect(rows).toEqual([
    { name: 'entity_names', counted: true },
    { name: 'import_files', counted: true },
    { name: 'links', counted: true },
    { name: 'mail_messages', counted: true },
    { name: 'pages', counted: true },
    { name: 'refs', counted: false },
  ])
})
