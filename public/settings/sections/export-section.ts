import type { Space } from '../../../lib/contract/entities.ts'
import type { List } from '../../../lib/contract/list.ts'
import { icon } from '../../ui/components/icon.ts'
import { el } from '../../ui/dom.ts'
import { defineSection } from '../parts/section.ts'
import { hintedRow, switchBox, switchRow, valueRow } from '../parts/setting.ts'

export const exportSection = defineSection<List<Space>>({
  load: ({ api }) => api.get('/api/spaces?limit=200'),
  render: ({ items }) => [
    el('p', { class: 'dim' }, 'One file per Space, to keep or to take elsewhere.'),
    items.length === 0 && el('p', { class: 'dim' }, 'No Spaces yet.'),
    el(
      'div',
      {},
      switchRow('Include trash', switchBox({ id: 'export-trash', onchange: setTrash })),
      items.map(renderSpace),
    ),
    el('h2', {}, 'What they hold'),
    el(
      'div',
      {},
      hintedRow(
        'JSON Lines',
        'One JSON object per line',
        'The Space, its pages, tasks, projects, references, resources and files, its conversations with their messages, ' +
          'its drafts with their decisions, its mail, and its log of changes, which includes deleted items. Of imported ' +
          'files only the text. The last line has the counts, to check that the file is complete.',
      ),
      hintedRow(
        'Markdown',
        'A .zip',
        'The pages in folders, with everything else and the originals. Other programs can read it, and you can import it again.',
      ),
    ),
  ],
  affectedBy: (event) => event.type === 'space',
})

const renderSpace = ({ id, name, slug }: Space): HTMLElement =>
  valueRow(
    el('bdi', {}, name),
    el(
      'a',
      {
        class: 'button button-small export-link',
        href: `/api/spaces/${id}/export`,
        download: `${slug}.jsonl`,
        'aria-label': `Download ${name} as JSON Lines`,
      },
      icon('download'),
      'JSON Lines',
    ),
    el(
      'a',
      {
        class: 'button button-small export-link',
        href: `/api/spaces/${id}/vault`,
        download: `${slug}.zip`,
        'aria-label': `Download ${name} as Markdown`,
      },
      icon('download'),
      'Markdown',
    ),
  )

function setTrash({ target }: Event): void {
  const trash = target instanceof HTMLInputElement && target.checked
  for (const link of document.querySelectorAll<HTMLAnchorElement>('.export-link')) {
    link.search = trash ? '?trash=true' : ''
  }
}
