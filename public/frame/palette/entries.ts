import type { TitledEntity } from '../../../lib/contract/entities.ts'
import type { SearchItem } from '../../../lib/contract/space/search.ts'
import { quoteShown } from '../../../lib/core/text/quote-name.ts'
import { distanceFrom } from '../../../lib/core/text/words/edit-distance.ts'
import { composeMessage } from '../../app/actions/conversation.ts'
import { createPage } from '../../app/actions/create-page.ts'
import { startSpace } from '../../app/actions/new-space.ts'
import { openConversation } from '../../app/actions/threads.ts'
import { messageOf } from '../../app/api/api.ts'
import type { App } from '../../app/app.ts'
import { dailyHref } from '../../page/notes/daily-note.ts'
import { leaveFor } from '../../ui/address.ts'
import { type IconName, icon, kindIcon } from '../../ui/components/icon.ts'
import { keyText } from '../../ui/components/key-caps.ts'
import { markedNodes, markWords, queryWords } from '../../ui/components/snippet.ts'
import type { Child } from '../../ui/dom.ts'
import { entityHref, kindLabel, searchHref, spaceHref } from '../../ui/words/addresses.ts'

/** A line of the palette. */
export type Entry = {
  /** The same for the same thing, so that the choice stays on it. */
  key: string
  icon: Node
  title: Child
  /** Beneath the title. */
  detail?: Child
  /** At the end of the line: a kind, a Space, a key. */
  hint: string
  run(): void
}

/** Entries under a heading. */
export type Group = { name: string; entries: Entry[] }

type Titled = TitledEntity & { space_id?: string }

/** A thing by its title. */
export function titleEntry(app: App, item: Titled, query: string): Entry | null {
  const href = hrefOf(app, item)
  if (href === null) return null
  return {
    key: href,
    icon: kindIcon(item.entity_type),
    title: markedNodes(markWords(item.title, queryWords(query))),
    hint: hintOf(app, item),
    run: () => app.navigate(href),
  }
}

/** A passage; it opens scrolled into view. */
export function passageEntry(app: App, item: SearchItem, query: string): Entry | null {
  const words = queryWords(query)
  const isConversation = item.entity_type === 'conversation'
  const href = isConversation ? '' : hrefOf(app, item, item.cite)
  if (href === null) return null
  return {
    key: `${item.entity_id} ${item.ordinal}`,
    icon: kindIcon(item.entity_type),
    title: markedNodes(markWords([item.title || 'Conversation', ...item.heading_path].join(' › '), words)),
    detail: markedNodes(item.snippet),
    hint: [hintOf(app, item), item.others.length > 0 && `${item.others.length} more`]
      .filter(Boolean)
      .join(' · '),
    run: () => (isConversation ? openConversation(app, item) : app.navigate(href)),
  }
}

function hrefOf(app: App, item: Titled, cite?: string): string | null {
  const slug = app.state.get().spaces.find(({ id }) => id === item.space_id)?.slug
  return slug ? entityHref(slug, item.entity_type, item.entity_id, cite) : null
}

/** The kind, and the Space where it is another one. */
function hintOf(app: App, { space_id, entity_type }: Titled): string {
  const { space, spaces } = app.state.get()
  const other = space_id === space?.id ? null : spaces.find(({ id }) => id === space_id)?.name
  return [kindLabel(entity_type), other].filter(Boolean).join(' · ')
}

/** `words`: what people also call it. */
type Command = { label: string; icon: IconName; hint?: string; words?: string; run: () => void }

/** Whether a word of the query begins one of these, or is one of them with a typing error. */
function matchesWord(word: string, known: readonly string[]): boolean {
  if (known.some((each) => each.startsWith(word))) return true
  if (word.length < 4) return false
  const distance = distanceFrom(word, 1)
  return known.some((each) => distance(each) <= 1)
}

/** The commands that work anywhere; with a query, those that match its words. */
export function commandEntries(app: App, query: string): Entry[] {
  const words = queryWords(query)
  const fits = ({ label, words: also = '' }: Command) => {
    const known = queryWords(`${label} ${also}`)
    return words.every((word) => matchesWord(word, known))
  }
  const known = [...actions(app), ...places(app)]
  return [...known, ...keyCommands(app, known)].filter(fits).map(({ label, icon: name, hint = '', run }) => ({
    key: label,
    icon: icon(name),
    title: markedNodes(markWords(label, words)),
    hint,
    run,
  }))
}

function actions(app: App): Command[] {
  const { space } = app.state.get()
  return [
    ...(space
      ? [
          { label: 'New page', icon: 'plus' as const, run: () => createPage(app, space, null) },
          {
            label: 'New from template',
            icon: 'plus' as const,
            run: async () =>
              (await import('../../page/notes/template-dialog.ts')).newFromTemplate({ app, space }, null),
          },
          {
            label: 'Open today’s note',
            icon: 'page' as const,
            hint: 'D',
            run: () => app.navigate(dailyHref(space.slug)),
          },
          { label: 'New task', icon: 'plus' as const, run: () => startTask(app, space.slug) },
        ]
      : []),
    { label: 'New quick note', icon: 'plus', run: () => leaveFor('/capture') },
    { label: 'New Space', icon: 'plus', words: 'create workspace', run: () => startSpace(app) },
    {
      label: 'Toggle dark theme',
      icon: 'settings',
      words: 'light mode appearance night',
      run: () => toggleTheme(app),
    },
    {
      label: 'Toggle split view',
      icon: 'split',
      hint: '\\',
      words: 'beside side by side panes',
      run: () => document.querySelector<HTMLElement>('#tabs-left > .tab-act:last-child')?.click(),
    },
    {
      label: 'Show or hide companion',
      icon: 'sidebar',
      run: () => app.panels.toggleRail(!document.querySelector('.rail-body')?.checkVisibility()),
    },
  ]
}

/** What the keys of the view do, for those who look for it by its name. */
function keyCommands({ keys }: App, known: readonly Command[]): Command[] {
  const labels = new Set(known.map(({ label }) => label))
  return keys
    .list()
    .filter(({ group = '', within, when }) => keyGroups.includes(group) && !within && !when)
    .filter(({ label }) => !labels.has(label) && labels.add(label))
    .map(({ key, label, run }) => ({
      label,
      icon: 'edit' as const,
      hint: keyText(key),
      run: () => run(new KeyboardEvent('keydown')),
    }))
}

const keyGroups = ['This page', 'Task', 'Tabs', 'Companion']

function places(app: App): Command[] {
  const { space, spaces } = app.state.get()
  const go = (label: string, name: IconName, href: string, hint = '') => ({
    label,
    icon: name,
    hint,
    run: () => app.navigate(href),
  })
  const home = space && spaceHref(space.slug)
  return [
    go('Go to Today', 'clock', '/today'),
    go('Go to Inbox', 'inbox', '/inbox'),
    ...(home
      ? [
          go('Go to Home', 'home', home),
          go('Go to Tasks', 'task', `${home}/tasks`),
          go('Go to Task board', 'board', `${home}/tasks?view=board`),
          go('Go to Pages', 'page', `${home}/pages`),
          go('Go to Projects', 'project', `${home}/projects`),
          go('Go to References', 'link', `${home}/refs`),
          go('Go to Resources', 'resource', `${home}/resources`),
          go('Go to Files', 'document', `${home}/source-docs`),
          go('Go to Mail', 'mail', `${home}/mail`),
          go('Go to Trash', 'trash', `${home}/trash`),
          {
            ...go('Space settings', 'settings', `${home}/settings`),
            words: 'daily notes templates glance trust name instructions',
          },
          { ...go('Open graph', 'graph', `${home}/graph`), words: 'map network links vault connections' },
        ]
      : []),
    go('Go to Activity', 'activity', '/activity'),
    go('Go to Settings', 'settings', '/settings'),
    ...sections.map(([label, name, words]) => ({
      ...go(label, 'settings', `/settings/${name}`, 'Settings'),
      words,
    })),
    ...spaces
      .filter(({ id }) => id !== space?.id)
      .map(({ name, slug }) => go(`Switch to ${name}`, 'space', spaceHref(slug), 'Space')),
  ]
}

/** The sections of the settings by what is done there, and by other words for it. */
const sections = [
  ['Import notes', 'import', 'bring upload obsidian notion evernote vault markdown files'],
  ['Export', 'export', 'download backup save markdown'],
  ['Connect a model', 'model', 'ai llm api key anthropic openai ollama provider'],
  ['Connect an agent', 'agents', 'mcp claude program token api'],
  ['Connect a source', 'sources', 'mcp server tools'],
  ['Connect mail', 'mail', 'email imap smtp account'],
  ['Appearance', 'appearance', 'theme dark light time zone notifications'],
  ['Keyboard shortcuts', 'keyboard', 'keys hotkeys help'],
  ['Daily notes and templates', 'notes', 'journal diary settings'],
  ['Passkeys and sessions', 'passkeys', 'sign in out log password security devices'],
  ['Companions', 'companions', 'assistant agents instructions'],
  ['Approvals and trust', 'approvals', 'drafts review outside'],
  ['Glance', 'glance', 'watch nudge suggestions'],
  ['Usage', 'usage', 'cost tokens budget limit spending'],
  ['Secrets', 'secrets', 'passwords keys'],
  ['Search settings', 'search', 'index languages embeddings'],
  ['About Void', 'about', 'version update'],
] as const

/** Commands that use the query as their text. */
export function queryEntries(app: App, query: string): Entry[] {
  const { space } = app.state.get()
  const entry = (label: string, name: IconName, run: () => void): Entry => ({
    key: label,
    icon: icon(name),
    title: [label, ' “', query, '”'],
    hint: '',
    run,
  })
  return [
    entry('Search everything for', 'search', () => app.navigate(searchHref(query))),
    entry('Ask the companion', 'companion', () => composeMessage(app, query)),
    ...(space ? [entry('New task', 'task', () => addTask(app, query))] : []),
  ]
}

async function startTask(app: App, slug: string): Promise<void> {
  await app.navigate(`${spaceHref(slug)}/tasks`)
  document.querySelector<HTMLElement>('#quick-add')?.focus()
}

function toggleTheme(app: App): void {
  const { theme } = app.prefs.get()
  const dark = theme === 'system' ? matchMedia('(prefers-color-scheme: dark)').matches : theme === 'dark'
  app.prefs.set({ theme: dark ? 'light' : 'dark' })
  app.announce(dark ? 'Light theme' : 'Dark theme')
}

async function addTask(app: App, line: string): Promise<void> {
  const { space } = app.state.get()
  const { parseQuickTask } = await import('../../app/parse-quick-task.ts')
  try {
    const task = await app.api.post<{ id: string; title: string }>(
      `/api/spaces/${space!.id}/tasks`,
      parseQuickTask(line, app.now()),
    )
    const href = entityHref(space!.slug, 'task', task.id)!
    app.toast(`Added task ${quoteShown(task.title)}.`, {
      action: { label: 'Open', run: () => app.navigate(href) },
    })
  } catch (error) {
    app.toast(`Could not add task ${quoteShown(line)}. ${messageOf(error)}`, { tone: 'problem' })
  }
}
