// The result of approving a draft or a changeset. The server applies it and rolls back, so this is the real result.

import type { BrokenLink, EntityPreview, Preview } from '../../../../lib/contract/changes/pending-change.ts'
import type { TitledEntity } from '../../../../lib/contract/entities.ts'
import { splitFrontMatter } from '../../../../lib/core/text/markdown.ts'
import { fieldLabel } from '../../../../lib/core/text/properties/field-label.ts'
import { messageOf } from '../../../app/api/api.ts'
import type { App } from '../../../app/app.ts'
import { showDialog } from '../../../ui/components/dialog.ts'
import { icon, kindIcon } from '../../../ui/components/icon.ts'
import { visible } from '../../../ui/components/visible.ts'
import { type Child, el } from '../../../ui/dom.ts'
import { renderMarkdown } from '../../../ui/markdown/markdown.ts'
import { kindLabel } from '../../../ui/words/addresses.ts'
import { fieldValue } from '../../../ui/words/field-value.ts'

/** Shows the result of approving. `path`: of the API; `spaceId`: the Space of the draft. */
export async function showPreview(app: App, path: string, spaceId: string): Promise<void> {
  try {
    const preview = await app.api.get<Preview>(path)
    const slug = app.state.get().spaces.find(({ id }) => id === spaceId)?.slug ?? ''
    showDialog({ title: 'Preview', name: 'preview' }, [
      el('p', { class: 'dim small' }, 'Nothing has changed yet. This is the result after approval.'),
      renderBrokenLinks(preview.broken, 'Links that would break', 'card-warning'),
      renderBrokenLinks(preview.mended, 'Links that would work again', 'preview-mended'),
      preview.entities.map((entity) => renderEntity(entity, slug, app.now())),
    ])
  } catch (error) {
    app.toast(`Could not load the preview. ${messageOf(error)}`, { tone: 'problem' })
  }
}

function renderBrokenLinks(links: readonly BrokenLink[], title: string, name: string): Child {
  return (
    links.length > 0 &&
    el(
      'div',
      { class: name },
      icon(name === 'card-warning' ? 'warning' : 'link'),
      el(
        'div',
        {},
        `${title}: `,
        links.map(({ name, title }, index) => [
          index > 0 && ', ',
          '“',
          visible(name),
          '” in “',
          visible(title),
          '”',
        ]),
      ),
    )
  )
}

function renderEntity({ entity, ...around }: EntityPreview, slug: string, now: Date): HTMLElement {
  const { entity_type, links, backlinks, tasks, children } = around
  const gone = entity.deleted_at !== null
  const { content } = splitFrontMatter(textOf(entity.body) || textOf(entity.text))
  const missing = links.filter(({ to_id }) => to_id === null)
  return el(
    'article',
    { class: 'preview-entity', 'data-gone': gone },
    el(
      'header',
      {},
      el(
        'p',
        { class: 'dim small' },
        kindIcon(entity_type),
        kindLabel(entity_type),
        gone && ', in the trash',
      ),
      el('h3', {}, visible(textOf(entity.title))),
      el('dl', { class: 'card-fields' }, shortFields(entity, now)),
    ),
    content.trim() !== '' && renderMarkdown(content, { slug, links, labelFirst: around.label_first }),
    list('Tasks', tasks, ({ title, status }) => [
      visible(title),
      el('span', { class: 'dim' }, ` ${status.replaceAll('_', ' ')}`),
    ]),
    list('Child pages', children, ({ title }) => visible(title)),
    list('Linked from', backlinks, (link: TitledEntity) => visible(link.title)),
    list('Broken links', missing, ({ name }) => visible(name)),
  )
}

function shortFields(entity: Record<string, unknown>, now: Date): Child {
  const names = ['status', 'priority', 'due_on', 'url', 'author', 'published_on', 'kind']
  return names
    .filter((name) => entity[name] !== undefined && entity[name] !== null && entity[name] !== '')
    .map((name) =>
      el(
        'div',
        {},
        el('dt', {}, fieldLabel(name)),
        el('dd', {}, visible(fieldValue({ name, value: entity[name] }, { references: {}, now }))),
      ),
    )
}

function list<Item>(title: string, items: readonly Item[], render: (item: Item) => Child): Child {
  return (
    items.length > 0 &&
    el(
      'section',
      { class: 'preview-list' },
      el('h4', {}, title),
      el(
        'ul',
        {},
        items.map((item) => el('li', {}, render(item))),
      ),
    )
  )
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
