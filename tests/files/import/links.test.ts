import { expect, test } from 'vitest'
import { placeAll } from '../../../lib/content/writes/place-unplaced.ts'
import { kinds } from '../../../lib/contract/entities/kinds.ts'
import { makeZip } from './make-files.ts'
import { importWorld } from './vault.ts'

const { world, bringIn, named, linksFrom, edit, remove } = await importWorld()

test('wikilinks lead to titles, aliases, paths, headings and attachments, whatever comes first', async () => {
  await bringIn({
    'A start.md': [
      '[[Oil]] [[oil]] [[The Lantern]] [[Lamp/Oil#How much|oil]] [[#Here]] ![[chart.png|300]]',
      '![[Pictures/chart.png]] [tank](Lamp/Oil.md) [[Lamp]]',
    ].join('\n'),
    'Lamp/Oil.md': '---\naliases: [The Lantern]\n---\n# How much\n',
    'Pictures/chart.png': new Uint8Array([137, 80]),
  })

  expect(await linksFrom('A start')).toEqual({
    oil: 'Oil',
    'the lantern': 'Oil',
    'lamp/oil#How much': 'Oil',
    '#Here': 'A start',
    'chart.png': 'chart.png',
    'pictures/chart.png': 'chart.png',
    'lamp/oil': 'Oil',
    lamp: 'Lamp',
  })
})

test('a link in the front matter is a link', async () => {
  await bringIn({ 'Log.md': '---\ntopics:\n  - "[[Oil]]"\n---\n', 'Oil.md': '' })

  expect(await linksFrom('Log')).toEqual({ oil: 'Oil' })
})

test('a link to nothing is kept and resolved when its target comes', async () => {
  const start = { 'Start.md': '[[Oil]] [[Boats/Sloop]]' }
  await bringIn(start)
  const before = await linksFrom('Start')
  await bringIn({ ...start, 'Oil.md': '', 'Boats/Sloop.md': '' })

  expect(before).toEqual({ oil: null, 'boats/sloop': null })
  expect(await linksFrom('Start')).toEqual({ oil: 'Oil', 'boats/sloop': 'Sloop' })
})

test('a page that its front matter names still answers to the name of its file', async () => {
  await bringIn({ 'Start.md': '[[lens-2]] [[The new lens]]', 'lens-2.md': '---\ntitle: The new lens\n---\n' })

  expect(await linksFrom('Start')).toEqual({ 'lens-2': 'The new lens', 'the new lens': 'The new lens' })
})

test('a title goes before an alias, even one that came earlier', async () => {
  await bringIn({ 'A.md': '---\naliases: Oil\n---\n[[Oil]]', 'Oil.md': '' })

  expect(await linksFrom('A')).toEqual({ oil: 'Oil' })
})

test('a note goes before a folder of the same name that says nothing', async () => {
  await bringIn({ 'A.md': '[[Boats]]', 'Boats/Sloop.md': '', 'Topics/Boats.md': 'On boats.' })
  const links = await linksFrom('A')
  const target = await world.database.query<{ body: string }>(
    `select body from pages join links on to_id = id where links.name = 'boats' and links.space_id = $1`,
    [world.space_id],
  )

  expect(links).toEqual({ boats: 'Boats' })
  expect(target.rows).toEqual([{ body: 'On boats.' }])
})

test('renaming and deleting a page send its links to the next best, or to nobody', async () => {
  await bringIn({
    'Start.md': '[[Oil]] [[Wick]]',
    'Oil.md': '',
    'Other.md': '---\naliases: Oil\n---\n',
    'Wick.md': '',
  })
  await remove(await named('Oil'))
  await edit(await named('Wick'), { title: 'The wick' })
  expect(await linksFrom('Start')).toEqual({ oil: 'Other', 'the wick': 'The wick' })
  await edit(await named('Start'), { body: '[[Oil]] [[Wick]]' })

  // The file has the name of its page.
  expect(await linksFrom('Start')).toEqual({ oil: 'Other', wick: null })
})

test('a name too long for an index is cut alike on both sides', async () => {
  const name = 'ﷺ and more '.repeat(300)
  await bringIn({ 'Start.md': `[[${name}]]`, 'Long.md': `---\naliases: ["${name}"]\n---\n` })

  expect(Object.values(await linksFrom('Start'))).toEqual(['Long'])
})

test('references to blocks of Logseq lead to the page that has the block', async () => {
  const id = '5f3a1b2c-1111-4222-8333-123456789abc'
  await bringIn({
    'pages/Start.md': `- See ((${id})).\n- {{embed ((${id}))}}`,
    'pages/Lamp.md': `- The lamp\n\t- burns\n\t  id:: ${id}\n`,
  })

  expect(await linksFrom('Start')).toEqual({ [`${id}#^${id}`]: 'Lamp' })
})

test('links below the file of Dendron say the label first, whichever comes first', async () => {
  const notes = { 'vault/a.md': '[[the label|b]] [[b]]', 'vault/b.md': '', 'other.md': '[[a|x]]' }
  await bringIn(notes)
  const before = await linksFrom('a')
  await bringIn({ ...notes, 'dendron.yml': 'version: 5\n' })
  const after = await linksFrom('a')
  await placeAll({ database: world.database, kinds })

  expect(before).toEqual({ 'the label': null, b: 'b' })
  expect(after).toEqual(before)
  expect(await linksFrom('a')).toEqual({ b: 'b' })
  expect(await linksFrom('other')).toEqual({ x: null })
})

test('a workspace of Dendron, whose own file comes first, is read as Dendron reads it', async () => {
  await bringIn({ 'dendron.yml': 'version: 5\n', 'vault/a.md': '[[the label|b]]', 'vault/b.md': '' })

  expect(await linksFrom('a')).toEqual({ b: 'b' })
})

test.each<[string, Record<string, string>, boolean | null]>([
  ['a vault of Obsidian', { '.obsidian/app.json': '{}' }, true],
  ['one with strict line breaks', { '.obsidian/app.json': '{"strictLineBreaks": true}' }, false],
  ['one with other settings alone', { '.obsidian/workspace.json': '{}' }, true],
  ['a graph of Logseq', { 'logseq/config.edn': '{}' }, true],
  ['any other folder', {}, null],
])('single line breaks are shown as the app of %s shows them', async (_, settings, shown) => {
  await bringIn({ ...settings, 'A.md': 'one\ntwo' })
  const { rows } = await world.database.query<{ line_breaks: boolean | null }>(
    'select line_breaks from spaces where id = $1',
    [world.space_id],
  )

  expect(rows).toEqual([{ line_breaks: shown }])
})

test('an archive of a vault says so, too', async () => {
  const zip = await makeZip({
    'Vault/.obsidian/app.json': '{}',
    'Vault/A.md': 'one\ntwo',
    'Vault/.secret': 'x',
  })
  const { counts } = await bringIn({ 'vault.zip': zip })
  const { rows } = await world.database.query('select line_breaks from spaces where id = $1', [
    world.space_id,
  ])

  expect(rows).toEqual([{ line_breaks: true }])
  expect(counts).toMatchObject({ skipped: 0 })
})

test('what the owner chose about line breaks stays', async () => {
  await world.database.query('update spaces set line_breaks = false where id = $1', [world.space_id])
  await bringIn({ '.obsidian/app.json': '{}', 'A.md': '' })
  const { rows } = await world.database.query('select line_breaks from spaces where id = $1', [
    world.space_id,
  ])

  expect(rows).toEqual([{ line_breaks: false }])
})

test('a path from the root leads there, whatever comes first, until something is at it from its text', async () => {
  await bringIn({ 'c/Start.md': '[x](d/n.md) [y](d/m)', 'd/n.md': 'N' })
  expect(await linksFrom('Start')).toEqual({ 'd/n': 'n', 'd/m': null })

  await bringIn({
    'c/Start.md': '[x](d/n.md) [y](d/m)',
    'd/n.md': 'N',
    'd/m/index.md': '---\ntitle: M\n---\n',
  })
  expect(await linksFrom('Start')).toEqual({ 'd/n': 'n', 'd/m': 'M' })

  await bringIn({
    'c/Start.md': '[x](d/n.md) [y](d/m)',
    'd/n.md': 'N',
    'd/m/index.md': '---\ntitle: M\n---\n',
    'c/d/n.md': '---\ntitle: Nearer\n---\n',
  })
  expect(await linksFrom('Start')).toEqual({ 'd/n': 'Nearer', 'd/m': 'M' })
})
