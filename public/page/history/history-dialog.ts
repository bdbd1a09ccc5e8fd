// The history of an entity in a dialog: its versions with their reasons, undo, and a comparison.

import type { EntityVersion } from '../../../lib/contract/entities.ts'
import type { List } from '../../../lib/contract/list.ts'
import { fieldLabel } from '../../../lib/core/text/properties/field-label.ts'
import { quoteShown } from '../../../lib/core/text/quote-name.ts'
import { messageOf } from '../../app/api/api.ts'
import type { App } from '../../app/app.ts'
import { showDialog } from '../../ui/components/dialog.ts'
import { el } from '../../ui/dom.ts'
import { timeAgo } from '../../ui/time.ts'
import { withQuery } from '../../ui/words/addresses.ts'
import { actorNameFirst } from '../../ui/words/names.ts'
import { comparable, renderCompare, renderReason, renderUndo } from './versions.ts'

const pageSize = 100

/** `path` is that of the entity, such as `/api/tasks/…`. */
export async function showHistory(app: App, { path, title }: { path: string; title: string }): Promise<void> {
  try {
    const first = await load(null)
    const dialog = showDialog(
      { title: `History of ${quoteShown(title)}`, name: 'history' },
      ...content(first),
    )

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
          ` ${describeVersion(version)} `,
          timeAgo(version.at, app.now()),
        ),
        renderReason(version.reason),
        renderUndo(app, version, () => dialog.close()),
      )
    }

    function older(list: HTMLElement, cursor: string): HTMLElement {
      const button = el('button', { class: 'button', type: 'button', onclick: more }, 'Show older')
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
    return app.api.get(withQuery(`${path}/history`, { limit: pageSize, cursor }))
  }
}

function describeVersion({ action, fields, undoes }: EntityVersion): string {
  const words = {
    create: 'created it',
    delete: 'deleted it',
    restore: 'restored it',
  }[action]
  const text = words ?? `changed ${fields.map((name) => fieldLabel(name).toLowerCase()).join(', ')}`
  return undoes ? `${text}, undoing an earlier change` : text
}
