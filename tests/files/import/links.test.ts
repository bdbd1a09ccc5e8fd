import { expect, test } from 'vitest'
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

  // The page still answers to the name of its file.
  expect(await linksFrom('Start')).toEqual({ oil: 'Other', wick: 'The wick' })
  await remove(await named('The wick'))
  expect(await linksFrom('Start')).toEqual({ oil: 'Other', wick: null })
})

test('a name too long for an index is cut alike on both sides', async () => {
  const name = 'ﷺ and more '.repeat(300)
  await bringIn({ 'Start.md': `[[${name}]]`, 'Long.md': `---\naliases: ["${name}"]\n---\n` })

  expect(Object.values(await linksFrom('Start'))).toEqual(['Long'])
})
