// What is chosen for the next message alone: what it is answered with, and how much the model thinks. Loaded once the
// rail is there.

import { thinkingLevels } from '../../../lib/contract/limits.ts'
import type { ThinkingLevel } from '../../../lib/contract/model.ts'
import { answerKindOf } from '../../features/research/answer-research.ts'
import { el } from '../../ui/dom.ts'

export type Taken = { text: string; thinking?: ThinkingLevel }

export type MessageChoices = ReturnType<typeof addMessageChoices>

/** Adds the choice of thinking behind the button of the model, and reads that of the kind of answer. */
export function addMessageChoices(kinds: HTMLSelectElement, model: HTMLElement) {
  const kind = answerKindOf(kinds)
  const usual = el('option', { value: '' })
  const select = el(
    'select',
    { class: 'composer-research', id: 'thinking', 'aria-label': 'Thinking for this message' },
    usual,
    thinkingLevels.map((level) => el('option', { value: level }, `Thinking: ${level}`)),
  )
  model.after(select)
  return {
    /** `null`: the model takes no such setting. */
    showThinking(level: ThinkingLevel | null): void {
      usual.textContent = `Thinking: ${level} (default)`
      select.hidden = level === null
    },
    /** The message with what was chosen; the next one begins with the defaults again. */
    take(text: string): Taken {
      const thinking = thinkingLevels.find((each) => each === select.value)
      select.value = ''
      return { text: kind.take(text) + text, ...(thinking ? { thinking } : {}) }
    },
  }
}
