// A line of memory as a draft of the memory page. The companion may say which words of the owner it rests on and how the
// line reads; whether the owner said that, whether it states anything, and what it takes the place of is decided here.

import { hasOutside } from '../../changes/grounding/provenance.ts'
import type { Proposal } from '../../changes/propose/proposal.ts'
import type { ProposeChange } from '../../changes/propose/propose.ts'
import { baseOf } from '../../changes/propose/resolve-draft.ts'
import { textOf } from '../../contract/entities/kind.ts'
import type { Kinds } from '../../contract/entities/kinds.ts'
import { MemoryRequestFields, memoryKind } from '../../contract/memory.ts'
import type { AgentActor } from '../../core/actor.ts'
import { conflict, forbidden, invalid } from '../../core/errors.ts'
import { type Calendar, today } from '../../core/schedule/calendar.ts'
import { contradicts } from '../../core/text/memory/contradicts.ts'
import {
  addMemoryLine,
  findSameLine,
  type MemoryLine,
  maxMemoryText,
  memoryChanges,
  readMemory,
  replaceMemoryLine,
  writeMemoryLine,
} from '../../core/text/memory/memory-lines.ts'
import { type MemoryRequest, readMemoryRequest } from '../../core/text/memory/memory-requests.ts'
import {
  bestMatch,
  findStatement,
  isSupported,
  sameStatement,
  statementProblem,
} from '../../core/text/memory/statements.ts'
import type { Database, Queryable } from '../../db/pool.ts'
import { createMemoryPagesRepo } from '../../db/repos/memory_pages.ts'
import { createPendingChangeListsRepo } from '../../db/repos/pending_change_lists.ts'
import { createPendingChangesRepo } from '../../db/repos/pending_changes.ts'
import { createSpacesRepo } from '../../db/repos/spaces.ts'
import { loadPlaces, type Place, type Places } from './memory-places.ts'
import { readOwnWords, type TurnPlace } from './own-words.ts'

type MemoryDeps = { database: Database; kinds: Kinds; calendar: Calendar; proposeChange: ProposeChange }

/**
 * Drafts lines of memory, and leaves other drafts to `proposeChange`. Throws `AppError` as that does; 400 for words that
 * the owner did not say here, or that state nothing; 403 for a line that may not be proposed now; 409 for a second one of a
 * turn.
 */
export function createProposeMemory(deps: MemoryDeps): ProposeChange {
  const { database, proposeChange } = deps
  return async (actor, proposal) => {
    if (proposal.entity_type !== memoryKind.type) return await proposeChange(actor, proposal)
    const { turn, tool_use_id } = proposal
    if (!turn) throw forbidden('Memory takes only what the owner says in a conversation with the companion.')
    const asPage = { ...proposal, entity_type: 'page', entity_id: undefined, edits: undefined, payload: {} }
    const stored = await createPendingChangesRepo(database).findByCall(turn.id, tool_use_id)
    if (stored) return await proposeChange(actor, { ...asPage, action: stored.action })

    const { quote, line, replaces } = readFields(proposal)
    const said = await readMemoryThread(database, turn)
    const statement = findSaid(said, quote)
    if (!statement.isAsked && (await hasOutside(database, deps.kinds, proposal)))
      throw forbidden(
        'Text from outside was read in this conversation, so nothing is remembered but what the owner asks for: “Remember that …”.',
      )
    const text = textOfLine(statement, line)
    const places = await loadPlaces(deps, actor, proposal.space_id, statement)
    if (!places[0].asks && !statement.isAsked)
      throw forbidden(
        'The owner does not want to be asked. Propose no line unless they say “Remember that …”.',
      )
    const drafted = statement.forgets
      ? forgetLine(places, statement.text)
      : await addLine(deps, places, { text, statement, replaces, turn, space_id: proposal.space_id })
    const { row, waiting, page_id, title, space_id } = drafted.place
    return await proposeChange(mayDraftIn(actor, space_id), {
      ...asPage,
      space_id,
      read_in: proposal.space_id,
      action: row ? 'update' : 'create',
      entity_id: row?.id,
      supersedes: waiting?.id,
      payload: row ? { body: drafted.body } : { title, body: drafted.body },
      reason: `You said: “${statement.text.slice(0, 500).toWellFormed()}”`,
      memory: { page_id },
      admit: (tx) => checkOneLine(tx, proposal.space_id, turn.id),
    })
  }
}

/** The page of all Spaces may be kept in another one than that of the turn. */
const mayDraftIn = (actor: AgentActor, space_id: string): AgentActor =>
  actor.spaces === null ? actor : { ...actor, spaces: [...actor.spaces, space_id] }

function readFields({ action, payload, edits, supersedes }: Proposal) {
  if (action !== 'create' || edits || supersedes)
    throw invalid('A memory line can only be created. To change one, name it as payload.replaces.')
  const parsed = MemoryRequestFields.safeParse(payload ?? {})
  if (!parsed.success) throw invalid('A memory line takes only quote, line and replaces.')
  const { quote, ...fields } = parsed.data
  if (!quote?.trim()) throw invalid('quote: is missing. It is what the owner said in this conversation.')
  return { quote, ...fields }
}

type Statement = { text: string; isAsked: boolean; forgets: boolean; everywhere: boolean }

type Thread = { said: string[]; request: MemoryRequest | null }

async function readMemoryThread(db: Queryable, turn: TurnPlace): Promise<Thread> {
  const said = await readOwnWords(db, turn)
  if (said === null) throw forbidden('A routine remembers nothing: nobody is there who says it.')
  return { said, request: readMemoryRequest(said[0] ?? '') }
}

/** What the owner said with the quoted words, whole. Throws a 400 `AppError` for words that are no statement of theirs. */
function findSaid({ said, request }: Thread, quote: string): Statement {
  const asked = request && ('remember' in request ? request.remember : request.forget)
  if (asked && (sameStatement(asked, quote) || findStatement(asked, quote)))
    return {
      text: asked,
      isAsked: true,
      forgets: 'forget' in request,
      everywhere: request.everywhere === true,
    }
  for (const message of said) {
    const text = findStatement(message, quote)
    if (text === null) continue
    const problem = readMemoryRequest(text) ? null : statementProblem(text)
    if (problem) throw invalid(`quote: ${problem} Remember nothing of it.`)
    return { text, isAsked: false, forgets: false, everywhere: false }
  }
  throw invalid(
    'quote: the owner did not say this in this conversation. Quote their words exactly, or propose nothing.',
  )
}

/** How the line reads: what was asked for, word for word; else as the companion puts it, if it says no more. */
function textOfLine({ text, isAsked }: Statement, line: string | undefined): string {
  const words = isAsked || !line?.trim() ? text : line.trim()
  if (words.length > maxMemoryText)
    throw invalid(
      `line: a line has at most ${maxMemoryText} characters. Say it shorter, or keep it on a page.`,
    )
  if (words !== text && !isSupported(words, text))
    throw invalid('line: it says more than the quoted words. Leave it out to take the words themselves.')
  return words
}

type Drafted = { place: Place; body: string }

function forgetLine(places: readonly Place[], words: string): Drafted {
  for (const place of places) {
    const lines = readMemory(place.body)
    const texts = lines.map(({ text }) => text)
    const line = lines[bestMatch(words, texts)]
    if (line) return { place, body: replaceMemoryLine(place.body, line, null) }
  }
  throw invalid('No one line of memory is about that. Name its words, or open the page Memory.')
}

type NewLine = {
  text: string
  statement: Statement
  replaces: string | undefined
  turn: { id: string }
  space_id: string
}

async function addLine(
  deps: MemoryDeps,
  places: Places,
  { text, statement, replaces, turn, space_id }: NewLine,
): Promise<Drafted> {
  const { database, calendar } = deps
  const found = findLine(places, text, replaces)
  const { place = places[0], same, older } = found ?? {}
  const { body, scope } = place
  if (same && !statement.isAsked) throw forbidden('This is remembered already.')
  if (same)
    return {
      place,
      body: replaceMemoryLine(body, same, writeMemoryLine({ ...same, ...dated(same, calendar), scope })),
    }
  if (!statement.isAsked && (await isRefused(deps, places, text)))
    throw forbidden('The owner did not want this to be remembered. Do not propose it again.')

  const slug = (await createSpacesRepo(database).find(space_id, [space_id]))?.slug ?? ''
  const line = writeMemoryLine({
    text,
    said: today(calendar),
    scope,
    href: `/s/${encodeURIComponent(slug)}?turn=${turn.id}`,
    confirmed: null,
  })
  return { place, body: older ? replaceMemoryLine(body, older, line) : addMemoryLine(body, line) }
}

/** A line that is said again is confirmed; one that was written by hand gets its day. */
function dated({ said }: MemoryLine, calendar: Calendar): Pick<MemoryLine, 'said' | 'confirmed'> {
  const day = today(calendar)
  return { said: said ?? day, confirmed: day }
}

type Found = { place: Place; same?: MemoryLine; older?: MemoryLine }

/**
 * The line that says the same, or that a statement takes the place of: the one that the companion names, or that it
 * contradicts. `null`: there is none.
 */
function findLine(places: readonly Place[], text: string, replaces: string | undefined): Found | null {
  const named = replaces?.trim().replace(/^- /, '')
  const pages = places.map((place) => ({ place, lines: readMemory(place.body) }))
  for (const { place, lines } of pages) {
    const same = findSameLine(lines, text)
    if (same) return { place, same }
  }
  for (const { place, lines } of pages) {
    const older = named ? findSameLine(lines, named) : lines.find((line) => contradicts(text, line.text))
    if (older) return { place, older }
  }
  if (named)
    throw invalid('replaces: no line reads like this. Take it word for word from what is remembered.')
  return null
}

/** Rejected drafts that are compared, the latest. */
const maxRefused = 100

/** Whether the owner refused a line that says the same, whatever else was in its draft. */
async function isRefused(
  { database, kinds }: MemoryDeps,
  places: readonly Place[],
  text: string,
): Promise<boolean> {
  const lists = createPendingChangeListsRepo(database)
  for (const { page_id, space_id, row } of places) {
    for (const change of await lists.listRejectedFor({ space_id, entity_id: page_id }, maxRefused)) {
      const base =
        row && change.base_version !== null ? await baseOf(database, kinds.get('page'), row, change) : null
      const lines = memoryChanges(textOf(base?.body), textOf(change.payload.body))
      if (lines.some((line) => line.text !== null && sameStatement(line.text, text))) return true
    }
  }
  return false
}

async function checkOneLine(tx: Queryable, spaceId: string, turnId: string): Promise<void> {
  if (await createMemoryPagesRepo(tx).isDraftedIn(spaceId, turnId))
    throw conflict('too_many_drafts', 'One line of memory is proposed in a turn. Leave the rest.')
}
