// Texts that are made to be slow, and how the time of a function grows with them.

import { splitLines } from '../../lib/core/text/clean.ts'

const repeat = (piece: string) => (length: number) => piece.repeat(Math.ceil(length / piece.length))
const half = (first: string, second: string) => (length: number) =>
  repeat(first)(length / 2) + repeat(second)(length / 2)

/** Each makes a text of about so many characters. */
export const hostileShapes: Record<string, (length: number) => string> = {
  'nested brackets on lines of their own': half('[\n', '](x)\n'),
  'nested brackets': half('[', '](x)'),
  'nested pictures': half('![', '](x)'),
  'brackets that never close': repeat('['),
  'links that never close': repeat('[a](b'),
  'parentheses that never close': (length) => `[a](${repeat('(')(length)}`,
  'wikilinks that never close': repeat('[[a|'),
  'tags that never close': repeat('<a '),
  'attributes of one tag': (length) => `<a\n${repeat('href=x\n')(length)}>`,
  'a tag with a long name': (length) => `<${repeat('a')(length / 2)} ${repeat('src=x ')(length / 2)}>`,
  'an address with full stops': (length) => `http://a${repeat('.')(length)}/`,
  'addresses in a row': repeat('http://a.b/ '),
  'a definition without a target': (length) => `[x]:${repeat(' ')(length)}`,
  'definitions without targets': repeat('[x]:\n'),
  'a destination without a target': (length) => `[x](${repeat(' \n')(length)}`,
  'white space': repeat(' \t'),
  'white space before line breaks': (length) => `${repeat(' ')(length - 2)}\r\n`,
  'white space in front of a rare line break': (length) => `# ${repeat(' ')(length - 3)}\u2028`,
  'headings with white space': repeat(`# ${' '.repeat(480)}\u2028\n`),
  'headings of marks': repeat(`${'# '.repeat(240)}#x\n`),
  'items of white space': repeat(`- ${' '.repeat(480)}x\n`),
  'backticks in runs of every length': (length) =>
    Array.from({ length: Math.sqrt(2 * length) }, (_, n) => '`'.repeat(n)).join('a'),
  'fences that never close': repeat('```\n~~~\n'),
  'a table of empty cells': (length) => `|a|\n|-|\n${repeat('|')(length)}`,
  'delimiter rows': repeat('|-|\n'),
  'quotes within quotes': (length) => `${repeat('>')(length)} deep`,
  'emphasis within emphasis': repeat('*_'),
  'stars and white space': repeat('*a '),
  backslashes: repeat('\\'),
  entities: repeat('&#1'),
  'front matter that never closes': (length) => `---\n${repeat('a: [\n')(length)}`,
  'lines that are all the same': repeat('a\n'),
  'lines that are all different': (length) =>
    Array.from({ length: length / 8 }, (_, n) => `${1_000_000 + n}\n`).join(''),
  'hidden characters': repeat('\u200b\u202e'),
  'a wikilink that never closes above a quotation': (length) =>
    `[[${repeat('a')(length)}:\n\n> So it is said here.\n`,
  'quotation marks in a row': repeat('“'),
  'quotation marks that never close': repeat('“a „b «c ‘d "e '),
  'a credit of white space': (length) => `> a\n— ${repeat(' ')(length)}\u2028\n`,
  'words that end in quotation marks': (length) => `> a b c d ${repeat('”')(length)}x\n`,
  'marks of omission': repeat('a … '),
  'words in brackets': repeat('a b [c] '),
  'quotations of four words': repeat('“a b c d” '),
  'struck words': repeat('~~a %%b <s>c '),
  'comments that never close': repeat('<!-- '),
  'joined emoji': repeat('👩‍'),
}

/** The text with every nth line changed. */
export const changeLines = (text: string, every: number): string =>
  splitLines(text)
    .map((line, n) => (n % every === 1 ? `x${line}` : line))
    .join('')

export type GrowthOptions = {
  shapes?: Record<string, (length: number) => string>
  /** Where it is measured first, in characters: less for a function that takes long for each. */
  minLength?: number
}

/** The shapes for which a function takes more than linear time; `prepare` returns its run on a text. */
export function slowShapes(
  prepare: (text: string) => () => unknown,
  { shapes = hostileShapes, minLength = 16_000 }: GrowthOptions = {},
): string[] {
  return Object.entries(shapes).flatMap(([name, shape]) => {
    const growth = growthOf((length) => prepare(textOf(shape, length)), minLength)
    return growth < maxGrowth ? [] : `${name}: ${growth.toFixed(1)} times as long for twice the text`
  })
}

const made = new Map<(length: number) => string, Map<number, string>>()

/** Each is made once: the functions share them. */
function textOf(shape: (length: number) => string, length: number): string {
  const texts = made.get(shape) ?? new Map<number, string>()
  const text = texts.get(length) ?? shape(length)
  texts.set(length, text)
  made.set(shape, texts)
  return text
}

/**
 * The time of a run at 2n characters over its time at n, the best of several; 1 for a function that is quick. A step in
 * the growth (a limit that is reached, a cache that is full) is not its trend, so the least of several n counts.
 */
function growthOf(prepare: (length: number) => () => unknown, minLength: number): number {
  let least = Infinity
  for (let length = minLength; length < maxLength && least >= maxGrowth; length *= 2) {
    const { growth, ms } = growthBetween(prepare, length)
    least = Math.min(least, growth)
    if (ms > maxMs) break
  }
  return least
}

/** `ms`: the time at 2n; the growth is Infinity where that is too short to measure. */
function growthBetween(prepare: (length: number) => () => unknown, length: number): Measured {
  const longer = prepare(2 * length)
  let shorter: (() => unknown) | undefined
  let [least, most] = [Infinity, Infinity]
  for (let round = 0; round < maxRounds; round++) {
    most = Math.min(most, timeOf(longer))
    if (most < measurableMs) return { growth: isQuick(most, 2 * length) ? 1 : Infinity, ms: most }
    shorter ??= prepare(length)
    least = Math.min(least, timeOf(shorter))
    if (most / least < maxGrowth || most > maxMs) break
  }
  return { growth: most / least, ms: most }
}

type Measured = { growth: number; ms: number }

/** Whether it is too short to measure at `quickLength`; at half of it, whether that follows for quadratic time too. */
const isQuick = (ms: number, length: number) =>
  length >= quickLength || (2 * length >= quickLength && ms < tickMs)

/** Linear time gives 2 and what sorting and slower memory add, quadratic time 4. */
const maxGrowth = 3
const measurableMs = 20
/** The step in which some kernels count a processor's time. */
const tickMs = 4
const quickLength = 64_000
const maxLength = 500_000
/** A run that is longer is the last: a quadratic function has to fail, not to take hours. */
const maxMs = 4000
const maxRounds = 6

/** On the processor, by this thread alone: others share the machine. An error is an answer too. */
function timeOf(run: () => unknown): number {
  const started = process.threadCpuUsage()
  try {
    run()
  } catch {}
  const { user, system } = process.threadCpuUsage(started)
  return (user + system) / 1000
}
