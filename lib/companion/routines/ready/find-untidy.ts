// What is untidy in a Space, found by code: each finding as the draft that mends it, with the evidence, or as a sentence
// where only the owner knows what to do.

import { renameLinks } from '../../../content/links/rewrite-links.ts'
import { cleanLine } from '../../../core/text/clean.ts'
import { plainText, splitFrontMatter } from '../../../core/text/markdown.ts'
import { normalizeName } from '../../../core/text/normalize-name.ts'
import { quoteShown } from '../../../core/text/quote-name.ts'
import { stripEmbeds } from '../../../core/text/split-note.ts'
import { distanceFrom } from '../../../core/text/words/edit-distance.ts'
import type { Queryable } from '../../../db/pool.ts'
import {
  type BrokenLink,
  createTidyRepo,
  type NamedPage,
  type PageText,
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

/** Of each kind of finding, and of what they are looked for in. */
const maxFound = 200
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
  const links = await ifAsked('links', () => repo.listBroken(spaceId, maxFound))
  const targets = links.length > 0 ? likelyTargets(links, await repo.listTitles(spaceId, maxTitles)) : []
  const broken = await repo.listTexts(spaceId, [...new Set(targets.map(({ page_id }) => page_id))])
  const tasks = await ifAsked('tasks', () => repo.listOpenTasks(spaceId, maxTitles))
  const ticked = tasks.length > 0 ? await repo.listTicked(spaceId, maxPages) : []
  const sameTitles = await ifAsked('titles', () => repo.listSameTitles(spaceId, maxListed))
  const orphans = await ifAsked('orphans', () => repo.listOrphans(spaceId, maxListed))
  const untitled = await ifAsked('untitled', () => repo.listUntitled(spaceId, maxFound))
  const copies = await ifAsked('texts', () => repo.listSameTexts(spaceId, maxFound))
  return {
    drafts: [
      ...broken.flatMap((page) => mendLinks(page, targets) ?? []),
      ...doneTasks(tasks, ticked),
      ...untitled.flatMap((page) => nameUntitled(page) ?? []),
      ...copies.flatMap(dropCopies),
    ],
    notes: [
      ...sameTitles.map(({ title, count }) => `${count} pages are called ${quoteShown(title)}.`),
      ...(orphans.length > 0
        ? [`Nothing links to or from ${orphans.map(({ title }) => quoteShown(title, 60)).join(', ')}.`]
        : []),
    ],
  }
}

type LikelyTarget = BrokenLink & { title: string }

const bare = (name: string) => name.replace(/[^\p{L}\p{N}]+/gu, '')

/** The one page that a broken link can be meant for: the same letters and digits, or one slip off. None where two are as near. */
export function likelyTargets(broken: readonly BrokenLink[], pages: readonly NamedPage[]): LikelyTarget[] {
  const names = pages.map(({ title }) => ({ title, name: bare(normalizeName(title)) }))
  const byName = Map.groupBy(names, ({ name }) => name)
  const found = new Map<string, string | null>()
  return broken.flatMap((link) => {
    const wanted = bare(normalizeName(link.target.split('/').at(-1) ?? ''))
    if (wanted.length < minLetters) return []
    if (!found.has(wanted)) found.set(wanted, nearest(wanted))
    const title = found.get(wanted)
    return title ? [{ ...link, title }] : []
  })

  function nearest(wanted: string): string | null {
    const same = byName.get(wanted) ?? []
    if (same.length > 0) return same.length === 1 ? same[0]!.title : null
    if (wanted.length < minSlipLetters || /\p{N}/u.test(wanted)) return null
    const distance = distanceFrom(wanted, 1)
    const near = names.filter(
      ({ name }) => Math.abs(name.length - wanted.length) <= 1 && distance(name) === 1,
    )
    return near.length === 1 ? near[0]!.title : null
  }
}

/** Letters of a name, at least, and of one that may have a slip: short words are often another word but for a letter. */
const minLetters = 3
const minSlipLetters = 6

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

function nameUntitled({ id, body }: PageText): UntidyDraft | null {
  const first = plainText(splitFrontMatter(body).content)
    .split('\n')
    .find((line) => line.trim() !== '')
  const title = cleanLine(first ?? '')
    .slice(0, 80)
    .toWellFormed()
    .trim()
  if (title === '') return null
  const reason = 'The page has no title. This is its first line.'
  return { entity_type: 'page', action: 'update', entity_id: id, payload: { title }, reason }
}

/** Words of its own, in characters: pages that were made from one template have the same text as long as they are empty. */
const minOwnWords = 20

/** Of pages with the same text the oldest one, and all that something links to, stay. */
function dropCopies({ ids, titles, linked, body }: SamePages): UntidyDraft[] {
  const words = plainText(stripEmbeds(splitFrontMatter(body).content))
  if (words.trim().length < minOwnWords) return []
  const kept = Math.max(0, linked.indexOf(true))
  return ids.flatMap((id, at) =>
    at === kept || linked[at]
      ? []
      : [
          {
            entity_type: 'page' as const,
            action: 'delete' as const,
            entity_id: id,
            reason: `It has the same text as ${quoteShown(titles[kept]!, 80)}, and nothing links to it.`,
          },
        ],
  )
}
