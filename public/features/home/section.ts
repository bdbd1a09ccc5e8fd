import { type Child, el } from '../../ui/dom.ts'

/** A section of Home: its heading, a link to all of it, its content. */
export function renderSection(
  { id, title, href, all }: { id: string; title: string; href?: string; all?: string },
  ...content: Child[]
): HTMLElement {
  return el(
    'section',
    { class: 'home-section', 'aria-labelledby': id },
    el(
      'div',
      { class: 'home-head' },
      el('h2', { id }, title),
      href && el('a', { class: 'home-all', href }, all ?? 'All'),
    ),
    content,
  )
}
