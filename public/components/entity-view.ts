import type { Entity, Links } from '../../lib/contract/entities.ts'
import { type KindType, kindNames, spaceHref } from '../addresses.ts'
import { el } from '../dom.ts'
import { renderMarkdown } from '../markdown.ts'
import { timeAgo } from '../time.ts'
import { defineView, type View } from '../view.ts'

type Readable = Entity & { body?: string; text?: string }

/** A view that shows the title and the text of an entity. */
export function entityView(type: KindType): View {
  const { path, many } = kindNames[type]
  return defineView<{ entity: Readable; links: Links }>({
    async load({ api, params }) {
      const at = `/api/${path}/${encodeURIComponent(params.id ?? '')}`
      const [entity, links] = await Promise.all([api.get<Readable>(at), api.get<Links>(`${at}/links`)])
      return { entity, links }
    },
    title: ({ entity }) => entity.title,
    subject: ({ entity }) => ({
      entityType: type,
      entityId: entity.id,
      title: entity.title,
      version: entity.version,
    }),
    render: ({ entity, links }, { space, now }) => [
      el(
        'header',
        { class: 'view-head' },
        el('p', { class: 'crumbs' }, el('a', { href: `${spaceHref(space!.slug)}/${path}` }, many)),
        el('h1', {}, entity.title),
        el('p', { class: 'dim' }, 'Changed ', timeAgo(entity.updated_at, now), ` by ${entity.updated_by}`),
      ),
      renderMarkdown(entity.body ?? entity.text ?? '', { slug: space!.slug, links: links.links }),
    ],
    affectedBy: (event, { entity }) => event.type === 'entity' && event.data.id === entity.id,
  })
}
