import type { KeyBinding } from '../../app/keys.ts'
import { showDialog } from '../../ui/components/dialog.ts'
import { keyCaps } from '../../ui/components/key-caps.ts'
import { el } from '../../ui/dom.ts'

/** The dialog of `?`: the keys that work now. */
export function showHelp(bindings: readonly KeyBinding[]): void {
  const groups = Map.groupBy(bindings, ({ group }) => group ?? 'This view')
  const sections = [...groups].map(([name, keys]) =>
    el(
      'section',
      { class: 'help-group' },
      el('h3', {}, name),
      el(
        'dl',
        { class: 'help-keys' },
        keys.map(({ key, label }) => el('div', {}, el('dt', {}, keyCaps(key)), el('dd', {}, label))),
      ),
    ),
  )
  showDialog({ title: 'Keyboard shortcuts', name: 'help' }, el('div', { class: 'help' }, sections))
}
