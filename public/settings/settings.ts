import { defineView } from '../app/view.ts'
import { type Child, el } from '../ui/dom.ts'
import type { OpenSection, Section } from './parts/section.ts'
import { type SectionIconName, sectionIcon } from './section-icon.ts'

/** `section` fetches it: one is shown at a time. */
type Entry = { name: string; label: string; icon: SectionIconName; section: () => Promise<Section> }

const entries: readonly Entry[] = [
  {
    name: 'agents',
    label: 'Agents',
    icon: 'agents',
    section: async () => (await import('./agents/agents-section.ts')).agentsSection,
  },
  {
    name: 'companions',
    label: 'Companions',
    icon: 'companion',
    section: async () => (await import('./companions/companions-section.ts')).companionsSection,
  },
  {
    name: 'model',
    label: 'Model',
    icon: 'model',
    section: async () => (await import('./sections/model-section.ts')).modelSection,
  },
  {
    name: 'usage',
    label: 'Usage',
    icon: 'activity',
    section: async () => (await import('./usage/usage-section.ts')).usageSection,
  },
  {
    name: 'approvals',
    label: 'Approvals',
    icon: 'check',
    section: async () => (await import('./sections/approvals-section.ts')).approvalsSection,
  },
  {
    name: 'trust',
    label: 'Trust',
    icon: 'trust',
    section: async () => (await import('./sections/trust-section.ts')).trustSection,
  },
  {
    name: 'search',
    label: 'Search',
    icon: 'search',
    section: async () => (await import('./sections/search-section.ts')).searchSection,
  },
  {
    name: 'import',
    label: 'Import',
    icon: 'upload',
    section: async () => (await import('./import/import-section.ts')).importSection,
  },
  {
    name: 'export',
    label: 'Export',
    icon: 'download',
    section: async () => (await import('./sections/export-section.ts')).exportSection,
  },
  {
    name: 'notes',
    label: 'Notes',
    icon: 'page',
    section: async () => (await import('./sections/notes-section.ts')).notesSection,
  },
  {
    name: 'appearance',
    label: 'Appearance',
    icon: 'shade',
    section: async () => (await import('./sections/appearance-section.ts')).appearanceSection,
  },
  {
    name: 'sources',
    label: 'Sources',
    icon: 'plug',
    section: async () => (await import('./sources/sources-section.ts')).sourcesSection,
  },
  {
    name: 'mail',
    label: 'Mail',
    icon: 'mail',
    section: async () => (await import('./mail/mail-section.ts')).mailSection,
  },
  {
    name: 'glance',
    label: 'Glance',
    icon: 'glance',
    section: async () => (await import('./glance/glance-section.ts')).glanceSection,
  },
  {
    name: 'secrets',
    label: 'Secrets',
    icon: 'key',
    section: async () => (await import('./sections/secrets-section.ts')).secretsSection,
  },
  {
    name: 'passkeys',
    label: 'Passkeys',
    icon: 'fingerprint',
    section: async () => (await import('./sections/passkeys-section.ts')).passkeysSection,
  },
  {
    name: 'sessions',
    label: 'Sessions',
    icon: 'device',
    section: async () => (await import('./sections/sessions-section.ts')).sessionsSection,
  },
  {
    name: 'about',
    label: 'About',
    icon: 'info',
    section: async () => (await import('./sections/about-section.ts')).aboutSection,
  },
]

type Data = { entry: Entry | null; open: OpenSection | null }

export const view = defineView<Data>({
  async load(context) {
    const name = context.params.section ?? entries[0]!.name
    const entry = entries.find((each) => each.name === name) ?? null
    return { entry, open: entry ? await (await entry.section()).open(context) : null }
  },
  title: ({ entry }) => (entry ? `${entry.label} · Settings` : 'Settings'),
  layout: 'wide',
  render: ({ entry, open }, context) =>
    el(
      'div',
      { class: 'settings' },
      el('h1', { class: 'settings-title' }, 'Settings'),
      sectionLinks(entry),
      el(
        'section',
        { class: 'settings-section', 'aria-label': entry?.label ?? 'Not found' },
        open ? [el('h2', {}, entry!.label), open.render(context)] : nothingHere(),
      ),
    ),
  mount: (root, { open }, context) => open?.mount?.(root, context),
  affectedBy: (event, { open }) => open?.affectedBy?.(event) ?? false,
})

function sectionLinks(current: Entry | null): HTMLElement {
  return el(
    'nav',
    { class: 'settings-nav', 'aria-label': 'Settings' },
    entries.map((entry) =>
      el(
        'a',
        {
          class: 'settings-link',
          href: `/settings/${entry.name}`,
          'aria-current': entry === current ? 'page' : null,
        },
        sectionIcon(entry.icon),
        entry.label,
      ),
    ),
  )
}

const nothingHere = (): Child => el('p', { class: 'dim' }, 'Section not found. Choose one from the list.')
