import type { List, Space } from '../../lib/contract/entities.ts'
import { spaceHref } from '../addresses.ts'
import { messageOf } from '../api.ts'
import { icon } from '../components/icon.ts'
import { type Child, el } from '../dom.ts'
import { spaceMark } from '../frame/nav.ts'
import { askForSpace, deleteSpace, restoreSpace } from '../spaces/change-space.ts'
import { defineView, type ViewContext } from '../view.ts'

type Spaces = { live: Space[]; deleted: Space[] }

/** All Spaces: go to one, make one, rename one, put one into the trash and take it out again. */
export const view = defineView<Spaces>({
  async load({ api }) {
    const [live, deleted] = await Promise.all([
      api.get<List<Space>>('/api/spaces?limit=200'),
      api.get<List<Space>>('/api/spaces?deleted=true&limit=200'),
    ])
    return { live: live.items, deleted: deleted.items }
  },
  title: () => 'Spaces',
  render: ({ live, deleted }, context) => [
    el(
      'header',
      { class: 'view-head spaces-head' },
      el('h1', {}, 'Spaces'),
      el(
        'p',
        { class: 'dim' },
        'A Space holds what belongs together. The companion of one knows nothing of the others.',
      ),
      newSpaceForm(context),
    ),
    live.length === 0 && el('p', { class: 'dim' }, 'There is no Space yet. Give the first one a name.'),
    el(
      'ul',
      { class: 'rows' },
      live.map((space) => row(space, context)),
    ),
    deleted.length > 0 && trash(deleted, context),
  ],
  affectedBy: (event) => event.type === 'space',
})

function newSpaceForm({ app }: ViewContext): HTMLElement {
  const name = el('input', {
    class: 'field',
    id: 'new-space',
    maxlength: 200,
    required: true,
    placeholder: 'Name of a new Space',
    'aria-label': 'Name of a new Space',
  })
  return el(
    'form',
    { class: 'row', onsubmit: submit },
    el('div', { class: 'grow' }, name),
    el('button', { class: 'button button-primary', type: 'submit' }, icon('plus'), 'New Space'),
  )

  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    try {
      const space = await app.api.post<Space>('/api/spaces', { name: name.value })
      await app.navigate(spaceHref(space.slug))
    } catch (error) {
      app.toast(messageOf(error), { tone: 'problem' })
    }
  }
}

function row(space: Space, { app, refresh }: ViewContext): HTMLElement {
  const { name, slug, description } = space
  return el(
    'li',
    { class: 'row-item' },
    spaceMark(name),
    el(
      'div',
      { class: 'grow' },
      el('a', { class: 'row-title', href: spaceHref(slug) }, name),
      description && el('p', { class: 'dim small space-about' }, description),
    ),
    el(
      'button',
      {
        class: 'icon-button',
        type: 'button',
        id: `edit-${space.id}`,
        'aria-label': `Rename ${name}`,
        title: 'Rename',
        onclick: () => askForSpace(app, space, refresh),
      },
      icon('edit'),
    ),
    el(
      'button',
      {
        class: 'icon-button',
        type: 'button',
        'aria-label': `Delete ${name}`,
        title: 'Delete',
        onclick: () => deleteSpace(app, space, refresh),
      },
      icon('trash'),
    ),
  )
}

function trash(spaces: Space[], { app, refresh }: ViewContext): Child {
  return el(
    'section',
    { class: 'spaces-trash', 'aria-labelledby': 'spaces-trash' },
    el('h2', { id: 'spaces-trash' }, 'In the trash'),
    el(
      'ul',
      { class: 'rows' },
      spaces.map((space) =>
        el(
          'li',
          { class: 'row-item' },
          el('span', { class: 'grow dim' }, space.name),
          el(
            'button',
            {
              class: 'button button-small',
              type: 'button',
              'aria-label': `Restore ${space.name}`,
              onclick: () => restoreSpace(app, space, refresh),
            },
            icon('restore'),
            'Restore',
          ),
        ),
      ),
    ),
  )
}
