import { quoted } from '../../ui/components/quoted.ts'
import { el } from '../../ui/dom.ts'

export type WatchLine = {
  element: HTMLElement
  thumbnail: HTMLCanvasElement
  /** What became of the last picture. */
  say(text: string): void
}

/** What is watched, above the composer, with what ends it. */
export function renderWatchLine(options: {
  space: string
  onStop: () => void
  onSave: () => void
}): WatchLine {
  const { space, onStop, onSave } = options
  const thumbnail = el('canvas', { width: 96, height: 54, role: 'img', 'aria-label': 'The watched window' })
  const state = el('p', { class: 'dim small' }, 'Not looked at yet')
  const button = (label: string, onclick: () => void) =>
    el('button', { class: 'button button-small', type: 'button', onclick }, label)
  return {
    element: el(
      'section',
      { class: 'watch-line', 'aria-label': 'Watched window' },
      thumbnail,
      el('div', { class: 'grow' }, el('p', {}, 'Watching a window for ', quoted(space)), state),
      el('div', { class: 'row' }, button('Stop watching', onStop), button('Save picture', onSave)),
    ),
    thumbnail,
    say(text) {
      state.textContent = text
    },
  }
}
