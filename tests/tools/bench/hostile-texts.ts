import { readCommands } from '../../../lib/ai/offline/commands.ts'
import { piecesOf } from '../../../lib/ai/offline/reply.ts'
import { diffText } from '../../../lib/core/text/diff/diff-text.ts'
import { readLinks } from '../../../lib/core/text/links/read-links.ts'
import { plainText } from '../../../lib/core/text/markdown.ts'
import { stripEmbeds } from '../../../lib/core/text/split-note.ts'
import type { Figure, Measurement } from './measurement.ts'
import { median } from './statistics.ts'

const rounds = 9
/** What an offline command is dated from. */
const today = new Date(2026, 2, 3)
const bound = { kind: 'at most', value: 3 } as const

const noise = (words: number, step: number) =>
  Array.from({ length: words }, (_, n) => `w${(n * step) % 9973}`).join(' ')

/** What is done to a text of `pieces`. */
const works: readonly { name: string; pieces: number; work: (pieces: number) => unknown }[] = [
  {
    name: 'diff of two texts with nothing in common',
    pieces: 40_000,
    work: (n) => diffText(noise(n, 7), noise(n, 11)),
  },
  {
    name: 'diff of few words in another order',
    pieces: 40_000,
    work: (n) => diffText('a b c d '.repeat(n / 4), 'd c b a '.repeat(n / 4)),
  },
  { name: 'links that never close', pieces: 400_000, work: (n) => readLinks('[[a#'.repeat(n)) },
  { name: 'addresses that never close', pieces: 400_000, work: (n) => readLinks('[a](<'.repeat(n)) },
  { name: 'brackets as plain text', pieces: 400_000, work: (n) => plainText('[a]('.repeat(n)) },
  {
    name: 'a command with a long tail, offline',
    pieces: 100_000,
    work: (n) => readCommands(`replace a with b ${'with in '.repeat(n)}`, today),
  },
  {
    name: 'a command in spaces, offline',
    pieces: 400_000,
    work: (n) => readCommands(`rename ${' '.repeat(n)}`, today),
  },
  {
    name: 'a note of table rows, offline',
    pieces: 20_000,
    work: (n) => piecesOf(['| lamp '.repeat(n)]),
  },
  {
    name: 'a note of open comments, offline',
    pieces: 20_000,
    work: (n) => piecesOf(['<!-- lamp '.repeat(n)]),
  },
  { name: 'embeds that never close', pieces: 400_000, work: (n) => stripEmbeds('![['.repeat(n)) },
]

/** Work on texts that are made to take long, and on those texts twice as long. */
export const hostileTexts: Measurement = {
  name: 'hostile-texts',
  about:
    'texts that are made to take long, and the same twice as long; what grows with the square takes four times',
  async run() {
    return works.flatMap(({ name, pieces, work }): Figure[] => {
      const once = time(() => work(pieces))
      const twice = time(() => work(2 * pieces))
      return [
        { name, unit: 'ms', value: once },
        { name: '… twice as long', unit: 'x', value: twice / once, bound },
      ]
    })
  },
}

function time(work: () => unknown): number {
  const times: number[] = []
  for (let n = 0; n < rounds; n += 1) {
    const started = performance.now()
    work()
    times.push(performance.now() - started)
  }
  return median(times)
}
