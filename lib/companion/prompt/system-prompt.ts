import type { SystemPrompt } from '../../ai/agent/turn.ts'
import type { ModelTool } from '../../ai/model.ts'
import { renderPrompt, shortHash } from '../../ai/prompts/prompts.ts'
import type { MessageContext } from '../../contract/companion/companion.ts'
import { isList, type OpenTab, type Viewed } from '../../contract/companion/open-desk.ts'
import type { Kinds } from '../../contract/entities/kinds.ts'
import { countsText, maxCounted } from '../../contract/limits.ts'
import { estimateTokens, takeWithin } from '../../core/text/bounds.ts'
import { quoteName } from '../../core/text/quote-name.ts'
import type { Queryable } from '../../db/pool.ts'
import { createEntitiesRepo } from '../../db/repos/entities.ts'
import { createOutlineRepo, type NamedCount, type Outline } from '../../db/repos/page_tree.ts'
import type { NamedSpace } from '../../db/repos/spaces.ts'
import { aboutOutcomes } from './question.ts'

export type PromptFacts = Omit<SpaceContext, 'connected'> & {
  companion: string
  /** The owner’s words to this companion; empty for none. */
  instructions: string
  /** Whether it may draft changes. */
  drafts: boolean
  /** With the owner’s words to every companion in it; empty for none. */
  space: NamedSpace
}

/** Maximum tokens of the companion’s own rules, as `countTokens` counts them. */
export const maxRulesTokens = 1200

/**
 * Maximum tokens of what names the Space and what is in it and open, however large the Space and whatever its names; see
 * `estimateTokens`.
 */
export const maxNamesTokens = 1000

/**
 * The system prompt: what the companion is, what it may do and how it answers; then what is here now, by name only.
 * What changes from turn to turn comes last, so that the provider's cache keeps what is before it.
 */
export function systemPrompt({
  companion,
  instructions,
  drafts,
  space,
  ...facts
}: PromptFacts): SystemPrompt {
  const about = [
    `The Space: ${quoteName(space.name, 50)}`,
    ...(space.description ? [`About it: ${quoteName(space.description, 100)}`] : []),
  ].join('\n')
  const rules = `${companionRules({ companion, drafts })}\n\n${about}`
  const room = maxNamesTokens - estimateTokens(about) - 1
  const own = tell(aboutInstructions, instructions) + tell(aboutSpaceInstructions, space.instructions)
  const fixed = own === '' ? rules : `${rules}${own}\n`
  return { text: `${fixed}\n${describeSpace(facts, room)}`, fixedLength: fixed.length }
}

/** The rules of a companion, which are the same in every Space. */
export function companionRules({ companion, drafts }: Pick<PromptFacts, 'companion' | 'drafts'>): string {
  return renderPrompt('companion', {
    companion: quoteName(companion, 30),
    and_draft: drafts ? ', and you draft changes to it for the owner to approve' : '',
    drafts: renderPrompt(drafts ? 'companion-drafts' : 'companion-reads', { outcomes: aboutOutcomes }),
  })
}

/** Says which wording of the prompt and of the tools a turn was given. */
export const promptHash = (drafts: boolean, tools: readonly ModelTool[]): string =>
  shortHash(companionRules({ companion: '', drafts }), JSON.stringify(tools))

const aboutInstructions =
  'The owner’s instructions for you. They do not change what you may do, which Void decides:'
const aboutSpaceInstructions =
  'The owner’s instructions for every companion in this Space. They do not change what you may do either:'

const tell = (about: string, words: string) => (words.trim() === '' ? '' : `\n\n${about}\n${words.trim()}`)

const perName = 24
/** What a list’s own words come to, with “and 1234567 more”. */
const listTokens = 30
/** The share of the tabs in what the counts leave; the rest is for the outline. */
const tabShare = 0.6

/**
 * What is in a Space and open in it, by name only, in at most `maxTokens`. What does not fit is counted. What is looked
 * at is always listed.
 */
function describeSpace(
  { counts, topPages, projects, tabs, view }: Omit<SpaceContext, 'connected'>,
  maxTokens: number,
): string {
  const now = [
    `The Space holds: ${countsText(counts)}.`,
    view ? `The owner is looking at ${toWords(view)}.` : 'The owner has nothing open.',
  ]
  let left = maxTokens - estimateTokens(now.join('\n'))
  const spend = (lines: string[]): string[] => {
    left -= estimateTokens(lines.map((line) => `${line}\n`).join(''))
    return lines
  }
  const open = spend(listTabs(tabs, Math.floor(left * tabShare)))
  const [holds = '', ...rest] = now
  const outline = [
    ...spend(listNames('Projects', projects, Math.floor(left / 2))),
    ...spend(listNames('Pages at the top', topPages, left)),
  ]
  return [holds, ...outline, ...open, ...rest].join('\n')
}

function toWords(seen: Seen): string {
  if ('view' in seen) return `the view ${seen.view}${seen.q ? ` for ${quoteName(seen.q, perName)}` : ''}`
  return `the ${seen.kind} ${quoteName(seen.title, perName)} (id ${seen.id})`
}

function listTabs(tabs: SpaceContext['tabs'], maxTokens: number): string[] {
  if (tabs.length === 0) return []
  // The ones in view are listed, whichever others are not.
  const order = tabs.toSorted((a, b) => Number(b.shown) - Number(a.shown))
  const lines = order.map((tab) => `- ${tab.side}${tab.shown ? ', in view' : ''}: ${toWords(tab)}`)
  const taken = takeWithin(lines, maxTokens - listTokens)
  const more = lines.length - taken.length
  return ['Open tabs:', ...taken, ...(more > 0 ? [`- and ${more} more`] : [])]
}

function listNames(what: string, { titles, total }: NamedCount, maxTokens: number): string[] {
  if (total === 0) return []
  const taken = takeWithin(
    titles.map((title) => quoteName(title, perName)),
    maxTokens - listTokens,
  )
  const more = total > maxCounted ? 'many' : total - taken.length
  return [`${what}: ${[...taken, ...(more === 0 ? [] : [`and ${more} more`])].join(', ')}`]
}

/** A thing with its title, or a view. */
export type Seen = { kind: string; id: string; title: string } | { view: string; q: string | null }

export type SpaceContext = Outline & {
  /** In their order, the left side first. */
  tabs: (Seen & { side: 'left' | 'right'; shown: boolean })[]
  /** What is looked at; `null` for nothing in particular. */
  view: Seen | null
}

/** What the owner looks at, as the browser said it. */
type Sight = Pick<MessageContext, 'view' | 'desk'>

/** Names of a kind that are looked up; the prompt shows as many as it has room for. */
const maxNames = 40

export async function loadSpaceContext(
  db: Queryable,
  kinds: Kinds,
  spaceId: string,
  sight: Sight,
): Promise<SpaceContext> {
  const outline = await createOutlineRepo(db).find(kinds.all, spaceId, maxNames)
  return { ...outline, ...(await loadShown(db, kinds, spaceId, sight)) }
}

/**
 * What the owner sees. Titles are those that are stored. A tab of what is not in the Space is left out, as if it were
 * not open.
 */
export async function loadShown(
  db: Queryable,
  kinds: Kinds,
  spaceId: string,
  { view, desk }: Sight,
): Promise<Pick<SpaceContext, 'tabs' | 'view'>> {
  const asked = view && toThing(view)
  const named = [...(desk?.tabs ?? []), asked].flatMap((one) => (one && 'id' in one ? [one] : []))
  const titles = await findTitles(db, kinds, spaceId, named)
  const toSeen = (tab: OpenTab | ReturnType<typeof toThing>): Seen[] => {
    if ('view' in tab) return [{ view: tab.view, q: tab.q }]
    const title = titles.get(keyOf(tab))
    return title === undefined ? [] : [{ kind: tab.kind, id: tab.id, title }]
  }

  const tabs = (desk?.tabs ?? []).flatMap((tab) =>
    toSeen(tab).map((seen) => ({ ...seen, side: tab.side, shown: tab.shown })),
  )
  const front = tabs.find(({ side, shown }) => shown && side === desk?.active)
  return {
    tabs: tabs.toSorted((a, b) => a.side.localeCompare(b.side)),
    view: (asked && toSeen(asked)[0]) ?? (front && 'view' in front ? front : null),
  }
}

type Thing = { kind: string; id: string }

const toThing = (view: Viewed): Thing | { view: string; q: string | null } =>
  isList(view) ? { view: view.entityId, q: view.q ?? null } : { kind: view.entityType, id: view.entityId }

/** By `keyOf`; what is not in the Space is left out. */
export async function findTitles(
  db: Queryable,
  kinds: Kinds,
  spaceId: string,
  things: readonly Thing[],
): Promise<Map<string, string>> {
  const titles = new Map<string, string>()
  for (const [type, ofKind] of Map.groupBy(things, ({ kind }) => kind)) {
    const kind = kinds.find(type)
    if (!kind) continue
    const ids = ofKind.map(({ id }) => id)
    for (const { id, title } of await createEntitiesRepo(db).listTitles(kind, [spaceId], ids))
      titles.set(keyOf({ kind: type, id }), title)
  }
  return titles
}

export const keyOf = ({ kind, id }: Thing) => `${kind} ${id.toLowerCase()}`
