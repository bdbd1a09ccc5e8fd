import { expect, test } from 'vitest'
import { headingsOf, withoutTitle } from '../../../../public/ui/markdown/outline.ts'

test('headings of both kinds are listed in order, as they are read', () => {
  const text = [
    '# One *two* ##',
    'Under\nit\n====',
    '```\n# no heading\n```',
    '- item\n---',
    '### [[Page|words]] and [link](https://a.example/b_(c))',
    '#### ##',
    '## ==Oil==[^1]',
    '#tag is none',
  ].join('\n\n')

  expect(headingsOf(text)).toEqual([
    { depth: 1, text: 'One two' },
    { depth: 1, text: 'Under\nit' },
    { depth: 3, text: 'words and link' },
    { depth: 4, text: '' },
    { depth: 2, text: 'Oil' },
  ])
})

test('a first heading that only says the title again is left out', () => {
  expect(withoutTitle('\n# The Lamp\n\nIt turns.', 'The lamp')).toBe('It turns.')
  expect(withoutTitle('# Another\n\nIt turns.', 'The lamp')).toBe('# Another\n\nIt turns.')
  expect(withoutTitle('', 'The lamp')).toBe('')
})
