// Loaded with the first answer that was thought about.

import { el } from '../../ui/dom.ts'
import type { Answer } from '../state/turn-state.ts'
import { duration } from './tool-activity.ts'

/** Shows what the model thought, folded into a line that says for how long. */
export function showThinking(slot: HTMLElement, { thinking, thinks, state }: Answer): void {
  const { text = '', duration_ms = 0 } = thinking ?? {}
  if (!slot.firstElementChild)
    slot.append(
      el(
        'details',
        { class: 'thought' },
        el('summary', { class: 'tools-line thought-line' }),
        el('div', { class: 'thought-text' }),
      ),
    )
  const took = duration(duration_ms).replace(/\.\d/, '')
  const [line, words] = slot.firstElementChild!.children
  line!.textContent = thinks && state === 'running' ? 'Thinking…' : `Thought for ${took}`
  words!.textContent = text
}
