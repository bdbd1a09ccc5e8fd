import { el } from '../../ui/dom.ts'

export type AnswerKind = {
  /** What goes before a message, for the kind of answer that was chosen for it. */
  take(text: string): string
}

const kinds = [
  ['', 'Answer'],
  ['quick', 'Quick research'],
  ['standard', 'Research'],
  ['deep', 'Deep research'],
] as const

/** Adds the choice of what the next message is answered with. */
export function addAnswerKind(foot: HTMLElement): AnswerKind {
  const select = el(
    'select',
    { class: 'composer-research', id: 'research', 'aria-label': 'Answer with' },
    kinds.map(([value, label]) => el('option', { value }, label)),
  )
  foot.prepend(select)
  return {
    take(text) {
      const command = select.value && !text.startsWith('/') ? `/research ${select.value} ` : ''
      select.value = ''
      return command
    },
  }
}
