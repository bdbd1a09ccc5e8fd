import type { List, Space } from '../../lib/contract/entities.ts'
import { icon } from '../components/icon.ts'
import { el } from '../dom.ts'
import { defineSection } from './section.ts'

export const exportSection = defineSection<List<Space>>({
  load: ({ api }) => api.get('/api/spaces?limit=200'),
  render: ({ items }) => [
    el(
      'p',
      {},
      'One file for each Space, in ',
      el('abbr', { title: 'One JSON object a line' }, 'JSON Lines'),
      ': a line about the Space, a line for every page, task, project, ref, resource and source document with all its ',
      'fields, for every conversation and what was said in it, every draft and its decision, every entry of the log of ',
      'changes, and at last a line with their numbers, by which you can tell that nothing is missing.',
    ),
    el(
      'p',
      { class: 'dim' },
      'Not in it: the bytes of imported originals (their text is). The log tells of deleted things too.',
    ),
    el(
      'label',
      { class: 'check-line' },
      el('input', { type: 'checkbox', id: 'export-trash', onchange: setTrash }),
      'With what is in the trash',
    ),
    el(
      'p',
      { class: 'dim' },
      'Or as Markdown: a .zip of its pages in their folders, with everything else that it holds and the originals, ',
      'which other programs read and an import brings back.',
    ),
    items.length === 0 && el('p', { class: 'dim' }, 'There is no Space yet.'),
    el(
      'ul',
      { class: 'rows' },
      items.map(({ id, name, slug }) =>
        el(
          'li',
          { class: 'row-item export-item' },
          icon('space'),
          el('span', { class: 'row-title' }, name),
          el(
            'span',
            { class: 'row' },
            el(
              'a',
              {
                class: 'button button-small export-link',
                href: `/api/spaces/${id}/export`,
                download: `${slug}.jsonl`,
                'aria-label': `Download ${name}`,
              },
              icon('download'),
              'Download',
            ),
            el(
              'a',
              {
                class: 'button button-small export-link',
                href: `/api/spaces/${id}/vault`,
                download: `${slug}.zip`,
                'aria-label': `${name} as Markdown`,
              },
              icon('download'),
              'Markdown',
            ),
          ),
        ),
      ),
    ),
  ],
  affectedBy: (event) => event.type === 'space',
})

function setTrash({ target }: Event): void {
  const trash = target instanceof HTMLInputElement && target.checked
  for (const link of document.querySelectorAll<HTMLAnchorElement>('.export-link')) {
    link.search = trash ? '?trash=true' : ''
  }
}
