import { defineView, type ViewContext } from '../app/view.ts'
import { type Child, el } from '../ui/dom.ts'
import { spaceHref } from '../ui/words/addresses.ts'
import { combine, type OpenSection, type Section } from './parts/section.ts'
import { type SectionIconName, sectionIcon } from './parts/section-icons.ts'

/** `section` fetches it: one is shown at a time. `words`: what people also look for it by. */
type Entry = {
  name: string
  label: string
  icon: SectionIconName
  words: string
  section: () => Promise<Section>
}

type EntryGroup = { name: string; entries: readonly Entry[] }

const groups: readonly EntryGroup[] = [
  {
    name: 'You',
    entries: [
      {
        name: 'appearance',
        label: 'Appearance',
        icon: 'shade',
        words: 'theme dark light time zone notifications look',
        section: async () => (await import('./sections/appearance-section.ts')).appearanceSection,
      },
      {
        name: 'keyboard',
        label: 'Keyboard',
        icon: 'keyboard',
        words: 'shortcuts keys letters hotkeys',
        section: async () => (await import('./sections/keyboard-section.ts')).keyboardSection,
      },
      {
        name: 'notes',
        label: 'Notes',
        icon: 'page',
        words: 'daily note templates',
        section: async () => (await import('./sections/notes-section.ts')).notesSection,
      },
      {
        name: 'passkeys',
        label: 'Passkeys and sessions',
        icon: 'fingerprint',
        words: 'sign in sign out password browser device security',
        section: () =>
          combine([
            async () => (await import('./sections/passkeys-section.ts')).passkeysSection,
            async () => (await import('./sections/sessions-section.ts')).sessionsSection,
          ]),
      },
    ],
  },
  {
    name: 'Companion',
    entries: [
      {
        name: 'model',
        label: 'Model',
        icon: 'model',
        words: 'ai provider api key anthropic openai ollama llm connect',
        section: async () => (await import('./sections/model-section.ts')).modelSection,
      },
      {
        name: 'companions',
        label: 'Companions',
        icon: 'companion',
        words: 'assistant instructions persona thinking',
        section: async () => (await import('./companions/companions-section.ts')).companionsSection,
      },
      {
        name: 'routines',
        label: 'Routines',
        icon: 'refresh',
        words: 'schedule automation every day week tidy by itself',
        section: async () => (await import('./routines/routines-section.ts')).routinesSection,
      },
      {
        name: 'memory',
        label: 'Memory',
        icon: 'bookmark',
        words: 'remember forget never ask lines facts preferences',
        section: async () => (await import('./memory/memory-section.ts')).memorySection,
      },
      {
        name: 'approvals',
        label: 'Approvals and trust',
        icon: 'trust',
        words: 'drafts decisions practice outside content review',
        section: () =>
          combine([
            async () => (await import('./sections/approvals-section.ts')).approvalsSection,
            async () => (await import('./sections/trust-section.ts')).trustSection,
          ]),
      },
      {
        name: 'glance',
        label: 'Glance',
        icon: 'glance',
        words: 'watch window nudge suggestions',
        section: async () => (await import('./glance/glance-section.ts')).glanceSection,
      },
      {
        name: 'usage',
        label: 'Usage',
        icon: 'activity',
        words: 'cost tokens budget limit price',
        section: async () => (await import('./usage/usage-section.ts')).usageSection,
      },
    ],
  },
  {
    name: 'Connections',
    entries: [
      {
        name: 'agents',
        label: 'Agents',
        icon: 'agents',
        words: 'mcp programs api tokens connect',
        section: async () => (await import('./agents/agents-section.ts')).agentsSection,
      },
      {
        name: 'sources',
        label: 'Sources',
        icon: 'plug',
        words: 'mcp servers tools',
        section: async () => (await import('./sources/sources-section.ts')).sourcesSection,
      },
      {
        name: 'mail',
        label: 'Mail',
        icon: 'mail',
        words: 'email imap smtp account',
        section: async () => (await import('./mail/mail-section.ts')).mailSection,
      },
      {
        name: 'secrets',
        label: 'Secrets',
        icon: 'key',
        words: 'passwords keys',
        section: async () => (await import('./sections/secrets-section.ts')).secretsSection,
      },
    ],
  },
  {
    name: 'Data',
    entries: [
      {
        name: 'import',
        label: 'Import',
        icon: 'upload',
        words: 'obsidian notion vault markdown upload bring notes',
        section: async () => (await import('./import/import-section.ts')).importSection,
      },
      {
        name: 'folder',
        label: 'Connect a folder',
        icon: 'folder',
        words: 'sync obsidian vault vim editor in step review agent markdown disk',
        section: async () => (await import('./folder/folder-section.ts')).folderSection,
      },
      {
        name: 'export',
        label: 'Export',
        icon: 'download',
        words: 'download backup markdown',
        section: async () => (await import('./sections/export-section.ts')).exportSection,
      },
      {
        name: 'search',
        label: 'Search',
        icon: 'search',
        words: 'index embeddings languages meaning',
        section: async () => (await import('./sections/search-section.ts')).searchSection,
      },
      {
        name: 'about',
        label: 'About',
        icon: 'info',
        words: 'version database backup sign out',
        section: async () => (await import('./sections/about-section.ts')).aboutSection,
      },
    ],
  },
]

/** Sections that are part of another one. */
const partOf: Readonly<Record<string, string>> = { trust: 'approvals', sessions: 'passkeys' }

const entries = groups.flatMap((group) => group.entries)

/** `isList`: the address names no section; a phone then shows the list of them. */
type Data = { entry: Entry | null; open: OpenSection | null; isList: boolean }

export const view = defineView<Data>({
  async load(context) {
    const asked = context.params.section ?? entries[0]!.name
    const name = Object.hasOwn(partOf, asked) ? partOf[asked] : asked
    const entry = entries.find((each) => each.name === name) ?? null
    const isList = context.params.section === undefined
    return { entry, isList, open: entry ? await (await entry.section()).open(context) : null }
  },
  title: ({ entry }) => (entry ? `${entry.label} · Settings` : 'Settings'),
  layout: 'alone',
  render: ({ entry, open, isList }, context) =>
    el(
      'div',
      { class: 'settings', 'data-list': isList ? '' : null },
      sectionLinks(entry, context),
      el(
        'section',
        { class: 'settings-section', 'aria-label': entry?.label ?? 'Not found' },
        el(
          'div',
          {},
          // Where one thing is shown at a time, the heading of the list is out of sight.
          el('h1', { class: 'settings-up' }, el('a', { href: '/settings' }, sectionIcon('back'), 'Settings')),
          el('p', { class: 'crumbs' }, groups.find(({ entries }) => entry && entries.includes(entry))?.name),
          el('h2', { class: 'settings-title' }, entry?.label ?? 'Settings'),
        ),
        open ? open.render(context) : nothingHere(),
      ),
    ),
  mount(root, { open }, context) {
    root.querySelector('#find-setting')?.addEventListener('input', () => filterLinks(root), context)
    open?.mount?.(root, context)
  },
  affectedBy: (event, { open }) => open?.affectedBy?.(event) ?? false,
})

function sectionLinks(current: Entry | null, { space }: ViewContext): HTMLElement {
  const back = space ? `Back to ${space.name}` : 'Back'
  return el(
    'nav',
    { class: 'settings-nav', 'aria-label': 'Settings' },
    el(
      'div',
      { class: 'settings-head' },
      el(
        'a',
        {
          class: 'icon-button',
          href: space ? spaceHref(space.slug) : '/spaces',
          title: back,
          'aria-label': back,
        },
        sectionIcon('back'),
      ),
      el('h1', {}, 'Settings'),
    ),
    el('input', {
      class: 'field settings-find',
      id: 'find-setting',
      type: 'search',
      placeholder: 'Search settings',
      'aria-label': 'Search settings',
      autocomplete: 'off',
    }),
    groups.map((group) =>
      el(
        'section',
        { class: 'settings-group', 'aria-label': group.name },
        el('h2', { class: 'nav-heading' }, group.name),
        group.entries.map((entry) =>
          el(
            'a',
            {
              class: 'settings-link',
              href: `/settings/${entry.name}`,
              'data-words': `${group.name} ${entry.label} ${entry.words}`.toLowerCase(),
              'aria-current': entry === current ? 'page' : null,
            },
            sectionIcon(entry.icon),
            entry.label,
          ),
        ),
      ),
    ),
    el('p', { class: 'dim small', id: 'no-setting', role: 'status', hidden: true }, 'No settings found'),
  )
}

/** Leaves the sections that have every word that was typed, or a word that begins with it. */
function filterLinks(root: HTMLElement): void {
  const typed = root.querySelector<HTMLInputElement>('#find-setting')?.value.toLowerCase() ?? ''
  const words = typed.split(/\s+/).filter(Boolean)
  for (const link of root.querySelectorAll<HTMLElement>('.settings-link')) {
    const known = link.dataset.words?.split(' ') ?? []
    link.hidden = !words.every((word) => known.some((each) => each.startsWith(word)))
  }
  const shown = '.settings-link:not([hidden])'
  for (const group of root.querySelectorAll<HTMLElement>('.settings-group'))
    group.hidden = group.querySelector(shown) === null
  root.querySelector('#no-setting')?.toggleAttribute('hidden', root.querySelector(shown) !== null)
}

const nothingHere = (): Child => el('p', { class: 'dim' }, 'Section not found. Choose one from the list.')
