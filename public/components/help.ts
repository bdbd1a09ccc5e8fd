import { el } from '../dom.ts'
import type { KeyBinding } from '../keys.ts'
import { showDialog } from './dialog.ts'
import { keyCaps } from './key-caps.ts'

/** The overlay behind `?`: what can be pressed here and now. */
export function showHelp(bindings: readonly KeyBinding[]): void {
  const groups = Map.groupBy(bindings, ({ group }) => group ?? 'Here')
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
  showDialog({ title: 'Keys', name: 'help' }, el('div', { class: 'help' }, sections))
}
