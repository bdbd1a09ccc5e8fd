// Completes `@` with the companions and the pages of the Space, and a `/` at the beginning with commands. Loaded with the
// first of them. The focus stays in the field, which names the active option.

import type { AgentMark } from '../../../lib/contract/agents.ts'
import type { Command } from '../../../lib/contract/companion/commands.ts'
import type { FoundPage } from '../../../lib/contract/space/pages.ts'
import type { App } from '../../app/app.ts'
import { type IconName, icon, kindIcon } from '../../ui/components/icon.ts'
import { renderMark } from '../../ui/components/marks.ts'
import { visible } from '../../ui/components/visible.ts'
import { el } from '../../ui/dom.ts'
import { withQuery } from '../../ui/words/addresses.ts'
import type { Addressees } from '../state/conversation-part.ts'
import { findGuest, namePage } from './mention.ts'
import { createCommandFinder, showApproval } from './space-commands.ts'

export type MentionList = {
  /** Shows who and what fits what is written before the caret; nothing: hides the list. */
  show(companions: Addressees): void
  hide(): void
  /** Whether the key was the list's. */
  onKey(event: KeyboardEvent): boolean
}

export type MentionOptions = {
  app: App
  /** Which the list is put over. */
  box: HTMLElement
  field: HTMLTextAreaElement
  /** Says who is asked, where that is another companion than the thread’s. */
  addressee: HTMLElement
  /** Called with the whole text once a name is in it. */
  onPick: (text: string) => void
  /** What a `/` at the beginning offers: the kinds of answers, and these. */
  kinds: HTMLSelectElement
  attach: () => void
  startThread: () => void
  chooseModel: () => void
}

type SlashCommand = { label: string; about?: string; icon: IconName; run: () => void }

/** A companion, a page, or a command. */
type Option = { companion: AgentMark } | { page: FoundPage } | { command: SlashCommand }

const maxShown = 8
/** More of these: the list scrolls. */
const maxCommands = 40
const optionId = (index: number) => `mention-${index}`

export function createMentionList(options: MentionOptions): MentionList {
  const { box, field, addressee, onPick, app } = options
  const commands = commandsOf(options)
  const list = renderList()
  box.append(list)
  field.setAttribute('aria-autocomplete', 'list')
  const pages = createPageFinder(app)
  const ofSpace = createCommandFinder(app)
  let choices: readonly Option[] = []
  let active = 0
  return { show, hide, onKey }

  function show({ agent, companions }: Addressees): void {
    showAsked(addressee, findGuest(field.value, { agent, companions }))
    const slash = slashQuery(field)
    if (slash !== null) {
      active = 0
      showCommands(slash)
      // With the slash alone: what is typed behind it chooses among these.
      if (slash === '') ofSpace.load(() => slashQuery(field) !== null && showCommands(slashQuery(field)!))
      return
    }
    const query = queryBefore(field)
    if (query === null) {
      hide()
      return
    }
    const known = companionsFor(query, { agent, companions })
    active = 0
    update([...known, ...pages.cached(query)])
    // Behind the name of a companion its message begins.
    if (companions.some(({ name }) => startsWith(query, name))) return
    pages.find(query, (later) => {
      if (queryBefore(field) === query && document.activeElement === field) update([...known, ...later])
    })
  }

  function showCommands(start: string): void {
    const own = ofSpace.cached(start).map((command) => toSlashCommand(command))
    const all = [...own, ...commands.filter(({ label }) => hasWord(label, start))]
    update(
      all.map((command) => ({ command })),
      maxCommands,
    )
  }

  /** Put into the field, where its arguments follow; one from outside is approved first. */
  function toSlashCommand(command: Command): SlashCommand {
    const { name, description, approved } = command
    const insert = () => {
      onPick(`/${name} `)
      field.focus()
      field.setSelectionRange(field.value.length, field.value.length)
    }
    const about = approved ? description : 'Needs your approval'
    const run = approved ? insert : () => showApproval(app, command, insert)
    return { label: `/${name}`, about, icon: 'page', run }
  }

  function update(options: readonly Option[], max = maxShown): void {
    const before = choices.length
    choices = options.slice(0, max)
    if (choices.length === 0) clear()
    else draw(Math.min(active, choices.length - 1))
    if (choices.length > 0 && choices.length !== before) app.announce(countOf(choices.length))
  }

  function hide(): void {
    pages.forget()
    clear()
  }

  function clear(): void {
    choices = []
    list.hidden = true
    list.replaceChildren()
    field.removeAttribute('aria-activedescendant')
    field.removeAttribute('aria-controls')
  }

  function onKey(event: KeyboardEvent): boolean {
    if (choices.length === 0 || event.shiftKey) return false
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) draw((active + step + choices.length) % choices.length)
    else if (event.key === 'Enter' || event.key === 'Tab') pick(active)
    else if (event.key === 'Escape') hide()
    else return false
    event.preventDefault()
    event.stopPropagation()
    return true
  }

  function draw(at: number): void {
    active = at
    list.replaceChildren(...choices.map((one, at) => renderOption(one, at, active, pick)))
    list.hidden = false
    list.children[at]?.scrollIntoView({ block: 'nearest' })
    field.setAttribute('aria-controls', list.id)
    field.setAttribute('aria-activedescendant', optionId(active))
  }

  function pick(index: number): void {
    const option = choices[index]
    if (option && 'command' in option) {
      hide()
      onPick('')
      option.command.run()
      return
    }
    const query = queryBefore(field)
    const { space } = app.state.get()
    if (!option || query === null || !space) return
    const name = 'page' in option ? namePage(space.id, option.page) : `@${option.companion.name}`
    const { text, caret } = withName(field, query, name)
    hide()
    onPick(text)
    field.setSelectionRange(caret, caret)
  }
}

const commandsOf = ({ kinds, attach, startThread, chooseModel }: MentionOptions): SlashCommand[] => [
  ...[...kinds.options].map(({ text, value }) => ({
    label: text,
    icon: 'companion' as const,
    run: () => {
      kinds.value = value
    },
  })),
  { label: 'Attach files', icon: 'upload', run: attach },
  { label: 'New thread', icon: 'compose', run: startThread },
  { label: 'Choose model', icon: 'settings', run: chooseModel },
]

const renderList = (): HTMLElement =>
  el('ul', {
    class: 'mentions',
    id: 'mentions',
    role: 'listbox',
    'aria-label': 'Suggestions',
    hidden: true,
  })

const companionsFor = (query: string, { agent, companions }: Addressees): Option[] =>
  companions
    .filter(({ id, name }) => id !== agent.id && startsWith(name, query))
    .map((companion) => ({ companion }))

/** The text with a name in place of the `@` before the caret and what was written behind it. */
function withName({ value, selectionStart }: HTMLTextAreaElement, query: string, name: string) {
  const before = `${value.slice(0, selectionStart - query.length - 1)}${name} `
  return { text: before + value.slice(selectionStart).replace(/^ /, ''), caret: before.length }
}

/** Pages by title, the latest answer at hand while the next one is on its way. */
function createPageFinder({ api, state }: App) {
  let latest: { query: string; options: Option[] } | null = null
  let newest: string | null = null

  return {
    /** Pages from the last answer, if it was for this query. */
    cached: (query: string): Option[] => (latest?.query === query ? latest.options : []),
    forget(): void {
      latest = null
      newest = null
    },
    find,
  }

  async function find(query: string, onFound: (options: Option[]) => void): Promise<void> {
    const { space } = state.get()
    // A title has no space at its ends, and what goes on from words that are in no title is in none.
    const isVain = latest?.options.length === 0 && query.startsWith(latest.query)
    if (!space || /^\s|\s$/.test(query) || isVain || newest === query) return
    newest = query
    const path = withQuery(`/api/spaces/${space.id}/page-titles`, { q: query })
    const answer = await api.get<{ items: FoundPage[] }>(path).catch(() => null)
    if (!answer || newest !== query) return
    latest = { query, options: answer.items.slice(0, maxShown).map((page) => ({ page })) }
    onFound(latest.options)
  }
}

function showAsked(place: HTMLElement, guest: AgentMark | null): void {
  // Read out once, not with every key.
  if (place.dataset.asked === (guest?.id ?? '')) return
  place.dataset.asked = guest?.id ?? ''
  const name = guest && el('bdi', {}, visible(guest.name))
  place.replaceChildren(
    ...(guest ? [renderMark(guest), el('span', {}, 'Asks ', name, ' for this message')] : []),
  )
}

function renderOption(
  option: Option,
  index: number,
  active: number,
  pick: (index: number) => void,
): HTMLElement {
  return el(
    'li',
    {
      class: 'menu-item',
      id: optionId(index),
      role: 'option',
      'aria-selected': index === active,
      // Before the field loses the focus.
      onmousedown: (event: MouseEvent) => {
        event.preventDefault()
        pick(index)
      },
    },
    iconOf(option),
    el('bdi', { class: 'grow' }, visible(nameOf(option))),
    besideName(option),
  )
}

const besideName = (option: Option): HTMLElement | null => {
  if ('companion' in option) return null
  const words = 'page' in option ? option.page.above.at(-1)?.title : option.command.about
  return words ? el('span', { class: 'thread-summary' }, visible(words)) : null
}

const iconOf = (option: Option): Node => {
  if ('command' in option) return icon(option.command.icon)
  return 'page' in option ? kindIcon('page') : renderMark(option.companion)
}

const nameOf = (option: Option): string => {
  if ('command' in option) return option.command.label
  return 'page' in option ? option.page.title : option.companion.name
}

const countOf = (count: number) => (count === 1 ? '1 suggestion' : `${count} suggestions`)

const startsWith = (name: string, query: string) => name.toLowerCase().startsWith(query.toLowerCase())

/** What is written between an `@` and the caret; `null` where there is none. */
function queryBefore({ value, selectionStart, selectionEnd }: HTMLTextAreaElement): string | null {
  if (selectionStart !== selectionEnd) return null
  return /(?:^|\s)@([^@\n]{0,60})$/u.exec(value.slice(0, selectionStart))?.[1] ?? null
}

/** The word behind a `/` that begins the message; `null` where there is none, or the message goes on. */
const slashQuery = ({ value, selectionStart }: HTMLTextAreaElement): string | null =>
  selectionStart === value.length ? (/^\/([\p{L}\p{N}-]{0,60})$/u.exec(value)?.[1] ?? null) : null

const hasWord = (label: string, start: string): boolean =>
  label.split(' ').some((word) => startsWith(word, start))
