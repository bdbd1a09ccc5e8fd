// Edits of a long text, each form of them, and what is said of one that cannot be applied.

import { describe, expect, test } from 'vitest'
import { applyEdits, type Edit, namesLines, parseEdit } from '../../lib/changes/propose/apply-edits.ts'

const text = '# Boats\n\nThe Tern is moored at the quay.\n\n- oars\n- sails\n\nThe Skua is ashore.'

test.each<[string, Edit, string]>([
  [
    'replaces words',
    { old_text: 'at the quay', new_text: 'in the bay' },
    text.replace('at the quay', 'in the bay'),
  ],
  [
    'replaces lines by number',
    { lines: '5-6', new_text: '- anchor' },
    text.replace('- oars\n- sails', '- anchor'),
  ],
  ['replaces one line', { lines: '1', new_text: '# Ships' }, text.replace('# Boats', '# Ships')],
  ['removes lines', { lines: '4-6', new_text: '' }, text.replace('\n- oars\n- sails\n', '')],
  [
    'inserts a paragraph behind a line',
    { insert_after: 'the quay.', new_text: 'It is green.' },
    text.replace('quay.', 'quay.\n\nIt is green.'),
  ],
  [
    'inserts an item among items',
    { insert_after: '- oars', new_text: '- anchor' },
    text.replace('- oars', '- oars\n- anchor'),
  ],
  [
    'inserts behind a line by number',
    { insert_after: '6', new_text: '- anchor' },
    text.replace('- sails', '- sails\n- anchor'),
  ],
  [
    'inserts before a line by number',
    { insert_before: '1', new_text: 'Kept by Ann.' },
    `Kept by Ann.\n\n${text}`,
  ],
  [
    'inserts before words',
    { insert_before: 'The Skua', new_text: '## Ashore' },
    text.replace('The Skua', '## Ashore\n\nThe Skua'),
  ],
  ['appends a paragraph', { append: 'The Gull is sold.' }, `${text}\n\nThe Gull is sold.`],
  [
    'finds words copied with their line numbers',
    { old_text: '5| - oars\n6| - sails', new_text: '- anchor' },
    text.replace('- oars\n- sails', '- anchor'),
  ],
])('%s', (_, edit, expected) => {
  expect(applyEdits(text, [edit])).toBe(expected)
})

test('appends to an empty text, and an item to a list', () => {
  expect(applyEdits('', [{ append: '# Log' }])).toBe('# Log')
  expect(applyEdits('- a\n', [{ append: '- b' }])).toBe('- a\n- b')
})

test('numbers are those of the text that was read, however many edits there are', () => {
  const edits: Edit[] = [
    { lines: '1', new_text: '# Ships\n\nAll of them.' },
    { lines: '5', new_text: '- rowlocks' },
    { insert_after: '6', new_text: '- anchor' },
    { old_text: 'ashore', new_text: 'afloat' },
  ]

  expect(applyEdits(text, edits)).toBe(
    '# Ships\n\nAll of them.\n\nThe Tern is moored at the quay.\n\n- rowlocks\n- sails\n- anchor\n\nThe Skua is afloat.',
  )
})

describe('refuses, saying what to do,', () => {
  test.each<[string, Edit[], RegExp]>([
    [
      'words that are not there',
      [{ old_text: 'Puffin', new_text: '' }],
      /edits\[0\]: old_text was not found.*Read the text again/,
    ],
    [
      'words that stand twice',
      [{ insert_after: 'The ', new_text: 'x' }],
      /edits\[0\]: insert_after was found more than once.*lines 3 and 8/,
    ],
    ['lines beyond the end', [{ lines: '8-12', new_text: '' }], /there are no lines 8-12; the text has 8/],
    [
      'lines that overlap',
      [
        { lines: '1-3', new_text: 'x' },
        { lines: '3-4', new_text: 'y' },
      ],
      /overlap/,
    ],
  ])('%s', (_, edits, message) => {
    expect(() => applyEdits(text, edits)).toThrow(message)
  })
})

test('an edit has one form, and takes text for what is inserted', () => {
  expect(parseEdit({ insert_after: 'a', text: 'b' } as object)).toEqual({ insert_after: 'a', new_text: 'b' })
  expect(parseEdit({ old_text: 'a', append: 'b' } as object)).toBeNull()
  expect(parseEdit({} as object)).toBeNull()
  expect(namesLines({ insert_after: '12', new_text: 'x' })).toBe(true)
  expect(namesLines({ insert_after: 'line 12', new_text: 'x' })).toBe(false)
})
