// Contradictions of a Space: pages that are new or changed since the last run against those that the index finds nearest,
// by the conflict finder of research. A model, where there is one, leaves out what is none.

import { z } from 'zod'
import { renderPrompt } from '../../../ai/prompts/prompts.ts'
import type { GivenText } from '../../../changes/grounding/provenance.ts'
import { today } from '../../../core/schedule/calendar.ts'
import { entityAddress } from '../../../core/text/cited/cited-markdown.ts'
import { createEntitiesRepo } from '../../../db/repos/entities.ts'
import { createReadyRoutinesRepo, type DatedPage } from '../../../db/repos/ready_routines.ts'
import { createSpacesRepo } from '../../../db/repos/spaces.ts'
import { textTask } from '../../../jobs/workers/text-threads.ts'
import { findContradictions, isOnOneThing } from '../../research/check/find-contradictions.ts'
import { addToLedger, correction, ledgerEntry, ledgerTitle, type Pair, pairKey } from './ledger.ts'
import type { ReadyDraft, ReadyFound, ReadyRun } from './ready-run.ts'

const task = textTask(
  new URL('../../research/check/find-contradictions.ts', import.meta.url),
  findContradictions,
)

/** Pages of a run that are looked at, those compared with each other at once, and how long that may go on. */
const maxChanged = 2000
const perBatch = 150
const maxMs = 120_000
/** Of each page: passages that are looked up, and pages that are nearest to one. */
const maxPassages = 20
const maxNear = 8
const maxBodyChars = 100_000
/** Contradictions of a run. */
const maxPairs = 50

/** A word of more passages than this tells nothing of what they are on; in a small Space all words do. */
const commonShare = 0.01
const minCommon = 10
const smallSpace = 60

type Scan = { pairs: Pair[]; revision: string | null }

export async function findSpaceContradictions(run: ReadyRun): Promise<ReadyFound> {
  const { database, space_id, turn_id } = run
  const repo = createReadyRoutinesRepo(database)
  const ledgerId = await repo.findLedger(space_id)
  const { pairs: found, revision } = await scan(run, ledgerId)
  const pairs = await judge(run, found)
  const settle = async () => {
    await repo.setTold(space_id, 'contradictions', found.map(pairKey))
    if (revision !== null) await repo.setSeenRevision(turn_id, revision)
  }
  if (pairs.length === 0) return { drafts: [], answer: () => null, settle }
  const ledger = await draftLedger(run, ledgerId, pairs)
  const corrections = pairs.flatMap((pair) => correction(pair) ?? [])
  const drafts = [
    { input: ledger, sources: pairs.flatMap(({ a, b, sentences }) => sourcesOf([a, b], sentences)) },
    ...corrections.map(({ input, newer }) => ({ input, sources: sourcesOf([newer], [input.reason]) })),
  ]
  return {
    drafts,
    answer: (stored) =>
      stored.length === 0
        ? null
        : `${pairs.length === 1 ? 'One contradiction' : `${pairs.length} contradictions`} between pages, as ${stored.length === 1 ? 'a draft' : `${stored.length} drafts`}.`,
    // Found again, until the page that lists them can be drafted: one that waits for the owner is left to them.
    settle: async (stored) => {
      if (stored.includes(0)) await settle()
    },
  }
}

async function scan(run: ReadyRun, ledgerId: string | null): Promise<Scan> {
  const { database, space_id, turn_id, signal } = run
  const repo = createReadyRoutinesRepo(database)
  const changed = await repo.listChanged(space_id, await repo.seenRevision(turn_id), maxChanged)
  const until = performance.now() + maxMs
  const pairs = new Map<string, Pair>()
  let revision: string | null = null
  for (let from = 0; from < changed.length && performance.now() < until; from += perBatch) {
    const batch = changed.slice(from, from + perBatch)
    const ids = batch.map(({ id }) => id).filter((id) => id !== ledgerId)
    for (const pair of await compare(run, ids, ledgerId)) pairs.set(pairKey(pair), pair)
    signal.throwIfAborted()
    revision = batch.at(-1)!.revision
    if (pairs.size >= maxPairs) break
  }
  const told = await repo.listTold(space_id, 'contradictions', [...pairs.keys()])
  return { pairs: [...pairs].filter(([key]) => !told.has(key)).map(([, pair]) => pair), revision }
}

async function compare(run: ReadyRun, ids: readonly string[], ledgerId: string | null): Promise<Pair[]> {
  const { database, space_id, threads, near, signal } = run
  const repo = createReadyRoutinesRepo(database)
  const all = new Set(ids)
  for (const id of ids) {
    signal.throwIfAborted()
    for (const text of await repo.listPassages(space_id, id, maxPassages))
      for (const found of await near(text, { without: id, limit: maxNear })) all.add(found)
  }
  if (ledgerId) all.delete(ledgerId)
  const pages = new Map((await repo.listPages(space_id, [...all])).map((page) => [page.id, page]))
  const passages = [...pages.values()].map(({ id, title, body }) => ({
    n: id,
    title,
    text: body.slice(0, maxBodyChars).toWellFormed(),
  }))
  const found = (await threads.run(task, { passages, changed: ids })) ?? []
  const names = [...new Set(found.flatMap(({ shared }) => shared))]
  const { total, counts } = await repo.countPassages(space_id, names)
  const most = total <= smallSpace ? total : Math.max(minCommon, commonShare * total)
  return found
    .filter((one) => isOnOneThing(one, (name) => (counts.get(name) ?? 0) <= most))
    .map(({ a, b, sentences, values }) => ({ a: pages.get(a)!, b: pages.get(b)!, sentences, values }))
}

const answer = z.object({ contradictions: z.array(z.string().max(10)).max(maxPairs) })

/** Those that the model says are contradictions; all where there is none, or where it gives no such answer. */
async function judge({ ask, instruction }: ReadyRun, pairs: Pair[]): Promise<Pair[]> {
  if (!ask || pairs.length === 0) return pairs
  const content = JSON.stringify({
    instruction,
    pairs: pairs.map(({ a, b, sentences }, at) => ({
      id: String(at + 1),
      a: { page: a.title, says: sentences[0].slice(0, 600).toWellFormed() },
      b: { page: b.title, says: sentences[1].slice(0, 600).toWellFormed() },
    })),
  })
  const said = await ask({ system: renderPrompt('routine-contradictions', {}), content, schema: answer })
  return said ? pairs.filter((_, at) => said.contradictions.includes(String(at + 1))) : pairs
}

async function draftLedger(
  { database, kinds, space_id, calendar }: ReadyRun,
  ledgerId: string | null,
  pairs: readonly Pair[],
): Promise<ReadyDraft> {
  const slug = (await createSpacesRepo(database).find(space_id, [space_id]))?.slug ?? ''
  const row = ledgerId && (await createEntitiesRepo(database).find(kinds.get('page'), space_id, ledgerId))
  const hrefOf = (id: string, cite: string) =>
    entityAddress({ slug, segment: 'pages', id, cite: cite.slice(0, 120).toWellFormed() })
  const entries = pairs.map((pair) => ledgerEntry(pair, hrefOf, calendar.zone()))
  const body = addToLedger(row ? String(row.body ?? '') : '', today(calendar), entries)
  const reason = `Pages that give different values for one thing: ${pairs.length}.`
  return row
    ? { entity_type: 'page', action: 'update', entity_id: row.id, payload: { body }, reason }
    : { entity_type: 'page', action: 'create', payload: { title: ledgerTitle, body }, reason }
}

const sourcesOf = (pages: readonly DatedPage[], texts: readonly string[]): GivenText[] =>
  pages.map(({ id, title }) => ({
    entity_type: 'page',
    entity_id: id,
    title,
    given_by: 'read',
    texts: [...texts],
  }))
