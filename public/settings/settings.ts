import { defineView } from '../app/view.ts'
import { drawIcon, type IconName, icon } from '../ui/components/icon.ts'
import { type Child, el } from '../ui/dom.ts'
import type { OpenSection, Section } from './parts/section.ts'

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

// On the same grid as those that every page has.
const paths = {
  agents:
    'M5.5 7.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM1.5 13.5c0-2.5 1.8-4 4-4s4 1.5 4 4M11 7.5a2 2 0 1 0 0-4M11.5 9.75c1.8.3 3 1.65 3 3.75',
  device: 'M2 3h12v8H2zM5.5 13.5h5M8 11v2.5',
  fingerprint:
    'M3.5 6a5 5 0 0 1 9 0M5.25 13.5C4.5 12 4.5 10.5 4.75 8.5a3.25 3.25 0 0 1 6.5 0c.1 1.5 0 3-.5 4.5M8 8.5c.1 2-.1 3.75-.75 5.5',
  glance:
    'M1.5 8c1.6-2.8 3.8-4.25 6.5-4.25S12.9 5.2 14.5 8c-1.6 2.8-3.8 4.25-6.5 4.25S3.1 10.8 1.5 8zM8 10a2 2 0 1 0 0-4 2 2 0 0 0 0 4z',
  info: 'M8 14.25a6.25 6.25 0 1 0 0-12.5 6.25 6.25 0 0 0 0 12.5zM8 7.25V11M8 5h.01',
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
