import { expect, test } from 'vitest'
import { importWorld, notesOf } from './vault.ts'

const { bringIn, list, tree, named, linksFrom, edit, remove } = await importWorld()

const vault = {
  'Start.md': '[[Oil]]',
  'Lamp/README.md': 'About the lamp.',
  'Lamp/Oil.md': 'Forty litres.',
  'Boats/Sloop.md': 'Blue.',
  'rota.ics': 'who\nAda\n',
}

test('a second run adds nothing and changes nothing', async () => {
  await bringIn(vault)
  const before = [...(await list('page')), ...(await list('source_doc'))]
  const again = await bringIn(vault)

  expect([...(await list('page')), ...(await list('source_doc'))]).toEqual(before)
  expect(again.counts).toMatchObject({ created: 0, updated: 0, unchanged: 5 })
  expect(again.notes).toEqual([])
})

test('a changed file updates its entity, with text, title, links and version', async () => {
  await bringIn(vault)
  const before = await named('Oil')
  const result = await bringIn({ ...vault, 'Lamp/Oil.md': '---\ntitle: Fuel\n---\n[[Sloop]]' })

  expect(result.counts).toMatchObject({ updated: 1, unchanged: 4 })
  expect(await named('Fuel')).toMatchObject({ id: before.id, version: 2, parent_id: before.parent_id })
  expect(await linksFrom('Fuel')).toEqual({ sloop: 'Sloop' })
  expect(await linksFrom('Start')).toEqual({ oil: 'Fuel' })
})

test('the file that describes a folder updates the page of the folder', async () => {
  await bringIn(vault)
  await bringIn({ ...vault, 'Lamp/README.md': 'More about the lamp.' })

  expect(await tree()).toEqual(['Boats', 'Boats > Sloop', 'Lamp', 'Lamp > Oil', 'Start'])
  expect((await named('Lamp')).body).toBe('More about the lamp.')
})

test('a changed attachment takes the place of the old one, which goes to the trash', async () => {
  await bringIn({ ...vault, 'Duty.md': '![[rota.ics]]' })
  const before = await named('rota.ics', 'source_doc')
  const result = await bringIn({ ...vault, 'Duty.md': '![[rota.ics]]', 'rota.ics': 'who\nGrace\n' })

  const after = await named('rota.ics', 'source_doc')
  expect(result.counts.updated).toBe(1)
  expect(after.id).not.toBe(before.id)
  expect(after.text).toBe('who\nGrace\n')
  expect(await linksFrom('Duty')).toEqual({ 'rota.ics': 'rota.ics' })
})

test('what the owner edited here is kept, and told, run after run', async () => {
  await bringIn(vault)
  await edit(await named('Oil'), { body: 'Sixty litres.' })
  const unchanged = await bringIn(vault)
  const first = await bringIn({ ...vault, 'Lamp/Oil.md': 'Fifty litres.' })
  const second = await bringIn({ ...vault, 'Lamp/Oil.md': 'Fifty litres.' })

  expect(unchanged.notes).toEqual([])
  expect(first.notes).toMatchObject([{ path: 'Lamp/Oil.md', outcome: 'conflict', title: 'Oil' }])
  expect(second.counts.conflict).toBe(1)
  expect((await named('Oil')).body).toBe('Sixty litres.')
})

test('an edit that says what the file says is no conflict, and later changes come in again', async () => {
  await bringIn(vault)
  await edit(await named('Oil'), { body: 'Fifty litres.' })
  const same = await bringIn({ ...vault, 'Lamp/Oil.md': 'Fifty litres.' })
  const later = await bringIn({ ...vault, 'Lamp/Oil.md': 'Seventy litres.' })

  expect(same.counts).toMatchObject({ conflict: 0, unchanged: 5 })
  expect(later.counts.updated).toBe(1)
  expect((await named('Oil')).body).toBe('Seventy litres.')
})

test('what the owner deleted stays deleted, changed or not', async () => {
  await bringIn(vault)
  await remove(await named('Oil'))
  const unchanged = await bringIn(vault)
  const changed = await bringIn({ ...vault, 'Lamp/Oil.md': 'Fifty litres.' })

  expect(unchanged.notes).toMatchObject([{ path: 'Lamp/Oil.md', outcome: 'deleted', title: 'Oil' }])
  expect(changed.counts).toMatchObject({ deleted: 1, updated: 0, created: 0 })
  expect(await tree()).not.toContain('Lamp > Oil')
})

test('below a folder page that the owner deleted, new files stand one level up', async () => {
  await bringIn(vault)
  await remove(await named('Boats'))
  await bringIn({ ...vault, 'Boats/Cutter.md': 'Red.' })

  expect((await named('Cutter')).parent_id).toBeNull()
})

test('a file that is gone from the folder is kept and told', async () => {
  await bringIn(vault)
  const { 'Lamp/Oil.md': _, ...rest } = vault
  const result = await bringIn(rest)

  expect(result.gone).toMatchObject([{ path: 'Lamp/Oil.md', outcome: 'gone', title: 'Oil' }])
  expect((await named('Oil')).body).toBe('Forty litres.')
})

test('a moved file is the same page in another place', async () => {
  await bringIn(vault)
  const before = await named('Oil')
  const { 'Lamp/Oil.md': oil, ...rest } = vault
  const result = await bringIn({ ...rest, 'Boats/Fuel.md': oil })

  expect(result.gone).toEqual([])
  expect(notesOf(result)).toEqual(['Boats/Fuel.md: moved: it was Lamp/Oil.md'])
  expect((await named('Fuel')).id).toBe(before.id)
  expect(await tree()).toEqual(['Boats', 'Boats > Fuel', 'Boats > Sloop', 'Lamp', 'Start'])
  expect((await bringIn({ ...rest, 'Boats/Fuel.md': oil })).counts.unchanged).toBe(5)
})

test('a moved page that the owner edited keeps title and place', async () => {
  await bringIn(vault)
  await edit(await named('Oil'), { title: 'Lamp oil' })
  const { 'Lamp/Oil.md': oil, ...rest } = vault
  await bringIn({ ...rest, 'Boats/Fuel.md': oil })

  expect(await tree()).toContain('Lamp > Lamp oil')
})

test('a renamed folder keeps its pages, its own page included', async () => {
  const before = {
    'Boats/Hulls/Sloop.md': 'Blue.',
    'Boats/Hulls/Cutter.md': 'Red.',
    'Lamp/README.md': 'Light.',
    'Lamp/Oil.md': 'Oil.',
  }
  const after = {
    'Ships/Hulls/Sloop.md': 'Blue.',
    'Ships/Hulls/Cutter.md': 'Red.',
    'Light/README.md': 'Light.',
    'Light/Oil.md': 'Oil.',
  }
  await bringIn(before)
  const ids = new Set((await list('page')).map(({ id }) => id))
  const result = await bringIn(after)

  expect(await tree()).toEqual([
    'Light',
    'Light > Oil',
    'Ships',
    'Ships > Hulls',
    'Ships > Hulls > Cutter',
    'Ships > Hulls > Sloop',
  ])
  expect(new Set((await list('page')).map(({ id }) => id))).toEqual(ids)
  expect(result.counts).toMatchObject({ moved: 4, created: 0 })
  expect((await bringIn(after)).notes).toEqual([])
})

test('two files that could have moved to the same place are new ones', async () => {
  await bringIn({ 'a.md': 'same', 'b.md': 'same' })
  const result = await bringIn({ 'c.md': 'same' })

  expect(result.counts).toMatchObject({ created: 1, moved: 0 })
  expect(result.gone).toHaveLength(2)
})

test('two folders with files of the same name do not meet', async () => {
  await bringIn({ 'README.md': 'one' }, 'first')
  await bringIn({ 'README.md': 'two' }, 'second')

  expect((await list('page')).map(({ body }) => body)).toEqual(['one', 'two'])
})
