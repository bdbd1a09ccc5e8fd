import type { Space } from '../../../lib/contract/entities.ts'
import type { List } from '../../../lib/contract/list.ts'
import { quoteShown } from '../../../lib/core/text/quote-name.ts'
import { toastFailure } from '../../app/actions/toast-failure.ts'
import { messageOf } from '../../app/api/api.ts'
import type { App } from '../../app/app.ts'
import { defineView, type ViewContext } from '../../app/view.ts'
import { icon } from '../../ui/components/icon.ts'
import { spaceMark } from '../../ui/components/marks.ts'
import { type Child, el } from '../../ui/dom.ts'
import { spaceHref } from '../../ui/words/addresses.ts'
import { showSpaceDialog } from './space-dialog.ts'

type Spaces = { live: Space[]; deleted: Space[] }

/** All Spaces: open, create, edit, delete and restore one. */
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
        'A Space keeps related pages, tasks and files together. Its companion reads nothing from other Spaces.',
      ),
      newSpaceForm(context),
    ),
    live.length === 0 && el('p', { class: 'dim' }, 'No Spaces yet. Enter a name to create one.'),
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
    placeholder: 'Name of the new Space',
    'aria-label': 'Name of the new Space',
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
    spaceMark(space),
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
        'aria-label': `Edit ${name}`,
        title: 'Edit',
        onclick: () => showSpaceDialog(app, space, refresh),
      },
      icon('edit'),
    ),
    el(
      'button',
      {
        class: 'icon-button',
        type: 'button',
        id: `delete-${space.id}`,
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
    el('h2', { id: 'spaces-trash' }, 'Trash'),
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
              id: `restore-${space.id}`,
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

type Refresh = () => Promise<void>

/** Moves a Space to the trash with all its content, and offers Undo. */
async function deleteSpace(app: App, space: Space, refresh: Refresh): Promise<void> {
  try {
    await app.api.delete(`/api/spaces/${space.id}`, { version: space.version })
    const action = { label: 'Undo', run: () => restoreSpace(app, space, refresh) }
    app.toast(`Moved the Space ${quoteShown(space.name)} to trash.`, { action })
  } catch (error) {
    app.toast(messageOf(error), { tone: 'problem' })
  }
  await refresh()
}

async function restoreSpace(app: App, space: Space, refresh: Refresh): Promise<void> {
  await toastFailure(app, app.api.post(`/api/spaces/${space.id}/restore`))
  await refresh()
}
