// The table of the ASVS against the repository: no requirement of the levels 1 and 2 is missing, each row says where it is
// held or why not, and the tests that it names are there.

import { readFile, stat } from 'node:fs/promises'
import { expect, test } from 'vitest'

const root = new URL('../../', import.meta.url)
const text = await readFile(new URL('docs/security-asvs.md', root), 'utf8')
const rows = [...text.matchAll(/^\| (\d[\d.–]*) \| ([12](?:–2)?) \| (.*) \|(.*)\|$/gm)].map(
  ([, numbers, , holds, where]) => ({ numbers: numbers!, holds: holds!, where: where!.trim() }),
)

/** The last requirement of level 1 or 2 of each section; those of level 3 come after them. */
const sections: Record<string, number> = {
  ...{ '1.1': 2, '1.2': 9, '1.3': 11, '1.4': 3, '1.5': 2, '2.1': 3, '2.2': 3, '2.3': 4, '2.4': 1 },
  ...{ '3.2': 2, '3.3': 4, '3.4': 6, '3.5': 5, '3.7': 2, '4.1': 3, '4.2': 1, '4.3': 2, '4.4': 4 },
  ...{ '5.1': 1, '5.2': 3, '5.3': 2, '5.4': 3, '6.1': 3, '6.2': 11, '6.3': 3, '6.4': 4, '6.5': 5 },
  ...{ '6.6': 3, '6.8': 4, '7.1': 3, '7.2': 4, '7.3': 2, '7.4': 5, '7.5': 2, '7.6': 2, '8.1': 2 },
  ...{ '8.2': 3, '8.3': 1, '8.4': 1, '10.1': 2, '10.2': 2, '10.3': 4, '10.4': 11, '10.5': 5 },
  ...{ '10.6': 2, '10.7': 3, '11.1': 2, '11.2': 3, '11.3': 3, '11.4': 4, '11.5': 1, '11.6': 1 },
  ...{ '12.1': 3, '12.2': 2, '12.3': 4, '13.1': 1, '13.2': 5, '13.3': 2, '13.4': 5, '14.1': 2 },
  ...{ '14.2': 4, '14.3': 3, '15.1': 3, '15.2': 3, '15.3': 7, '16.1': 1, '16.2': 5, '16.3': 4 },
  ...{ '16.4': 3, '16.5': 3 },
}
/** Chapters of which nothing applies, each in one row. */
const chapters = ['9.1.1–9.2.4', '17.1.1–17.3.2']

test('every requirement of the levels 1 and 2 has one row', () => {
  const expected = Object.entries(sections).flatMap(([section, last]) =>
    Array.from({ length: last }, (_, n) => `${section}.${n + 1}`),
  )

  const listed = rows.flatMap(({ numbers }) => (chapters.includes(numbers) ? [] : expand(numbers)))

  expect(listed).toEqual(expected)
  expect(rows.map(({ numbers }) => numbers)).toEqual(expect.arrayContaining(chapters))
})

test('every row names a test or a page, or says why there is none', () => {
  const bare = rows.filter(
    ({ holds, where }) =>
      !/`tests\/|\]\(/.test(where) && !/\*\*(Accepted|Not met|Not applicable)\*\*/.test(holds + where),
  )

  expect(bare).toEqual([])
})

test('every test that is named is a file', async () => {
  const named = new Set(
    rows.flatMap(({ where }) => [...where.matchAll(/`(tests\/[^`]+)`/g)].map(([, path]) => path!)),
  )
  const missing: string[] = []

  for (const path of named) await stat(new URL(path, root)).catch(() => missing.push(path))

  expect(missing).toEqual([])
  expect([...named].filter((path) => !path.endsWith('.test.ts'))).toEqual([])
  expect(named.size).toBeGreaterThan(40)
})

/** `1.2.6–1.2.8` as its three. */
function expand(numbers: string): string[] {
  const [from, to = from] = numbers.split('–') as [string, string?]
  const section = from.slice(0, from.lastIndexOf('.'))
  const first = Number(from.split('.').at(-1))
  const last = Number(to.split('.').at(-1))
  return Array.from({ length: last - first + 1 }, (_, n) => `${section}.${first + n}`)
}
