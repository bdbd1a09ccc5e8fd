// Names that notes of other apps give themselves, and by which their links find them.

import { expect, test } from 'vitest'
import { otherNames } from '../../../lib/core/text/properties/line-properties.ts'
import { importWorld } from './vault.ts'

const { bringIn, tree, linksFrom, named } = await importWorld()

test('Logseq: titles, aliases, namespaces and journals', async () => {
  await bringIn({
    'journals/2023_05_01.md': '- [[lamps]] [[The Keeper]] [[Parts/Wick]] [[Parts/50% off]]',
    'pages/Parts___Wick.md': '- Cotton. [[May 1st, 2023]]',
    'pages/Parts%2F50%25 off.md': '- Cheap.',
    'pages/lamp.md': 'alias:: lamps, [[lantern]]\ntags:: light\n\n- Bright.',
    'pages/ada.md': '- title:: The Keeper\n- Ada.',
    'notes/a___b.md': 'Not of Logseq.',
  })

  expect(await linksFrom('May 1st, 2023')).toEqual({
    lamps: 'lamp',
    'the keeper': 'The Keeper',
    'parts/wick': 'Parts/Wick',
    'parts/50% off': 'Parts/50% off',
  })
  expect(await linksFrom('Parts/Wick')).toEqual({ 'may 1st, 2023': 'May 1st, 2023' })
  expect(await tree()).toContain('notes > a___b')
})

test('Obsidian: aliases that commas part, under any case', async () => {
  await bringIn({
    'Lamp.md': '---\nAliases: the light, lantern\n---\nBright.',
    'Wick.md': '---\nALIAS:\n  - cord, thin\n---\n',
    'Oil.md': '[[lantern]] [[The light]] [[cord, thin]]',
  })

  expect(await linksFrom('Oil')).toEqual({ lantern: 'Lamp', 'the light': 'Lamp', 'cord, thin': 'Wick' })
})

test('a Zettelkasten: the time in a title is a name', async () => {
  await bringIn({
    '202401051230 On lamps.md': 'See [[20240106070809]]',
    'On oil 20240106070809.md': 'See [[202401051230]]',
    '2024 budget.md': '',
  })

  expect(await linksFrom('202401051230 On lamps')).toEqual({ '20240106070809': 'On oil 20240106070809' })
  expect(await linksFrom('On oil 20240106070809')).toEqual({ '202401051230': '202401051230 On lamps' })
  expect(otherNames('2024 budget', '')).toEqual([])
})

test('Hugo: front matter in TOML is read as any other, and its bytes stay', async () => {
  const toml =
    '+++\ntitle = "The lamp"\ndate = 2023-05-06T07:08:09Z\naliases = ["beacon"]\nup = "[[Oil]]"\n[params]\nx = 1.5\n+++\n\nBright.\n'
  await bringIn({
    'lamp.md': toml.replaceAll('\n', '\r\n'),
    'Oil.md': '[[The lamp]] [[beacon]]',
    'broken.md': '+++\ntitle = \n+++\nDim.',
  })

  expect((await named('The lamp')).body).toBe(
    '---\ntitle: The lamp\ndate: 2023-05-06T07:08:09.000Z\naliases:\n  - beacon\nup: "[[Oil]]"\nparams:\n  x: 1.5\n---\n\nBright.\n',
  )
  expect(await linksFrom('The lamp')).toEqual({ oil: 'Oil' })
  expect(await linksFrom('Oil')).toEqual({ 'the lamp': 'The lamp', beacon: 'The lamp' })
  expect((await named('broken')).body).toBe('+++\ntitle = \n+++\nDim.')
})
