// A folder, a Space and a journal in memory, on which plans are carried out as the engine does: to try what comes of any
// sequence of changes on both sides, with a crash after any step.

import { pathKey } from '../../../lib/core/text/paths.ts'
import type { Side, SideName } from '../../../lib/files/folder/plan/decide.ts'
import type { Entry } from '../../../lib/files/folder/plan/match-notes.ts'
import { type NotePlan, planFolder } from '../../../lib/files/folder/plan/plan-folder.ts'

export type World = {
  files: Map<string, { text: string; identity: string }>
  pages: Map<string, { path: string; text: string }>
  entries: Map<string, Entry>
  /** Texts that a page had, or that a draft holds. */
  history: Set<string>
  /** Texts that were taken from a side and are nowhere else: must stay empty. */
  lost: string[]
  next: number
}

export const newWorld = (): World => ({
  files: new Map(),
  pages: new Map(),
  entries: new Map(),
  history: new Set(),
  lost: [],
  next: 1,
})

export const copyOf = (world: World): World => structuredClone(world)

/** Seeded: the same seed gives the same numbers. */
export function createRandom(seed: number) {
  let state = (seed * 2654435761) >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
  return {
    next,
    below: (count: number) => Math.floor(next() * count),
    pick: <Item>(items: readonly Item[]): Item => items[Math.floor(next() * items.length)]!,
  }
}

export type Random = ReturnType<typeof createRandom>

export const emptyText = '-.-'

const text = (value: string): Side => ({ is: 'text', text: value })

export function planWorld(
  world: World,
  leads: SideName = 'file',
  shuffle = <Item>(items: Item[]) => items,
): NotePlan[] {
  return planFolder({
    entries: shuffle([...world.entries.values()]),
    files: shuffle(
      [...world.files].map(([path, file]) => ({ path, side: text(file.text), identity: file.identity })),
    ),
    pages: shuffle([...world.pages].map(([id, page]) => ({ id, path: page.path, side: text(page.text) }))),
    emptyText,
    missing: () => ({ is: 'absent' }),
    leads,
  }).notes
}

export const isSettled = ({ move, step }: NotePlan) =>
  move === null && ['nothing', 'wait', 'hold'].includes(step.do)

/** `replayed`: after a crash before it, it is done from the intent that the act before it had written down. */
type Act = { run: () => unknown; replayed: boolean }

const act = (run: () => unknown): Act => ({ run, replayed: false })
const replayed = (run: () => unknown): Act => ({ run, replayed: true })

/** The plan as single acts, after each of which the process may end. Acts look again before they do something. */
export function actsOf(world: World, plans: readonly NotePlan[]): Act[] {
  return [act(() => moveTogether(world, plans)), ...plans.flatMap((plan): Act[] => stepActs(world, plan))]
}

/** Pages move in one transaction, files by intents that are replayed: after a crash, all of it was done. */
function moveTogether(world: World, plans: readonly NotePlan[]): void {
  const moves = plans.filter(({ move }) => move !== null)
  const pages = moves.filter(({ move }) => move!.side === 'page')
  const moving = new Set(pages.map(({ page }) => page!.id))
  for (const { move } of pages) {
    for (const [id, page] of world.pages)
      if (!moving.has(id) && pathKey(page.path) === pathKey(move!.to)) page.path = freePath(world, page.path)
  }
  for (const { move, page } of pages) world.pages.get(page!.id)!.path = move!.to
  const files = moves.filter(({ move }) => move!.side === 'file')
  const moved = files.map(({ move }) => [move!.to, world.files.get(move!.from)!] as const)
  for (const { move } of files) world.files.delete(move!.from)
  for (const [to, file] of moved) world.files.set(to, file)
  for (const { entry, page, file, move } of moves) {
    const stayed = move!.side === 'file' && world.files.get(move!.to)?.identity !== file!.identity
    if (stayed) world.lost.push(`move: ${move!.to}`)
    if (entry && page)
      world.entries.set(entry.id, { ...entry, path: move!.to, page_id: page.id, identity: file!.identity })
  }
}

const freePath = (world: World, path: string): string => {
  const taken = new Set([...world.pages.values()].map((page) => pathKey(page.path)))
  for (const path of world.files.keys()) taken.add(pathKey(path))
  for (let number = 2; ; number++) {
    const tried = path.replace(/( \(\d+\))?\.md$/, ` (${number}).md`)
    if (!taken.has(pathKey(tried))) return tried
  }
}

function stepActs(world: World, plan: NotePlan): Act[] {
  const { step } = plan
  if (step === null) return []
  const entry = () => (plan.entry ? (world.entries.get(plan.entry.id) ?? null) : null)
  const place = plan.file?.path ?? plan.page?.path ?? plan.entry!.path
  const file = () => world.files.get(place)
  /** As it was when it was planned, or not at all. */
  const page = () => {
    const now = plan.page ? world.pages.get(plan.page.id) : undefined
    return now?.path === plan.page?.path ? now : undefined
  }
  const record = (base: Entry['base'], pageId: string) => {
    const id = plan.entry?.id ?? `e${world.next++}`
    world.entries.set(id, { id, path: place, base, page_id: pageId, identity: file()?.identity ?? null })
  }
  switch (step.do) {
    case 'record':
      return [act(() => file()?.text === page()?.text && record({ text: step.text }, plan.page!.id))]
    case 'forget':
      return [act(() => world.entries.delete(plan.entry!.id))]
    case 'copy': {
      if (step.to === 'page')
        return [
          act(() => {
            if (file()?.text !== step.text || (plan.page !== null && page()?.text !== step.over)) return
            const id = plan.page?.id ?? `p${world.next++}`
            if (plan.page === null) {
              for (const other of world.pages.values())
                if (pathKey(other.path) === pathKey(place)) other.path = freePath(world, other.path)
              world.pages.set(id, { path: place, text: step.text })
            } else {
              takePageText(world, page()!.text, entry()?.base?.text ?? null)
              page()!.text = step.text
            }
            world.history.add(step.text)
            record({ text: step.text }, id)
          }),
        ]
      return [
        act(() => {
          if (page()?.text !== step.text || (file()?.text ?? null) !== step.over) return
          if (step.over === null && [...world.files.keys()].some((path) => pathKey(path) === pathKey(place)))
            return
          if (step.over !== null) takeFileText(world, step.over)
          world.files.set(place, { text: step.text, identity: `i${world.next++}` })
        }),
        replayed(() => file()?.text === page()?.text && file() && record({ text: step.text }, plan.page!.id)),
      ]
    }
    case 'delete':
      return step.from === 'file'
        ? [
            act(() => {
              if (file()?.text !== step.text) return
              takeFileText(world, step.text)
              world.files.delete(place)
            }),
            replayed(() => !file() && world.entries.delete(plan.entry!.id)),
          ]
        : [
            act(() => {
              if (page()?.text !== step.text) return
              takePageText(world, step.text, entry()?.base?.text ?? null)
              world.pages.delete(plan.page!.id)
              world.entries.delete(plan.entry!.id)
            }),
          ]
    case 'merge':
      return [
        act(() => {
          if (file()?.text !== step.file || page()?.text !== step.page) return
          const merged = merge(step.base, step.file, step.page)
          world.history.add(step.file)
          if (merged === null)
            return record({ text: step.base, waiting: { file: step.file, page: step.page } }, plan.page!.id)
          world.history.add(merged)
          page()!.text = merged
          record({ text: step.file }, plan.page!.id)
        }),
      ]
    case 'separate':
      return [
        act(() => {
          world.history.add(step.file)
          record({ text: null, waiting: { file: step.file, page: step.page } }, plan.page!.id)
        }),
      ]
    default:
      return []
  }
}

/** Texts are slots between dots; two sides that changed one slot differently conflict. */
function merge(base: string, file: string, page: string): string | null {
  const [old, left, right] = [base, file, page].map((value) => value.split('.'))
  const slots = old!.map((slot, index) => {
    const [a, b] = [left![index], right![index]]
    return a === slot ? b : b === slot || a === b ? a : null
  })
  return slots.includes(null) ? null : slots.join('.')
}

function takeFileText(world: World, taken: string): void {
  const pages = [...world.pages.values()].some((page) => page.text === taken)
  if (!pages && !world.history.has(taken)) world.lost.push(`file: ${taken}`)
}

function takePageText(world: World, taken: string, base: string | null): void {
  const files = [...world.files.values()].some((file) => file.text === taken)
  if (!files && taken !== base) world.lost.push(`page: ${taken}`)
}

/** What both sides hold in the end: texts by path, and what is waiting for the owner. */
export const endOf = (world: World): string =>
  JSON.stringify([
    [...world.files].map(([path, { text }]) => [path, text]).toSorted(),
    [...world.pages.values()].map(({ path, text }) => [path, text]).toSorted(),
    [...world.entries.values()].map(({ path, base }) => [path, base?.text, base?.waiting ?? null]).toSorted(),
  ])

const paths = ['a.md', 'b.md', 'n/c.md', 'A.md', 'n/d.md']
const slots = ['-', 'x', 'y']

/** One change by the editor of the folder or by the owner in Void. */
export function perturb(world: World, random: Random): void {
  const body = `${random.pick(slots)}.${random.pick(slots)}`
  const [file, page] = [random.pick([...world.files.keys()]), random.pick([...world.pages.keys()])]
  const to = random.pick(paths)
  const isFree = ![...world.files.keys()].some((path) => pathKey(path) === pathKey(to))
  const isFreePage = ![...world.pages.values()].some(({ path }) => pathKey(path) === pathKey(to))
  switch (random.below(10)) {
    case 0:
      if (isFree) world.files.set(to, { text: body, identity: `i${world.next++}` })
      return
    case 1:
      if (file) world.files.get(file)!.text = body
      return
    // As editors save: another file under the same name.
    case 2:
      if (file) world.files.set(file, { text: body, identity: `i${world.next++}` })
      return
    case 3:
      if (file) world.files.delete(file)
      return
    case 4:
      if (!file || !isFree) return
      world.files.set(to, world.files.get(file)!)
      world.files.delete(file)
      return
    case 5: {
      const other = random.pick([...world.files.keys()])
      if (!file || !other || file === other) return
      const [one, two] = [world.files.get(file)!, world.files.get(other)!]
      world.files.set(file, two).set(other, one)
      return
    }
    case 6:
      if (!isFreePage) return
      world.history.add(body)
      world.pages.set(`p${world.next++}`, { path: to, text: body })
      return
    case 7:
      if (!page) return
      world.history.add(body)
      world.pages.get(page)!.text = body
      return
    case 8:
      if (page) world.pages.delete(page)
      return
    default:
      if (page && isFreePage) world.pages.get(page)!.path = to
  }
}
