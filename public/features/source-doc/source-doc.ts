import type { SourceDoc } from '../../../lib/contract/entities/entities.ts'
import type { Links } from '../../../lib/contract/entities/links.ts'
import { defineView } from '../../app/view.ts'
import { icon } from '../../ui/components/icon.ts'
import { el } from '../../ui/dom.ts'
import { timeAgo } from '../../ui/time.ts'
import { actorName } from '../../ui/words/actor-name.ts'
import { entityHref, spaceHref } from '../../ui/words/addresses.ts'
import { linkedList } from '../details/linked-list.ts'
import { mimeName } from './mime-name.ts'
import { mountSourceDoc } from './mount-source-doc.ts'
import { renderSides } from './sides.ts'

export type SourceDocData = { doc: SourceDoc; links: Links; held: boolean }

export const view = defineView<SourceDocData>({
  async load({ api, params }) {
    const at = `/api/source-docs/${encodeURIComponent(params.id ?? '')}`
    const [doc, links] = await Promise.all([api.get<SourceDoc>(at), api.get<Links>(`${at}/links`)])
    return { doc, links, held: false }
  },
  title: ({ doc }) => doc.title,
  layout: 'wide',
  subject: ({ doc }) => ({ entityType: 'source_doc', entityId: doc.id, title: doc.title }),
  render: ({ doc, links }, { space, now }) =>
    el(
      'article',
      { class: 'source-doc', 'aria-labelledby': 'title' },
      el(
        'p',
        { class: 'crumbs' },
        el('a', { id: 'crumb', href: `${spaceHref(space!.slug)}/source-docs` }, 'Files'),
      ),
      el(
        'header',
        { class: 'detail-head' },
        el(
          'h1',
          { class: 'detail-title', id: 'title' },
          el('button', { type: 'button', id: 'rename', title: 'Rename (r)' }, doc.title),
        ),
        el(
          'button',
          {
            class: 'icon-button',
            type: 'button',
            id: 'history',
            title: 'History (h)',
            'aria-label': 'History of this file',
          },
          icon('clock'),
        ),
        el(
          'button',
          {
            class: 'icon-button',
            type: 'button',
            id: 'delete',
            title: 'Delete',
            'aria-label': 'Delete this file',
          },
          icon('trash'),
        ),
      ),
      el(
        'p',
        { class: 'detail-meta' },
        `${mimeName(doc.mime)} · imported `,
        timeAgo(doc.created_at, now),
        ` by ${actorName(doc.created_by)} · text is read-only`,
      ),
      doc.title.toLowerCase().endsWith('.base') &&
        el(
          'p',
          {},
          el(
            'a',
            {
              class: 'button',
              id: 'open-view',
              href: `${entityHref(space!.slug, 'page_view', doc.id)}?file=1`,
            },
            icon('list'),
            'Show pages',
          ),
        ),
      renderSides(doc, { slug: space!.slug, links: links.links }),
      linkedList('Linked from', links.backlinks, space!.slug),
    ),
  mount: mountSourceDoc,
  affectedBy: (event, { doc, held }) => event.type === 'entity' && event.data.id === doc.id && !held,
  keepsItself: ({ held }) => held,
})
