// Where links lead, by small folders of files. Each link of the first file and its target, in order.

import { expect, test } from 'vitest'
import { readLinks } from '../../../../lib/core/text/links/read-links.ts'
import {
  type Candidate,
  namesOfPath,
  namesSought,
  rankOf,
} from '../../../../lib/core/text/links/resolve-link.ts'
import { normalizeName } from '../../../../lib/core/text/normalize-name.ts'

type Named = { path: string; titles?: string[]; aliases?: string[]; former?: string[] }

function targets(text: string, holder: string, others: readonly (string | Named)[]): (string | null)[] {
  const candidates = others
    .map((other) => (typeof other === 'string' ? { path: other } : other))
    .flatMap(({ path, titles = [], aliases = [], former = [] }: Named): Candidate[] =>
      [
        ...namesOfPath(path).map((name) => ({ source: 'path' as const, name })),
        ...titles.map((name) => ({ source: 'title' as const, name: normalizeName(name) })),
        ...aliases.map((name) => ({ source: 'alias' as const, name: normalizeName(name) })),
        ...former.map((name) => ({ source: 'former' as const, name: normalizeName(name) })),
      ].map((name) => ({ ...name, path, isPage: true })),
    )
  return readLinks(text)
    .filter(({ kind }) => kind !== 'definition')
    .map((link) => {
      const sought = namesSought(link, holder)
      const ranked = candidates
        .filter(({ name }) => sought.includes(name))
        .map((candidate) => ({ path: candidate.path, rank: rankOf(link, holder, candidate) }))
        .filter(({ rank }) => rank !== null)
        .toSorted((one, other) => (one.rank! < other.rank! ? -1 : 1))
      return ranked[0]?.path ?? null
    })
}

test.each<[string, string, string, (string | Named)[], (string | null)[]]>([
  [
    'a path is read from its text',
    '[x](n.md) [y](./n) [z](../n.md)',
    'b/c/s.md',
    ['n.md', 'b/n.md', 'b/c/n.md'],
    ['b/c/n.md', 'b/c/n.md', 'b/n.md'],
  ],
  ['a path has no other meaning', '[x](n.md) [y](../../n.md)', 'b/s.md', ['a/n.md'], [null, null]],
  [
    'a path with a folder is read from the root where nothing is at it from its text',
    '[x](d/n.md) [y](./d/n.md) ![](d/p.png) [z](e/n) [w](f/index.md)',
    'c/s.md',
    ['d/n.md', 'd/p.png', 'e/n.md', 'c/e/n.md', 'f/index.md'],
    ['d/n.md', null, 'd/p.png', 'c/e/n.md', null],
  ],
  ['a path from the root', '[x](/a/n.md)', 'b/s.md', ['a/n.md', 'b/a/n.md'], ['a/n.md']],
  [
    'a folder is what describes it',
    '[x](d/) [y](d) [z](e) [u](f/)',
    's.md',
    ['d/README.md', 'd/index.md', 'e/e.md', 'f/'],
    ['d/index.md', 'd/index.md', 'e/e.md', 'f/'],
  ],
  [
    'a file goes before a folder, unless a slash says so',
    '[x](d) [y](d/)',
    's.md',
    ['d.md', 'd/index.md'],
    ['d.md', 'd/index.md'],
  ],
  [
    'case and Unicode form do not count',
    '[x](FOLDER/%C3%9Cber.md)',
    's.md',
    ['Folder/U\u0308ber.md'],
    ['Folder/U\u0308ber.md'],
  ],
  ['compatibility signs do', '[[x²]] [[x2]]', 's.md', ['x2.md', 'x².md'], ['x².md', 'x2.md']],
  ['an exact path goes first', '[[n]] [[b/n]]', 'a/s.md', ['n.md', 'a/n.md', 'b/n.md'], ['n.md', 'b/n.md']],
  ['then a path from the text', '[[sub/n]]', 'a/s.md', ['c/sub/n.md', 'a/sub/n.md'], ['a/sub/n.md']],
  [
    'then the nearest of that name',
    '[[n]]',
    'a/b/s.md',
    ['a/c/n.md', 'd/n.md', 'a/b/e/n.md'],
    ['a/b/e/n.md'],
  ],
  ['its own folder before others', '[[n]]', 'a/s.md', ['a/b/n.md', 'a/n.md'], ['a/n.md']],
  ['of equals the first path', '[[n]]', 's.md', ['b/n.md', 'a/n.md'], ['a/n.md']],
  [
    'a file name goes before a title, a title before an alias, an alias before a former name',
    '[[n]] [[t]] [[a]]',
    's.md',
    [
      { path: 'x.md', titles: ['n'], aliases: ['t'], former: ['a'] },
      'n.md',
      { path: 'y.md', titles: ['t'], aliases: ['a'] },
    ],
    ['n.md', 'y.md', 'y.md'],
  ],
  [
    'a folder goes last',
    '[[Projects]]',
    's.md',
    [{ path: 'Projects/', titles: ['Projects'] }, 'Notes/Projects.md'],
    ['Notes/Projects.md'],
  ],
  [
    'a folder alone',
    '[[Projects]] [x](Projects/)',
    's.md',
    [{ path: 'Projects/', titles: ['Projects'] }],
    ['Projects/', 'Projects/'],
  ],
  [
    'white space counts before it does not',
    '[[a  b]] [[a b]] [[ c ]]',
    's.md',
    ['a b.md', 'a  b.md', 'c.md'],
    ['a  b.md', 'a b.md', 'c.md'],
  ],
  ['a tail of a path', '[[b/n]] ![[b/p.png]]', 's.md', ['a/b/n.md', 'a/b/p.png'], ['a/b/n.md', 'a/b/p.png']],
  ['above the root is nothing', '[x](../n.md) [[../n]]', 's.md', ['n.md'], [null, null]],
  [
    'entities, percent signs and fragments in an address',
    '[x](caf&eacute;.md) [y](Q&#38;A.md?raw#p) [z](a&#x20;b.md) [w](100%%20sure.md) [v](C\\#.md) [u](C%23.md)',
    's.md',
    ['café.md', 'Q&A.md', 'a b.md', '100% sure.md', 'C#.md'],
    ['café.md', 'Q&A.md', 'a b.md', '100% sure.md', null, 'C#.md'],
  ],
  [
    'the root is what describes it',
    '[x](/) [y](..) [z](../) [w](/index.md)',
    'a/s.md',
    ['index.md', 'README.md', 'a/index.md'],
    ['index.md', 'index.md', 'index.md', 'index.md'],
  ],
  ['the root by a README', '[x](../) [y](./)', 'a/s.md', ['ReadMe.md'], ['ReadMe.md', null]],
  [
    'backslashes part folders, unless a name has them',
    '[x](d\\n.md) ![](..\\i\\p.png) [y](m\\o.md)',
    'a/s.md',
    ['a/d/n.md', 'i/p.png', 'a/m\\o.md', 'a/m/o.md'],
    ['a/d/n.md', 'i/p.png', 'a/m\\o.md'],
  ],
  [
    'a journal of Logseq by its day, in each format',
    '[[May 1st, 2023]] [[1st May 2023]] [[Mon, 05/01/2023]] [[Monday, 01.05.2023]] [[20230501]] [[2023-05-01 Monday]] [[2023年05月01日]] [[2023_05_01]] [[02-05-2023]]',
    'pages/s.md',
    ['journals/2023_05_01.md', 'journals/2023_05_02.md'],
    [...Array.from({ length: 8 }, () => 'journals/2023_05_01.md'), null],
  ],
  [
    'a journal whose file is named with hyphens, and a day that is none',
    '[[May 1st, 2023]] [[Feb 30th, 2023]]',
    's.md',
    ['journals/2023-05-01.md', 'journals/2023-02-30.md'],
    ['journals/2023-05-01.md', null],
  ],
  ['a file by its name alone', '![](p.png)', 'a/s.md', ['b/p.png'], ['b/p.png']],
])('%s', (_, text, holder, others, expected) => {
  expect(targets(text, holder, others)).toEqual(expected)
})
