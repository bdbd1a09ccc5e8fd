// The address of a page that a draft would make: a preview, with the draft's card. Once it is approved the page is there.

import type { Card } from '../../../lib/contract/changes/card.ts'
import type { PendingChange, PendingChangeWithCard } from '../../../lib/contract/changes/pending-change.ts'
import type { List } from '../../../lib/contract/list.ts'
import { defineView, type LoadContext, type OpenView } from '../../app/view.ts'
import { visible } from '../../ui/components/visible.ts'
import { el } from '../../ui/dom.ts'
import { renderMarkdown } from '../../ui/markdown/markdown.ts'
import { withoutTitle } from '../../ui/markdown/outline.ts'
import { withQuery } from '../../ui/words/addresses.ts'
import { renderCard } from '../card/card.ts'

type Data = { card: Card; title: string; body: string }

/** The preview of the page of that address; `null` where no draft that waits would make one. */
export async function openNewPage(context: LoadContext): Promise<OpenView | null> {
  const draft = await findDraft(context)
  return draft && (await viewOf(draft).open(context))
}

async function findDraft({ api, params, space }: LoadContext): Promise<PendingChangeWithCard | null> {
  const query = { entity_id: params.id, status: 'pending', space_id: space?.id, limit: 1 }
  // What is no id is no draft's either.
  const drafts = await api
    .get<List<PendingChange>>(withQuery('/api/pending-changes', query))
    .catch(() => null)
  const first = drafts?.items[0]
  if (first?.action !== 'create' || first.entity_type !== 'page') return null
  return await api.get<PendingChangeWithCard>(`/api/pending-changes/${first.id}?whole=true`)
}

const viewOf = ({ card, payload, entity_id }: PendingChangeWithCard) =>
  defineView<Data>({
    load: async () => ({ card, title: textOf(payload.title), body: textOf(payload.body) }),
    title: ({ title }) => `${title || 'New page'} (draft)`,
    affectedBy: ({ type, data }) =>
      (type === 'entity' && data.id === entity_id) || (type === 'change' && data.entity_id === entity_id),
    render: ({ title, body }, { app, signal, now, space }) =>
      el(
        'article',
        { class: 'page new-page', 'aria-labelledby': 'page-title' },
        el(
          'header',
          { class: 'page-head' },
          el('p', { class: 'dim' }, 'Preview of a new page. It is created when you approve the draft.'),
          el('h1', { class: 'page-title', id: 'page-title' }, visible(title)),
        ),
        renderCard(card, { app, signal, now, place: 'preview' }),
        renderMarkdown(withoutTitle(body, title), { slug: space!.slug, breaks: space!.line_breaks === true }),
      ),
    async mount(root, { body }, { app }) {
      if (!root.querySelector('.wikilink-missing')) return
      await (await import('../../app/actions/link-late.ts')).linkLate(app, root, body)
    },
  })

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')
