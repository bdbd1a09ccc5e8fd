// The planner of a folder in step: what must be true of any state, tried on a hundred thousand seeds.

import { describe, expect, test } from 'vitest'
import { type Base, decide, type Side, type Step } from '../../../lib/files/folder/plan/decide.ts'
import { deletionBrake } from '../../../lib/files/folder/plan/deletion-brake.ts'
import { matchNotes } from '../../../lib/files/folder/plan/match-notes.ts'
import { runs } from '../../helpers/runs.ts'
import {
  actsOf,
  copyOf,
  createRandom,
  emptyText,
  endOf,
  isSettled,
  newWorld,
  perturb,
  planWorld,
  type Random,
  type World,
} from './small-world.ts'

const maxRounds = 5
const seeds = runs(100_000)

describe('one note', () => {
  const sides: Side[] = [
    ...['one', 'two', 'three'].map((text): Side => ({ is: 'text', text })),
    { is: 'absent' },
    { is: 'unknown' },
    { is: 'held', reason: 'is a pipe' },
  ]
  const bases: Base[] = [
    null,
    { text: null, waiting: { file: 'two', page: 'three' } },
    { text: 'one' },
    { text: 'one', waiting: { file: 'two', page: 'three' } },
  ]
  const swapped = (base: Base): Base =>
    base?.waiting ? { ...base, waiting: { file: base.waiting.page, page: base.waiting.file } } : base

  const other = { file: 'page', page: 'file' } as const
  const swapStep = (step: Step): Step => {
    if (step.do === 'copy') return { ...step, to: other[step.to] }
    if (step.do === 'delete') return { ...step, from: other[step.from] }
    return 'file' in step ? { ...step, file: step.page, page: step.file } : step
  }

  const every = bases.flatMap((base) => sides.flatMap((file) => sides.map((page) => ({ base, file, page }))))

  test('sides that are swapped give a step that is swapped', () => {
    for (const { base, file, page } of every)
      expect(decide(swapped(base), page, file)).toEqual(swapStep(decide(base, file, page)))
    expect(every).toHaveLength(144)
  })

  test('nothing is deleted but what both had, on a side whose other one is proven to be empty', () => {
    const deletions = every.filter(({ base, file, page }) => decide(base, file, page).do === 'delete')

    expect(deletions).toEqual([
      { base: { text: 'one' }, file: { is: 'text', text: 'one' }, page: { is: 'absent' } },
      { base: { text: 'one' }, file: { is: 'absent' }, page: { is: 'text', text: 'one' } },
    ])
  })

  test('nothing is overwritten but what both had', () => {
    const over = every.flatMap(({ base, file, page }) => {
      const step = decide(base, file, page)
      return step.do === 'copy' && step.over !== null && step.over !== base?.text ? [step] : []
    })

    expect(over).toEqual([])
  })

  test('what cannot be read is waited for, and what is not understood is held', () => {
    for (const side of sides) {
      for (const base of bases) {
        expect(['wait', 'hold']).toContain(decide(base, { is: 'unknown' }, side).do)
        expect(decide(base, { is: 'held', reason: 'is a pipe' }, side).do).toBe('hold')
      }
    }
    for (const odd of [undefined, null, {}, { is: 'gone' }, { is: 'text' }, { is: 'held' }, 7])
      expect(decide({ text: 'one' }, odd as Side, { is: 'absent' }).do).toBe('hold')
  })
})

describe('any changes on both sides', () => {
  test('lose no text, and come to an end that both sides share', () => {
    for (let seed = 0; seed < seeds; seed++) {
      const { world } = start(seed)

      const rounds = settle(world)

      if (world.lost.length > 0 || rounds > maxRounds || !isInStep(world))
        expect.fail(`seed ${seed}: ${rounds} rounds, lost ${world.lost}, ${endOf(world)}`)
    }
    expect(seeds).toBeGreaterThanOrEqual(10_000)
  })

  test('nothing is left to do afterwards, however often it is planned', () => {
    for (let seed = 0; seed < seeds; seed++) {
      const { world } = start(seed)
      settle(world)
      const end = endOf(world)

      settle(world)

      if (endOf(world) !== end) expect.fail(`seed ${seed}: ${end} became ${endOf(world)}`)
    }
    expect(seeds).toBeGreaterThan(0)
  })

  test('a crash after any act leads to the same end', () => {
    for (let seed = 0; seed < seeds; seed++) {
      const { world, random } = start(seed)
      const crashed = copyOf(world)
      settle(world)

      const acts = actsOf(crashed, planWorld(crashed))
      const done = random.below(acts.length + 1)
      for (const { run } of acts.slice(0, done)) run()
      if (acts[done]?.replayed) acts[done].run()
      settle(crashed)

      if (textsOf(crashed) !== textsOf(world) || crashed.lost.length > 0)
        expect.fail(`seed ${seed}: ${endOf(crashed)} instead of ${endOf(world)}, lost ${crashed.lost}`)
    }
    expect(seeds).toBeGreaterThan(0)
  })

  test('the order in which things are found and done means nothing', () => {
    for (let seed = 0; seed < seeds; seed++) {
      const { world, random } = start(seed)
      const other = copyOf(world)
      settle(world)

      settle(other, (items) => shuffle(items, random))

      if (textsOf(other) !== textsOf(world))
        expect.fail(`seed ${seed}: ${endOf(other)} instead of ${endOf(world)}`)
    }
    expect(seeds).toBeGreaterThan(0)
  })
})

/** Both sides in step, then changed on both. */
function start(seed: number): { world: World; random: Random } {
  const random = createRandom(seed)
  const world = newWorld()
  for (let count = random.below(6); count > 0; count--) perturb(world, random)
  settle(world)
  for (let count = 1 + random.below(6); count > 0; count--) perturb(world, random)
  world.lost.length = 0
  return { world, random }
}

function settle(world: World, order: <Item>(items: Item[]) => Item[] = (items) => items): number {
  for (let round = 0; ; round++) {
    const plans = planWorld(world, 'file', order)
    if (plans.every(isSettled) || round > maxRounds) return round
    const [moves, ...acts] = actsOf(world, plans)
    moves!.run()
    for (const { run } of acts) run()
  }
}

function isInStep(world: World): boolean {
  const waiting = new Set(
    [...world.entries.values()].filter(({ base }) => base?.waiting).map(({ path }) => path),
  )
  const files = [...world.files].filter(([path]) => !waiting.has(path))
  const pages = [...world.pages.values()].filter(({ path }) => !waiting.has(path))
  return (
    JSON.stringify(files.map(([path, { text }]) => [path, text]).toSorted()) ===
    JSON.stringify(pages.map(({ path, text }) => [path, text]).toSorted())
  )
}

const textsOf = (world: World) =>
  JSON.stringify([
    [...world.files.values()].map(({ text }) => text).toSorted(),
    [...world.pages.values()].map(({ text }) => text).toSorted(),
  ])

function shuffle<Item>(items: Item[], random: Random): Item[] {
  const mixed = [...items]
  for (let at = mixed.length - 1; at > 0; at--) {
    const other = random.below(at + 1)
    ;[mixed[at], mixed[other]] = [mixed[other]!, mixed[at]!]
  }
  return mixed
}

describe('moves', () => {
  const entry = (path: string, text: string, identity: string | null) => ({
    id: `e-${path}`,
    path,
    base: { text },
    page_id: `p-${path}`,
    identity,
  })
  const file = (path: string, text: string, identity: string | null) => ({
    path,
    side: { is: 'text' as const, text },
    identity,
  })
  const movesOf = (entries: ReturnType<typeof entry>[], files: ReturnType<typeof file>[]) =>
    matchNotes({ entries, files, pages: [], emptyText }).matches.map(({ entry, file }) => [
      entry?.path ?? null,
      file?.path ?? null,
    ])

  test('a file that is the same on disk has moved, also with another text', () => {
    expect(movesOf([entry('a.md', 'x', '1')], [file('b.md', 'y', '1')])).toEqual([['a.md', 'b.md']])
  })

  test('equal texts prove a move only where there is one of each', () => {
    expect(movesOf([entry('a.md', 'x', null)], [file('b.md', 'x', null)])).toEqual([['a.md', 'b.md']])
    const two = movesOf([entry('a.md', 'x', null), entry('b.md', 'x', null)], [file('c.md', 'x', null)])
    expect(two).toEqual([
      ['a.md', null],
      ['b.md', null],
      [null, 'c.md'],
    ])
    const copied = movesOf([entry('a.md', 'x', null)], [file('c.md', 'x', null), file('d.md', 'x', null)])
    expect(copied).toEqual([
      ['a.md', null],
      [null, 'c.md'],
      [null, 'd.md'],
    ])
  })

  test('empty files prove nothing', () => {
    expect(movesOf([entry('a.md', emptyText, null)], [file('b.md', emptyText, null)])).toEqual([
      ['a.md', null],
      [null, 'b.md'],
    ])
  })

  test('names that were swapped are two moves', () => {
    const entries = [entry('a.md', 'x', '1'), entry('b.md', 'y', '2')]
    expect(movesOf(entries, [file('a.md', 'y', '2'), file('b.md', 'x', '1')])).toEqual([
      ['a.md', 'b.md'],
      ['b.md', 'a.md'],
    ])
  })

  test('a file that an editor put aside as it saved did not move', () => {
    expect(movesOf([entry('a.md', 'x', '1')], [file('a.md', 'y', '2'), file('a-old.md', 'x', '1')])).toEqual([
      ['a.md', 'a.md'],
      [null, 'a-old.md'],
    ])
  })

  test('two names of one file prove no move', () => {
    const hard = [file('b.md', 'y', '1'), file('c.md', 'y', '1')]
    expect(movesOf([entry('a.md', 'x', '1')], hard)).toEqual([
      ['a.md', null],
      [null, 'b.md'],
      [null, 'c.md'],
    ])
  })

  test('a file that differs by case alone from a known one is its twin, and from none the first stays', () => {
    const { matches, twins } = matchNotes({
      entries: [entry('b.md', 'x', '1')],
      files: [file('b.md', 'x', '1'), file('B.md', 'y', '2'), file('C.md', 'z', '3'), file('c.md', 'w', '4')],
      pages: [],
      emptyText,
    })
    expect(matches.map(({ file }) => file?.path)).toEqual(['b.md', 'C.md'])
    expect(twins.map(({ path }) => path).toSorted()).toEqual(['B.md', 'c.md'])
  })
})

describe('the brake', () => {
  const paths = (count: number, folder = '') =>
    Array.from({ length: count }, (_, index) => `${folder}${index}.md`)

  test.each([
    ['ten of twenty', paths(20), paths(10), [], false],
    ['eleven of twenty', paths(20), paths(11), [], true],
    ['a tenth of 300', paths(300), paths(30), [], false],
    ['more than a tenth of 300', paths(300), paths(31), [], true],
    [
      'nine in a hundred, and nine again within the hour',
      paths(100).slice(9),
      paths(9).map((path) => `x${path}`),
      paths(9),
      true,
    ],
    ['all of a folder that held ten', [...paths(200), ...paths(10, 'n/')], paths(10, 'n/'), [], true],
    ['all of a folder that held nine', [...paths(200), ...paths(9, 'n/')], paths(9, 'n/'), [], false],
    [
      'all of a folder of ten, in two steps',
      [...paths(200), ...paths(4, 'n/')],
      paths(4, 'n/'),
      paths(6, 'n/o/'),
      true,
    ],
    ['everything, where that is ten', paths(10), paths(10), [], true],
    ['everything, where that is nine', paths(9), paths(9), [], false],
    ['nothing', paths(9), [], paths(50), false],
  ])('%s', (_name, known, gone, recent, brakes) => {
    expect(deletionBrake({ known, gone, recent }) !== null).toBe(brakes)
  })
})
