import { defineView } from '../app/view.ts'
import { drawIcon, type IconName, icon } from '../ui/components/icon.ts'
import { type Child, el } from '../ui/dom.ts'
import { combine, type OpenSection, type Section } from './parts/section.ts'

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

type Data = { entry: Entry | null; open: OpenSection | null }

export const view = defineView<Data>({
  async load(context) {
    const asked = context.params.section ?? entries[0]!.name
    const name = Object.hasOwn(partOf, asked) ? partOf[asked] : asked
    const entry = entries.find((each) => each.name === name) ?? null
    return { entry, open: entry ? await (await entry.section()).open(context) : null }
  },
  title: ({ entry }) => (entry ? `${entry.label} · Settings` : 'Settings'),
  layout: 'wide',
  render: ({ entry, open }, context) =>
    el(
      'div',
      { class: 'settings' },
      el('h1', { class: 'visually-hidden' }, 'Settings'),
      sectionLinks(entry),
      el(
        'section',
        { class: 'settings-section', 'aria-label': entry?.label ?? 'Not found' },
        el('h2', { class: 'settings-title' }, entry?.label ?? 'Settings'),
        open ? open.render(context) : nothingHere(),
      ),
    ),
  mount(root, { open }, context) {
    root.querySelector('#find-setting')?.addEventListener('input', () => filterLinks(root), context)
    open?.mount?.(root, context)
  },
  affectedBy: (event, { open }) => open?.affectedBy?.(event) ?? false,
})

function sectionLinks(current: Entry | null): HTMLElement {
  return el(
    'nav',
    { class: 'settings-nav', 'aria-label': 'Settings' },
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

// On the same grid as those that every page has.
const paths = {
  agents:
    'M5.5 7.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM1.5 13.5c0-2.5 1.8-4 4-4s4 1.5 4 4M11 7.5a2 2 0 1 0 0-4M11.5 9.75c1.8.3 3 1.65 3 3.75',
  device: 'M2 3h12v8H2zM5.5 13.5h5M8 11v2.5',
  fingerprint:
    'M3.5 6a5 5 0 0 1 9 0M5.25 13.5C4.5 12 4.5 10.5 4.75 8.5a3.25 3.25 0 0 1 6.5 0c.1 1.5 0 3-.5 4.5M8 8.5c.1 2-.1 3.75-.75 5.5',
  folder: 'M1.75 4.5v8h12.5V5.75H8L6.25 3.5h-4.5z',
  glance:
    'M1.5 8c1.6-2.8 3.8-4.25 6.5-4.25S12.9 5.2 14.5 8c-1.6 2.8-3.8 4.25-6.5 4.25S3.1 10.8 1.5 8zM8 10a2 2 0 1 0 0-4 2 2 0 0 0 0 4z',
  info: 'M8 14.25a6.25 6.25 0 1 0 0-12.5 6.25 6.25 0 0 0 0 12.5zM8 7.25V11M8 5h.01',
  keyboard: 'M2 4h12v8H2zM4.500 6.500h.01M7 6.500h.01M9.500 6.500h.01M12 6.500h.01M5 9.500h6',
  model:
    'M4.5 4.5h7v7h-7zM6.5 4.5V2M9.5 4.5V2M6.5 14v-2.5M9.5 14v-2.5M4.5 6.5H2M4.5 9.5H2M14 6.5h-2.5M14 9.5h-2.5',
  plug: 'M5.5 2v3.5M10.5 2v3.5M3.5 5.5h9v2a4.5 4.5 0 0 1-9 0zM8 12v2.5',
  shade: 'M8 14.25a6.25 6.25 0 1 0 0-12.5 6.25 6.25 0 0 0 0 12.5zM8 1.75v12.5M10.5 3v10M12.5 4.5v7',
  trust: 'M8 1.75 13.5 4v4c0 3.25-2.25 5.25-5.5 6.25C4.75 13.25 2.5 11.25 2.5 8V4zM5.75 8l1.5 1.5 3-3',
} as const

type SectionIconName = IconName | keyof typeof paths

const sectionIcon = (name: SectionIconName): SVGSVGElement =>
  isOwn(name) ? drawIcon(paths[name]) : icon(name)

const isOwn = (name: SectionIconName): name is keyof typeof paths => name in paths
