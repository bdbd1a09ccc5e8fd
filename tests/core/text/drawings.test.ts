import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  isDrawing,
  isDrawingPath,
  joinDrawing,
  notesOfDrawing,
  partDrawing,
  picturePaths,
} from '../../../lib/core/text/drawings.ts'

const plugin = '---\nexcalidraw-plugin: parsed\ntags: [excalidraw]\n---\n'

test.each([
  ['Boats/Slip.excalidraw', true],
  ['Boats/Slip.excalidraw.md', true],
  ['Boats/Slip.EXCALIDRAW.MD', true],
  ['Boats/Slip.excalidraw.svg', false],
  ['Boats/excalidraw.md', false],
  ['Boats/Slip.md', false],
])('%s is a drawing by its name: %s', (path, is) => {
  expect(isDrawingPath(path)).toBe(is)
})

test('a note whose front matter the plugin wrote is a drawing, one that only speaks of it is none', () => {
  expect(isDrawing({ path: 'Slip.md', body: `${plugin}\n# Excalidraw Data` })).toBe(true)
  expect(isDrawing({ path: null, body: plugin })).toBe(true)
  expect(isDrawing({ path: 'Slip.md', body: 'excalidraw-plugin: parsed' })).toBe(false)
  expect(isDrawing({ path: 'Slip.md', body: '---\nnote: about\n---\nexcalidraw-plugin: raw' })).toBe(false)
})

test('of a drawing only what was written into its note is text', () => {
  const own =
    '# Excalidraw Data\n\n## Text Elements\nslip ^a1\n\n%%\n## Drawing\n```compressed-json\nN4KAkARALgngDgUwg\n```\n%%'
  const warning = '==⚠  Switch to EXCALIDRAW VIEW in the MORE OPTIONS menu of this document. ⚠==\n\n'

  expect(notesOfDrawing(`\n${warning}${own}`)).toBe('')
  expect(notesOfDrawing(`\n# The slip\n\nNeeds tar.\n\n${warning}${own}`)).toBe('# The slip\n\nNeeds tar.')
  expect(notesOfDrawing(`Older.\n%%\n# Drawing\n\`\`\`json\n{}\n\`\`\`\n%%`)).toBe('Older.')
  expect(notesOfDrawing('## Drawing\n```json\n{}\n```')).toBe('')
})

const data = '# Excalidraw Data\n\n%%\n## Drawing\n```compressed-json\nN4KAk\n```\n%%'
const warning = '==⚠  Switch to EXCALIDRAW VIEW in the MORE OPTIONS menu of this document. ⚠=='

test.each([
  [`${plugin}\n${warning}\n\n\n${data}`, plugin.trimEnd()],
  [`${plugin}${data}`, plugin.trimEnd()],
  [`${plugin}\nNeeds tar.\n\n${warning}\n\n${data}`, `${plugin}\nNeeds tar.`],
  [`${plugin}\n${warning}\n\nNeeds tar.\n\n${data}`, `${plugin}\n${warning}\n\nNeeds tar.`],
  [data, ''],
  [`${plugin}Only notes.\n`, `${plugin}Only notes.`],
])('its note is parted before the data of the plugin', (body, notes) => {
  const parts = partDrawing(body)

  expect(parts.notes.trimEnd()).toBe(notes)
  expect(parts.notes).not.toContain('N4KAk')
  expect(joinDrawing(parts.notes, parts.data)).toBe(body)
})

test('what is written before the data of a drawing stays apart from it', () => {
  const { notes, data: rest } = partDrawing(`${plugin}${data}`)
  const body = joinDrawing(`${notes}Needs tar.`, rest)

  expect(notesOfDrawing(body.slice(plugin.length))).toBe('Needs tar.')
  expect(partDrawing(body)).toEqual({ notes: `${plugin}Needs tar.`, data: `\n\n${data}` })
})

test('any text is put together again as it was', () => {
  const piece = fc.constantFrom(
    '\n',
    '\r\n',
    ' ',
    '%%',
    '# Drawing',
    '---',
    '==⚠',
    '⚠==',
    'a',
    'void: 1',
    plugin,
    data,
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
      const { notes, data } = partDrawing(pieces.join(''))
      expect(joinDrawing(notes, data)).toBe(pieces.join(''))
    }),
  )
})

test('a picture lies beside a drawing under the name of its file', () => {
  expect(picturePaths('Boats/Slip.excalidraw.md').slice(0, 2)).toEqual([
    'Boats/Slip.excalidraw.svg',
    'Boats/Slip.excalidraw.png',
  ])
  expect(picturePaths('Slip.excalidraw')[0]).toBe('Slip.excalidraw.svg')
})

test('a text of a million marks is read in linear time', () => {
  expect(notesOfDrawing('==⚠ '.repeat(250_000))).toHaveLength(4 * 250_000 - 1)
  expect(notesOfDrawing('## '.repeat(300_000)).length).toBeGreaterThan(0)
  expect(partDrawing(`${'==⚠⚠=='.repeat(250_000)}\n%%`).notes).toBe('')
  expect(joinDrawing('a', ' '.repeat(1_000_000)).length).toBeGreaterThan(0)
})
