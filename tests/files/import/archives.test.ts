import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32, deflateRawSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { extensionOf } from '../../../lib/core/text/paths.ts'
import { expandPictures } from '../../../lib/files/import/expand/expand-files.ts'
import { createBudget, expandZip } from '../../../lib/files/import/expand/expand-zip.ts'
import type { PlainFile } from '../../../lib/files/import/file/format.ts'
import { importFiles } from '../../../lib/files/import/import-files.ts'
import { createParser } from '../../../lib/files/import/parse/parser.ts'
import { makeDocx, makeMbox, makeMessage, makePdf, makeZip, renameInZip } from './make-files.ts'
import { importWorld, notesOf } from './vault.ts'

const { world, bringIn, mail, list, tree, named, linksFrom } = await importWorld()
const context = { scratch: world.importFolder }

test('an archive comes in as the folder that it is', async () => {
  const zip = await makeZip({
    'Lamp/Oil.md': '[[Wick]] ![[chart.png]]',
    'Lamp/Wick.md': 'Cotton.',
    'Lamp/chart.png': new Uint8Array([137, 80, 78, 71]),
    'Papers/lease.pdf': makePdf(['The lease']),
    '.obsidian/app.json': '{}',
    '__MACOSX/._Oil.md': 'x',
  })
  const result = await bringIn({ 'vault.zip': zip })

  expect(await tree()).toEqual(['vault', 'vault > Lamp', 'vault > Lamp > Oil', 'vault > Lamp > Wick'])
  expect(await linksFrom('Oil')).toEqual({ wick: 'Wick', 'chart.png': 'chart.png' })
  expect((await named('lease.pdf', 'source_doc')).text).toContain('The lease')
  expect(result.notes).toEqual([])
})

test('an archive that comes again adds nothing twice and updates what changed', async () => {
  await bringIn({ 'vault.zip': await makeZip({ 'Oil.md': 'one', 'Wick.md': 'same' }) })
  const result = await bringIn({ 'vault.zip': await makeZip({ 'Oil.md': 'two', 'Wick.md': 'same' }) })

  expect(result.counts).toMatchObject({ created: 0, updated: 1, unchanged: 1 })
  expect((await named('Oil')).body).toBe('two')
})

test('an archive that is the whole import adds no folder', async () => {
  const files = [{ path: 'vault.zip', bytes: await makeZip({ 'Lamp/Oil.md': '' }) }]
  await importFiles({ ...world, source: 'keeper', files, root: 'vault.zip' })

  expect(await tree()).toEqual(['Lamp', 'Lamp > Oil'])
})

test('archives in archives come in, but not without end', async () => {
  let zip = await makeZip({ 'Oil.md': 'deep' })
  for (let level = 0; level < 6; level++) zip = await makeZip({ 'inner.zip': zip, [`at ${level}.md`]: '' })
  const result = await bringIn({ 'outer.zip': zip })

  expect(notesOf(result)).toEqual([
    'outer/inner/inner/inner.zip: skipped: it is an archive inside of archives, nested too deeply',
  ])
  expect((await list('page')).map(({ title }) => title)).toContain('at 5')
})

test('a path that leads out of the archive stays out, the rest comes in', async () => {
  const zip = renameInZip(
    await makeZip({ 'aa/bb/outside.md': 'x', 'etc-passwd.md': 'x', 'Oil.md': '' }),
    'aa/bb/outside.md',
    '../../outside.md',
  )
  const absolute = renameInZip(zip, 'etc-passwd.md', '/etcpasswd.md')
  const result = await bringIn({ 'vault.zip': renameInZip(absolute, 'Oil.md', 'Oil.md') })

  expect(await tree()).toEqual(['vault', 'vault > Oil'])
  expect(notesOf(result).toSorted()).toEqual([
    expect.stringMatching(/outside\.md: skipped: its path points outside the folder$/),
    expect.stringMatching(/etcpasswd\.md: skipped: its path points outside the folder$/),
  ])
})

test('an entry that unpacks to far more than it holds stays out, unread', async () => {
  const zip = await makeZip({ 'bomb.md': Buffer.alloc(40 * 1024 * 1024), 'Oil.md': '' })
  const result = await bringIn({ 'vault.zip': zip })

  expect(notesOf(result)).toEqual([
    expect.stringMatching(/^vault\/bomb\.md: skipped: it unpacks to \d+ times its size$/),
  ])
  expect(await tree()).toEqual(['vault', 'vault > Oil'])
})

test('an archive without files says so', async () => {
  const result = await bringIn({
    'empty.zip': await makeZip({}),
    'hidden.zip': await makeZip({ '.a.md': 'x' }),
  })

  expect(notesOf(result)).toEqual([
    'empty.zip: skipped: it has no files',
    'hidden.zip: skipped: it has no files',
  ])
})

test('an entry whose bytes were damaged stays out', async () => {
  const zip = Buffer.from(await makeZip({ 'Oil.md': 'x'.repeat(40), 'Wick.md': '' }))
  const checksum = zip.indexOf('PK\x01\x02') + 16
  zip[checksum]! ^= 1
  const result = await bringIn({ 'vault.zip': zip })

  expect(notesOf(result)).toEqual(['vault/Oil.md: skipped: its checksum does not match'])
  expect(await tree()).toEqual(['vault', 'vault > Wick'])
})

test('an entry that lies about its size is not unpacked beyond it', async () => {
  const honest = await makeZip({ 'bomb.md': Buffer.alloc(3 * 1024 * 1024, 'x') })
  const size = Buffer.alloc(4)
  size.writeUInt32LE(3 * 1024 * 1024)
  const small = Buffer.alloc(4)
  small.writeUInt32LE(100)
  const lying = Buffer.from(
    Buffer.from(honest).toString('latin1').replaceAll(size.toString('latin1'), small.toString('latin1')),
    'latin1',
  )
  const result = await bringIn({ 'vault.zip': lying })

  expect(notesOf(result)).toEqual([
    expect.stringMatching(/^vault\/bomb\.md: skipped: it cannot be unpacked: /),
  ])
})

test('an import unpacks no more than its budget, over all archives', async () => {
  const zip = await makeZip({ 'a.md': 'x'.repeat(600), 'b.md': 'x'.repeat(600), 'c.md': '' })
  const parser = createParser()
  const found: PlainFile[] = []
  const budget = createBudget({ bytes: 1000, files: 10 })
  for await (const file of expandZip({ ...context, source: zip, prefix: '', parser, budget, depth: 0 }))
    found.push(file)
  await parser.close()

  expect(found.map((file) => ('skip' in file ? file.skip : file.path))).toEqual([
    'a.md',
    'its archives unpack to more than 0 MB',
    'its archives unpack to more than 0 MB',
  ])
})

test('links and locked entries stay out, torn archives are told of', async () => {
  const zip = await makeZip({ 'link.md': '/etc/passwd', 'locked.md': 'x' })
  const marked = Buffer.from(zip)
  for (let at = marked.indexOf('PK\x01\x02'); at >= 0; at = marked.indexOf('PK\x01\x02', at + 4)) {
    const name = marked.toString('latin1', at + 46, at + 46 + marked.readUInt16LE(at + 28))
    if (name === 'link.md') marked.writeUInt32LE(0o120777 * 0x10000, at + 38)
    if (name === 'locked.md') marked.writeUInt16LE(marked.readUInt16LE(at + 8) | 1, at + 8)
  }
  const result = await bringIn({
    'a.zip': marked,
    'b.zip': 'PK no archive',
    'c.zip': zip.slice(0, 60),
    'Oil.md': '',
  })

  expect(notesOf(result)).toEqual([
    'a/link.md: skipped: it is a symbolic link, which is not followed',
    'a/locked.md: skipped: it is encrypted',
    expect.stringMatching(/^b\.zip: skipped: it cannot be read as an archive/),
    expect.stringMatching(/^c\.zip: skipped: it cannot be read as an archive/),
  ])
  expect(await tree()).toEqual(['Oil'])
})

test('names that are no UTF-8 and names that occur twice are dealt with', async () => {
  const zip = await makeZip([
    ['Oil.md', 'first'],
    ['Oi_.md', 'second'],
    ['Mxtze.md', ''],
  ])
  const twice = renameInZip(zip, 'Oi_.md', 'Oil.md')
  const old = renameInZip(twice, 'Mxtze.md', 'M\u0081tze.md')
  const result = await bringIn({ 'vault.zip': clearUtf8(old) })

  expect(await tree()).toEqual(['vault', 'vault > Mütze', 'vault > Oil', 'vault > Oil (2)'])
  expect((await named('Oil')).body).toBe('first')
  expect((await named('Oil (2)')).body).toBe('second')
  expect(notesOf(result)).toEqual(['vault/Oil (2).md: created: the archive holds another file named Oil.md'])
})

test('names in the encoding of the machine that packed them are read together', async () => {
  // Three short Japanese names in Shift-JIS: メモ, 議事録 and 買い物.
  const names = { 'abcd.md': '8381 8382', 'efghij.md': '8b63 8e96 985e', 'klmnop.md': '9483 82a2 95a8' }
  let zip = await makeZip(Object.keys(names).map((name): [string, string] => [name, '']))
  for (const [name, digits] of Object.entries(names)) {
    const raw = Buffer.from(digits.replaceAll(' ', ''), 'hex').toString('latin1')
    zip = renameInZip(zip, name, `${raw}.md`)
  }
  await bringIn({ 'vault.zip': clearUtf8(zip) })

  expect(await tree()).toEqual(['vault', 'vault > メモ', 'vault > 議事録', 'vault > 買い物'])
})

function clearUtf8(zip: Uint8Array): Uint8Array {
  const bytes = Buffer.from(zip)
  for (let at = bytes.indexOf('PK\x01\x02'); at >= 0; at = bytes.indexOf('PK\x01\x02', at + 4)) {
    bytes.writeUInt16LE(bytes.readUInt16LE(at + 8) & ~0x800, at + 8)
  }
  return bytes
}

const id = (digit: string) => digit.repeat(32)

test('an export of Notion in Markdown: names without ids, links that lead somewhere, properties as front matter', async () => {
  const inner = await makeZip({
    [`Trip ${id('a')}.md`]: `# Trip\n\nStatus: Planned\nPeople: Ada, Grace\n\n[Ferry](Trip%20${id('a')}/Ferry%20${id('b')}.md) [Costs](Trip%20${id('a')}/Costs%20${id('c')}.csv)\n`,
    [`Trip ${id('a')}/Ferry ${id('b')}.md`]: `# Ferry\n\nAt nine. ![map](map.png)`,
    [`Trip ${id('a')}/map.png`]: new Uint8Array([137, 80]),
    [`Trip ${id('a')}/Costs ${id('c')}.csv`]: 'Name\nonly one view\n',
    [`Trip ${id('a')}/Costs ${id('c')}_all.csv`]: 'Name,Euro\nFerry,20\n',
    [`Trip ${id('a')}/Costs ${id('c')}/Ferry ${id('d')}.md`]: '# Ferry\n\nEuro: 20\n\nBoth ways.',
    [`Notes ${id('e')}.md`]: '# Notes\n\nOne.',
    [`Notes ${id('f')}.md`]: '# Notes\n\nTwo.',
  })
  const zip = await makeZip({ 'Export-0000-Part-1.zip': inner })
  const files = [{ path: 'Export.zip', bytes: zip }]
  const result = await importFiles({ ...world, source: 'notion', files, root: 'Export.zip' })

  expect(result.notes).toEqual([])
  expect(await tree()).toEqual([
    'Notes',
    'Notes',
    'Trip',
    'Trip > Costs',
    'Trip > Costs > Ferry',
    'Trip > Ferry',
  ])
  const trip = await named('Trip')
  expect(trip.body).toBe(
    '---\ntitle: "Trip"\n"Status": "Planned"\n"People": "Ada, Grace"\n---\n[Ferry](Trip/Ferry.md) [Costs](Trip/Costs.csv)\n',
  )
  expect(await linksFrom('Trip')).toEqual({ 'trip/ferry': 'Ferry', 'trip/costs.csv': 'Costs' })
  expect((await named('Costs')).body).toContain('| Ferry | 20 |')
})

test('the parts of a large export of Notion are one tree, with one set of names', async () => {
  const parts = [
    {
      [`Trip ${id('a')}.md`]: `# Trip\n\n[Ferry](Trip%20${id('a')}/Ferry%20${id('b')}.md) ![map](Trip%20${id('a')}/map.png)\n`,
      [`Trip ${id('a')}/Costs ${id('c')}_all.csv`]: 'Name,Euro\nFerry,20\n',
    },
    {
      [`Trip ${id('a')}/Ferry ${id('b')}.md`]: '# Ferry\n\nAt nine.',
      [`Trip ${id('a')}/Costs ${id('c')}.csv`]: 'Name\nonly one view\n',
    },
    { [`Trip ${id('a')}/map.png`]: new Uint8Array([137, 80]) },
  ]
  const packed = await Promise.all(
    parts.map(async (files, index) => [`Export-0000-Part-${index + 1}.zip`, await makeZip(files)] as const),
  )
  const files = [{ path: 'Export.zip', bytes: await makeZip(packed) }]
  const again = [...files]
  await importFiles({ ...world, source: 'notion', files, root: 'Export.zip' })

  expect(await tree()).toEqual(['Trip', 'Trip > Costs', 'Trip > Ferry'])
  expect(await linksFrom('Trip')).toEqual({ 'trip/ferry': 'Ferry', 'trip/map.png': 'map.png' })
  expect((await named('Costs')).body).toContain('| Ferry | 20 |')

  const result = await importFiles({ ...world, source: 'notion', files: again, root: 'Export.zip' })
  expect(result.counts).toMatchObject({ created: 0, updated: 0, unchanged: 4 })
})

test('an export of Notion in HTML', async () => {
  const page = (title: string, body: string) =>
    `<html><head><title>${title}</title></head><body><article id="x" class="page sans"><header>
      <h1 class="page-title">${title}</h1><table class="properties"><tbody><tr><th>Status</th><td>Planned</td></tr></tbody></table>
      </header><div class="page-body">${body}</div></article></body></html>`
  await bringIn({
    'Export.zip': await makeZip({
      [`Trip ${id('a')}.html`]: page(
        'Trip',
        `<p><a href="Trip%20${id('a')}/Ferry%20${id('b')}.html">Ferry</a></p>`,
      ),
      [`Trip ${id('a')}/Ferry ${id('b')}.html`]: page('Ferry', '<p>At nine.</p>'),
      'index.html': '<a href="x">Map of the site</a>',
    }),
  })

  expect((await list('page')).map(({ title }) => title).toSorted()).toEqual(['Export', 'Ferry', 'Trip'])
  expect(await linksFrom('Trip')).toEqual({ 'trip/ferry.html': 'Ferry' })
})

test('messages in an archive go into the mail of the Space, in their threads', async () => {
  await bringIn({
    'mail.zip': await makeZip({
      '2.eml': makeMessage({
        id: 'b',
        subject: 'Re: Oil',
        date: '2024-03-02',
        references: ['a'],
        text: 'Yes.',
      }),
      'old/inbox.mbox': makeMbox([{ id: 'a', date: '2024-03-01', text: 'More oil?' }]),
    }),
  })

  const [thread, ...others] = await mail()
  expect(thread!.messages.map(({ text }) => text)).toEqual(['More oil?', 'Yes.'])
  expect(others).toEqual([])
  expect(await tree()).toEqual([])
})

test('an archive on disk is read from there', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'void-zip-'))
  const file = join(folder, 'vault.zip')
  await writeFile(file, await makeZip({ 'Oil.md': 'from disk' }))
  const result = await importFiles({
    ...world,
    source: 'disk',
    files: [{ path: 'vault.zip', stored: file }],
    root: 'vault.zip',
  })
  await rm(folder, { recursive: true })

  expect(result.counts.created).toBe(1)
  expect((await named('Oil')).body).toBe('from disk')
})

// The same bytes under many names: small on disk, endless unpacked.
test('an archive whose entries share their bytes is refused, unread', async () => {
  const content = deflateRawSync(Buffer.alloc(4 * 1024 * 1024, 'a'))
  const zip = overlapping(content, 4 * 1024 * 1024, crc32(Buffer.alloc(4 * 1024 * 1024, 'a')), 300)
  const docx = { 'note.docx': zip }
  const result = await bringIn({ 'bomb.zip': zip, ...docx, 'Oil.md': '' })

  expect(zip.length).toBeLessThan(100_000)
  expect(notesOf(result)).toEqual([
    'bomb.zip: skipped: its entries overlap; no archive of real files does that',
    'note.docx: created: its text cannot be read (its entries overlap; no archive of real files does that); stored as a file',
  ])
  expect(await tree()).toEqual(['Oil'])
})

test('many small entries that together unpack to far more than they hold stay out', async () => {
  const bombs = Array.from({ length: 8 }, (_, n) => [`${n}.bin`, Buffer.alloc(2 * 1024 * 1024)] as const)
  const result = await bringIn({ 'vault.zip': await makeZip([...bombs, ['Oil.md', 'x']]) })

  expect(result.counts).toMatchObject({ created: 3, skipped: 6 })
  expect(notesOf(result)[0]).toMatch(/^vault\/2\.bin: skipped: it unpacks to \d+ times its size$/)
})

test('messages and the pictures of documents count towards what an import unpacks', async () => {
  const message = makeMessage({ id: '1', text: 'x', attachments: { 'a.bin': 'x'.repeat(2000) } })
  const letter = await makeDocx(['One'], [Buffer.alloc(3000, 'p'), Buffer.alloc(100, 'q')])
  const spent: number[] = []
  const budget = { spend: (bytes: number) => void spent.push(bytes) }
  const parser = createParser()
  const zip = await makeZip({ 'a.eml': message, 'b.docx': letter })
  const files = expandZip({ ...context, source: zip, prefix: '', parser, budget, depth: 0 })
  for await (const _ of expandPictures(files, budget));
  await parser.close()

  expect(spent).toEqual([message.length, letter.length, 3000, 100])
})

test('what lies in an archive within an archive is read from the import folder, which is empty afterwards', async () => {
  const inner = await makeZip({ 'Oil.md': 'deep' })
  const outer = await makeZip({ 'inner.zip': inner, 'mail.mbox': makeMbox([{ id: '1', subject: 'Wick' }]) })
  const parser = createParser()
  const seen = new Set<string>()
  const expanded = expandZip({
    ...context,
    source: outer,
    prefix: '',
    parser,
    budget: createBudget(),
    depth: 0,
  })
  for await (const file of expanded) {
    const unpacked = (await readdir(world.importFolder)).filter((name) => name.startsWith('unpacked-'))
    seen.add(`${extensionOf(file.path)}: ${unpacked.length}`)
  }
  await parser.close()

  expect([...seen]).toEqual(['.md: 1', ': 1'])
  expect(await readdir(world.importFolder)).toEqual([])
})

function overlapping(content: Buffer, size: number, sum: number, count: number): Buffer {
  const name = (index: number) => `${String(index).padStart(4, '0')}.md`
  const local = Buffer.alloc(30 + 7)
  local.write('PK\x03\x04', 'latin1')
  local.writeUInt16LE(20, 4)
  local.writeUInt16LE(8, 8)
  local.writeUInt32LE(sum, 14)
  local.writeUInt32LE(content.length, 18)
  local.writeUInt32LE(size, 22)
  local.writeUInt16LE(7, 26)
  local.write(name(0), 30)
  const central = Array.from({ length: count }, (_, index) => {
    const entry = Buffer.alloc(46 + 7)
    entry.write('PK\x01\x02', 'latin1')
    entry.writeUInt16LE(20, 6)
    entry.writeUInt16LE(8, 10)
    entry.writeUInt32LE(sum, 16)
    entry.writeUInt32LE(content.length, 20)
    entry.writeUInt32LE(size, 24)
    entry.writeUInt16LE(7, 28)
    entry.write(name(index), 46)
    return entry
  })
  const directory = Buffer.concat(central)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(count, 8)
  end.writeUInt16LE(count, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(local.length + content.length, 16)
  return Buffer.concat([local, content, directory, end])
}

test('an unpacked export of Notion is read as its archive is, and comes in once', async () => {
  const id = (n: number) => String(n).repeat(32)
  const vault = {
    [`Trip ${id(1)}.md`]: `# Trip\n\n[Day](Trip%20${id(1)}/Day%20${id(2)}.md)\n`,
    [`Trip ${id(1)}/Day ${id(2)}.md`]: '# Day\n\nSunny.\n',
    [`Trip ${id(1)}/map.png`]: new Uint8Array([137, 80]),
  }
  const first = await bringIn(vault)
  const second = await bringIn(vault)

  expect(await tree()).toEqual(['Trip', 'Trip > Day'])
  expect(await linksFrom('Trip')).toEqual({ 'trip/day': 'Day' })
  expect((await named('Day')).path).toBe('Trip/Day.md')
  expect(first.counts.created).toBeGreaterThanOrEqual(3)
  expect(second.counts).toMatchObject({ created: 0, updated: 0 })
  expect(second.gone).toEqual([])
})
