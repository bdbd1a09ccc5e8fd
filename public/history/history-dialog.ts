// The history of a thing that has no page of its own for it: its versions with why, the way back, and a comparison.

import type { List } from '../../lib/contract/entities.ts'
import type { EntityVersion } from '../../lib/contract/history.ts'
import { actorNameFirst } from '../actor-name.ts'
import { messageOf, withQuery } from '../api.ts'
import type { App } from '../app.ts'
import { fieldName } from '../card/words.ts'
import { showDialog } from '../components/dialog.ts'
import { el } from '../dom.ts'
import { timeAgo } from '../time.ts'
import { comparable, renderCompare } from './compare.ts'
import { renderReason, renderUndo } from './version-parts.ts'

const atOnce = 100

/** `path` is that of the thing, such as `/api/tasks/…`. */
export async function showHistory(app: App, { path, title }: { path: string; title: string }): Promise<void> {
  try {
    const first = await load(null)
    const dialog = showDialog({ title: `History of “${title}”`, name: 'history' }, ...content(first))

    function content({ items, next_cursor }: List<EntityVersion>) {
      const list = el(
        'ol',
        { class: 'versions', tabindex: -1, autofocus: true, 'aria-label': 'Versions' },
        items.map(item),
      )
      return [renderCompare(app, path, comparable(items)), list, next_cursor && older(list, next_cursor)]
    }

    function item(version: EntityVersion): HTMLElement {
      return el(
        'li',
        { class: 'version history-version' },
        el(
          'p',
          {},
          el('strong', {}, actorNameFirst(version.actor)),
          ` ${deed(version)} `,
          timeAgo(version.at, app.now()),
        ),
        renderReason(version.reason),
        renderUndo(app, version, () => dialog.close()),
      )
    }

    function older(list: HTMLElement, cursor: string): HTMLElement {
      const button = el('button', { class: 'button', type: 'button', onclick: more }, 'Show older ones')
      return button

      async function more(): Promise<void> {
        try {
          const next = await load(cursor)
          list.append(...next.items.map(item))
          button.replaceWith(...(next.next_cursor ? [older(list, next.next_cursor)] : []))
        } catch (error) {
          app.toast(messageOf(error), { tone: 'problem' })
        }
      }
    }
  } catch (error) {
    app.toast(messageOf(error), { tone: 'problem' })
  }

  function load(cursor: string | null): Promise<List<EntityVersion>> {
    return app.api.get(withQuery(`${path}/history`, { limit: atOnce, cursor }))
  }
}

function deed({ action, fields, undoes }: EntityVersion): string {
  const words = {
    create: 'made it',
    delete: 'put it in the trash',
    restore: 'took it out of the trash',
  }[action]
  const did = words ?? `changed ${fields.map((name) => fieldName(name).toLowerCase()).join(', ')}`
  return undoes ? `${did}, undoing an earlier change` : did
}
