// What is untidy in a Space, found by code: each finding as the draft that mends it, with the evidence, or as a sentence
// where only the owner knows what to do.

import { renameLinks } from '../../../content/links/rewrite-links.ts'
import { cleanLine } from '../../../core/text/clean.ts'
import { isDrawing } from '../../../core/text/drawings.ts'
import { plainText, splitFrontMatter } from '../../../core/text/markdown.ts'
import { normalizeName } from '../../../core/text/normalize-name.ts'
import { quoteShown } from '../../../core/text/quote-name.ts'
import { stripEmbeds } from '../../../core/text/split-note.ts'
import { distanceFrom } from '../../../core/text/words/edit-distance.ts'
import { wordsOf } from '../../../core/text/words/words.ts'
import type { Queryable } from '../../../db/pool.ts'
import {
  type BrokenLink,
  createTidyRepo,
  type NamedPage,
  type PageText,
  type PlacedPage,
  type SamePages,
} from '../../../db/repos/tidy.ts'
import type { ReadyDraft } from './ready-run.ts'

export type UntidyDraft = ReadyDraft & { entity_type: 'page' | 'task'; action: 'update' | 'delete' }

export type Untidy = { drafts: UntidyDraft[]; notes: string[] }

/** What is looked for, each by what its line of the instruction begins with. */
const checks = {
  links: 'Broken links',
  texts: 'Pages with the same text',
  titles: 'Pages with the same title',
  untitled: 'Pages without a title',
  orphans: 'Pages that nothing links to',
  tasks: 'Open tasks',
}
type Check = keyof typeof checks

/** What an instruction asks for: the checks whose lines it still has; all where it has none of them. */
export function checksIn(instruction: string): ReadonlySet<Check> {
  const lines = instruction
    .split('\n')
    .map((line) => normalizeName(line.replace(/^\s*[-*+] (?:\[.\] )?/, '')))
  const all = Object.keys(checks) as Check[]
  const named = all.filter((check) => lines.some((line) => line.startsWith(normalizeName(checks[check]))))
  return new Set(named.length > 0 ? named : all)
}

/** Of each kind of finding, and of what they are looked for in. Most broken links have no likely target: all are looked at. */
const maxFound = 200
const maxLinks = 20_000
const maxTitles = 20_000
const maxPages = 500
const maxListed = 10

/** Broken links come first: they are the surest. */
export async function findUntidy(
  db: Queryable,
  spaceId: string,
  asked: ReadonlySet<Check> = checksIn(''),
): Promise<Untidy> {
  const repo = createTidyRepo(db)
  const ifAsked = async <Row>(check: Check, load: () => Promise<Row[]>) =>
    asked.has(check) ? await load() : []
  const links = await ifAsked('links', () => repo.listBroken(spaceId, maxLinks))
  const likely = links.length > 0 ? likelyTargets(links, await repo.listTitles(spaceId, maxTitles)) : []
  const targets = likely.slice(0, maxFound)
  const broken = await repo.listTexts(spaceId, [...new Set(targets.map(({ page_id }) => page_id))])
  const tasks = await ifAsked('tasks', () => repo.listOpenTasks(spaceId, maxTitles))
  const ticked = tasks.length > 0 ? await repo.listTicked(spaceId, maxPages) : []
  const sameTitles = await ifAsked('titles', () => repo.listSameTitles(spaceId, maxListed))
  const orphans = await ifAsked('orphans', () => repo.listOrphans(spaceId, maxListed))
  const untitled = await ifAsked('untitled', () => repo.listUntitled(spaceId, maxFound))
  const copies = (await ifAsked('texts', () => repo.listSameTexts(spaceId, maxFound))).map(findCopies)
  const dropped = copies.flatMap(({ drafts }) => drafts)
  const gone = new Set(dropped.map(({ entity_id }) => entity_id))
  return {
    drafts: [
      ...broken.flatMap((page) => mendLinks(page, targets) ?? []),
      ...doneTasks(tasks, ticked),
      ...untitled.flatMap((page) => (gone.has(page.id) ? [] : (nameUntitled(page) ?? []))),
      ...dropped,
    ],
    notes: [
      ...copies.flatMap(({ notes }) => notes).slice(0, maxListed),
      ...sameTitles.map(({ title, count }) => `${count} pages are called ${quoteShown(title)}.`),
      ...(orphans.length > 0
        ? [`Nothing links to or from ${orphans.map(({ title }) => quoteShown(title, 60)).join(', ')}.`]
        : []),
    ],
  }
}

type LikelyTarget = BrokenLink & { title: string }

const bare = (name: string) => name.replace(/[^\p{L}\p{N}]+/gu, '')

/**
 * The one page that a broken link can be meant for: the same letters and digits, or one slip off. None where two are as
 * near, one of them behind a number ("6.1 Payments") included. A slip is made once, and in the name, not in the folder.
 */
export function likelyTargets(broken: readonly BrokenLink[], pages: readonly PlacedPage[]): LikelyTarget[] {
  const names = pages.map((page) => ({ ...page, name: bare(normalizeName(page.title)) }))
  const byName = Map.groupBy(names, ({ name }) => name)
  const numbered = new Set(
    names.flatMap(({ title }) => {
      const rest = title.replace(ordering, '')
      return rest === title ? [] : [bare(normalizeName(rest))]
    }),
  )
  const uses = new Map<string, number>()
  for (const { target } of broken) uses.set(wantedBy(target), (uses.get(wantedBy(target)) ?? 0) + 1)
  const found = new Map<string, PlacedPage | null>()
  let slips = 0
  return broken.flatMap((link) => {
    const wanted = wantedBy(link.target)
    if (wanted.length < minLetters || numbered.has(wanted)) return []
    const same = byName.get(wanted) ?? []
    if (same.length > 0) return same.length === 1 ? [{ ...link, title: same[0]!.title }] : []
    if (uses.get(wanted) !== 1 || wanted.length < minSlipLetters || /\p{N}/u.test(wanted)) return []
    if (!found.has(wanted)) {
      slips += 1
      found.set(wanted, slips > maxSlips ? null : nearest(wanted))
    }
    const page = found.get(wanted)
    return page && isInFolder(page, link.target) ? [{ ...link, title: page.title }] : []
  })

  function nearest(wanted: string): PlacedPage | null {
    const distance = distanceFrom(wanted, 1)
    const near = names.filter(
      ({ name }) =>
        Math.abs(name.length - wanted.length) <= 1 && distance(name) === 1 && isSlip(wanted, name),
    )
    return near.length === 1 ? near[0]! : null
  }
}

const wantedBy = (target: string): string => bare(normalizeName(target.split('/').at(-1) ?? ''))

/** A number that orders pages, before a title. */
const ordering = /^\d+(?:[.-]\d+)*[-.) _:]*(?=\p{L})/u

/** Another letter in the place of one makes another word of most short ones, such as Clause of Claude. */
const isSlip = (one: string, other: string): boolean =>
  one.length !== other.length ||
  one.length >= minOtherLetter ||
  [...one].sort().join() === [...other].sort().join()

/** Whether a page is in the folder that a link names, if it names one. */
function isInFolder({ path }: PlacedPage, target: string): boolean {
  const wanted = target.split('/').at(-2)
  return wanted === undefined || normalizeName(wanted) === normalizeName(path.split('/').at(-2) ?? '')
}

/**
 * Letters of a name, at least; of one that may have a slip: short words are often another word but for a letter; and of one
 * that may have another letter in the place of one.
 */
const minLetters = 3
const minSlipLetters = 6
const minOtherLetter = 10

/** Names that are compared with all others. */
const maxSlips = 500

function mendLinks({ id, title, body }: PageText, targets: readonly LikelyTarget[]): UntidyDraft | null {
  const own = targets.filter(({ page_id, title: to }) => page_id === id && to !== title)
  const mended = own.reduce((text, { target, title: to }) => renameLinks(text, target, to).text, body)
  if (mended === body) return null
  const evidence = own.map(({ target, title: to }) => `${quoteShown(target, 60)} → ${quoteShown(to, 60)}`)
  return {
    entity_type: 'page',
    action: 'update',
    entity_id: id,
    payload: { body: mended },
    reason: `Broken links with one page of nearly that name: ${evidence.slice(0, 5).join('; ')}.`,
  }
}

/** Open tasks whose very title stands on a page with a ticked box, and nowhere with an open one. */
export function doneTasks(tasks: readonly NamedPage[], pages: readonly PageText[]): UntidyDraft[] {
  const ticked = new Map<string, string>()
  const open = new Set<string>()
  for (const { title, body } of pages) {
    for (const [, box, text] of body.matchAll(/^[ \t]*[-*+] \[([ xX])\] (.{1,500})$/gm)) {
      const name = normalizeName(text!)
      if (box === ' ') open.add(name)
      else ticked.set(name, title)
    }
  }
  return tasks.flatMap(({ id, title }) => {
    const page = ticked.get(normalizeName(title))
    if (page === undefined || open.has(normalizeName(title))) return []
    const reason = `It is ticked off on the page ${quoteShown(page, 80)}.`
    return [
      {
        entity_type: 'task' as const,
        action: 'update' as const,
        entity_id: id,
        payload: { status: 'done' },
        reason,
      },
    ]
  })
}

/** Headings that pages of any subject begin with. */
const generic =
  /^(?:table of contents|contents|toc|overview|introduction|intro|summary|notes?|index|agenda|untitled|inhalt(?:sverzeichnis)?)$/i

function nameUntitled({ id, body }: PageText): UntidyDraft | null {
  const first = plainText(splitFrontMatter(body).content)
    .split('\n')
    .map((line) => cleanLine(line).trim())
    .find((line) => line !== '' && !generic.test(line.replace(/:$/, '')))
  const title = (first ?? '').slice(0, 80).toWellFormed().trim()
  if (title === '') return null
  const reason = 'The page has no title. This is its first line.'
  return { entity_type: 'page', action: 'update', entity_id: id, payload: { title }, reason }
}

/** Different words of its own: pages that were made from one template have the same text as long as they are empty. */
const minOwnWords = 5

/**
 * Of pages with the same text and a title of a copy, one stays, and all that something links to. Under another title a page is
 * no copy: the text may be what is wrong.
 */
export function findCopies({ ids, titles, paths, linked, body }: SamePages): Pick<Untidy, 'notes'> & {
  drafts: UntidyDraft[]
} {
  const words = wordsOf(plainText(stripEmbeds(splitFrontMatter(body).content)))
  if (new Set(words).size < minOwnWords) return { drafts: [], notes: [] }
  const places = ids.map((id, at) => ({ id, title: titles[at]!, path: paths[at]!, linked: linked[at]! }))
  const kept =
    places.find((page) => page.linked) ?? places.find(({ title }) => !isMarked(title)) ?? places[0]!
  const others = places.filter((page) => page !== kept && !page.linked)
  const copies = others.filter(({ title }) => isCopyOf(title, kept.title))
  // Drawings that are still empty have the same text.
  const named = isDrawing({ path: kept.path, body }) ? [] : others.filter((page) => !copies.includes(page))
  const unlike = named.slice(0, maxListed)
  const where = kept.path && copies.length > 0 ? ` (${quoteShown(kept.path, 120)})` : ''
  return {
    drafts: copies.map(({ id }) => ({
      entity_type: 'page' as const,
      action: 'delete' as const,
      entity_id: id,
      reason: `It has the same text as ${quoteShown(kept.title, 80)}${where}, and nothing links to it.`,
    })),
    notes: [...new Set(unlike.map(({ title }) => title))].map(
      (title) => `${quoteShown(title, 80)} has the same text as ${quoteShown(kept.title, 80)}.`,
    ),
  }
}

/** What programs add to the title of a copy. */
const copyMark = /(?:[ _-]+(?:\d{1,2}|\(\d{1,2}\)|copy(?: \d{1,2})?)|[ _]*\((?:copy|\d{1,2})\))$/i
const noTitle = /^(?:untitled|no title|new page)?\s*\d*$/i

const isMarked = (title: string): boolean => copyMark.test(title) || noTitle.test(title.trim())

function isCopyOf(title: string, kept: string): boolean {
  const [one, other] = [normalizeName(title), normalizeName(kept)]
  const base = normalizeName(title.replace(copyMark, '').replace(/^copy of /i, ''))
  return one === other || base === other || noTitle.test(title.trim())
}
