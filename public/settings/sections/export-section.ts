import type { Space } from '../../../lib/contract/entities.ts'
import type { List } from '../../../lib/contract/list.ts'
import { icon } from '../../ui/components/icon.ts'
import { el } from '../../ui/dom.ts'
import { defineSection } from '../parts/section.ts'
import { switchBox, switchRow } from '../parts/setting.ts'

export const exportSection = defineSection<List<Space>>({
  load: ({ api }) => api.get('/api/spaces?limit=200'),
  render: ({ items }) => [
    el(
      'p',
      {},
      'One file per Space, in ',
      el('abbr', { title: 'One JSON object per line' }, 'JSON Lines'),
      ': the Space, its pages, tasks, projects, references, resources and files, its conversations with their messages, ',
      'its drafts with their decisions, its mail, and its log of changes. The last line has the counts, to check that the file is ',
      'complete.',
    ),
    el(
      'p',
      { class: 'dim' },
      'Originals of imported files are not included, only their text. The log includes deleted items.',
    ),
    switchRow('Include trash', switchBox({ id: 'export-trash', onchange: setTrash })),
    el(
      'p',
      { class: 'dim' },
      'Or as Markdown: a .zip of its pages in folders, with everything else and the originals. Other programs can read ',
      'it, and you can import it again.',
    ),
    items.length === 0 && el('p', { class: 'dim' }, 'No Spaces yet.'),
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
