// What no client would send by intent, in places where something else is expected.

import type { Random } from './random.ts'

const texts = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  'x\udfff',
  '\ud83d'.repeat(40),
  '\u202eevil\u202c',
  '\u200b\u2066\ufeff',
  '😀'.repeat(70),
  'ß'.normalize('NFD').repeat(30),
  'Z̸̡̢͓͑'.repeat(60),
  "'; drop table pages; --",
  '$1',
  '%',
  '_',
  '\\',
  "\\'",
  '%00',
  '..',
  '../../etc/passwd',
  '/',
  'C:\\con',
  '<script>alert(1)</script>',
  '[[',
  '[['.repeat(400),
  ']]',
  '![[a]]',
  '[[Fuzz page 0]]',
  '---\ntitle: [\n---\n',
  '---\na: &a [*a]\n---',
  '# '.repeat(300),
  '`'.repeat(500),
  '*'.repeat(500),
  '>'.repeat(300),
  '|-'.repeat(300),
  '- [ ] '.repeat(120),
  '((((((((((a+)+)+)+)+)+)+)+)+)',
  '"',
  'null',
  'NaN',
  'Infinity',
  '-0',
  '1e309',
  '0x10',
  '9007199254740993',
  '2147483648',
  '-9223372036854775809',
  '1e-400',
  'true',
  '[]',
  '{}',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '0000-00-00',
  '2026-02-30',
  '9999-12-31T23:59:60Z',
  '-271821-04-20T00:00:00.000Z',
  '+275760-09-13T00:00:00.001Z',
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  '01900000-0000-7000-8000-000000000000',
  '01900000-0000-7000-8000-00000000000',
  'http://',
  'javascript:alert(1)',
  'file:///etc/passwd',
  'http://[::1',
  'http://127.0.0.1:1/',
  'data:text/html,x',
  'a & b | !c <-> (d:*)',
  '"unbalanced',
  "it''s",
  ':*',
  '&',
  'the',
]

const others: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -0,
  -1,
  1,
  0.5,
  1e-7,
  2_147_483_647,
  2_147_483_648,
  -2_147_483_649,
  Number.MAX_SAFE_INTEGER,
  9_007_199_254_740_993n.toString(),
  1e21,
  1.7976931348623157e308,
  [],
  {},
  [[]],
  [null],
  [{}],
  { length: 1e9 },
  { toString: 1 },
  { constructor: { prototype: {} } },
]

const lengths = [199, 200, 201, 500, 1000, 5000, 20_000]
/** Of one request in some hundreds. */
const greatLengths = [65_536, 300_000]

export function hostileText(random: Random): string {
  if (!random.chance(0.15)) return random.pick(texts)
  const length = random.pick(random.chance(0.04) ? greatLengths : lengths)
  const unit = random.pick([
    'x',
    'ä',
    '😀',
    'word ',
    '\n',
    '[[a]] ',
    '"',
    '\\',
    '# h\n',
    '| a ',
    '<b>',
    '\ud800',
  ])
  return unit.repeat(Math.ceil(length / unit.length)).slice(0, length)
}

export function hostileValue(random: Random): unknown {
  const roll = random.next()
  if (roll < 0.5) return hostileText(random)
  if (roll < 0.9) return random.pick(others)
  if (roll < 0.95) return nested(random.pick([10, 200, 3000]), random.chance(0.5))
  return Array.from({ length: random.pick([3, 201, 2000]) }, () => random.pick(others))
}

/** Nested so deep that a function which calls itself for each level may not come back. */
function nested(depth: number, asObject: boolean): unknown {
  let value: unknown = 1
  for (let level = 0; level < depth; level += 1) value = asObject ? { a: value } : [value]
  return value
}
