import type { Links, SourceDoc } from '../../lib/contract/entities.ts'
import { actorName } from '../actor-name.ts'
import { spaceHref } from '../addresses.ts'
import { icon } from '../components/icon.ts'
import { linkedList } from '../details/linked-list.ts'
import { el } from '../dom.ts'
import { mimeName } from '../source-doc/mime-name.ts'
import { mountSourceDoc } from '../source-doc/mount-source-doc.ts'
import { renderSides } from '../source-doc/sides.ts'
import { timeAgo } from '../time.ts'
import { defineView } from '../view.ts'

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
        el('a', { href: `${spaceHref(space!.slug)}/source-docs` }, 'Source documents'),
      ),
      el(
        'header',
        { class: 'detail-head' },
        el(
          'h1',
          { class: 'detail-title', id: 'title' },
          el('button', { type: 'button', id: 'rename', title: 'Correct the title (r)' }, doc.title),
        ),
        el(
          'button',
          {
            class: 'icon-button',
            type: 'button',
            id: 'history',
            title: 'History (h)',
            'aria-label': 'History of this source document',
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
            'aria-label': 'Delete this source document',
          },
          icon('trash'),
        ),
      ),
      el(
        'p',
        { class: 'detail-meta' },
        `${mimeName(doc.mime)} · brought in `,
        timeAgo(doc.created_at, now),
        ` by ${actorName(doc.created_by)} · its text never changes; the title can be corrected`,
      ),
      renderSides(doc, { slug: space!.slug, links: links.links }),
      linkedList('Linked from', links.backlinks, space!.slug),
    ),
  mount: mountSourceDoc,
  affectedBy: (event, { doc, held }) => event.type === 'entity' && event.data.id === doc.id && !held,
  keepsItself: ({ held }) => held,
})
