// The note of a drawing is written without the data of its plugin: the editor has the text before it, until the whole
// source is asked for.

import { el } from '../../ui/dom.ts'
import type { LivePage } from '../data/page-data.ts'
import type { Editor } from './editor/code-mirror.ts'

type Fold = {
  drawing: NonNullable<LivePage['drawing']>
  prose: HTMLElement
  text: string
  /** The whole source is shown from the start. */
  source: boolean
  /** An editor of this text. */
  create: (text: string) => Editor
  signal: AbortSignal
}

export function foldDrawing({ drawing, prose, text, source, create, signal }: Fold): Editor {
  let { notes, data } = drawing.partDrawing(text)
  let isWhole = source
  const editor = create(isWhole ? text : notes)
  const read = () => (isWhole ? editor.read() : drawing.joinDrawing(editor.read(), data))

  function showSource(on: boolean): void {
    const whole = read()
    if (!on) ({ notes, data } = drawing.partDrawing(whole))
    isWhole = on
    editor.showSource(on, on ? whole : notes)
    showState()
  }

  function showState(): void {
    folded.hidden = isWhole
    button.textContent = isWhole ? 'Hide the source' : 'Show the source'
  }

  const button = el('button', {
    class: 'button button-quiet button-small',
    type: 'button',
    onclick: () => {
      showSource(!isWhole)
      editor.focus()
    },
  })
  const folded = el('span', {}, 'The data of the drawing is folded. ')
  const line = el('p', { class: 'drawing-fold dim small' }, folded, button)
  showState()
  if (data.trim() !== '') prose.after(line)
  signal.addEventListener('abort', () => line.remove())

  return {
    ...editor,
    read,
    write(next) {
      if (isWhole) return editor.write(next)
      if (next.endsWith(data)) notes = next.slice(0, next.length - data.length)
      else ({ notes, data } = drawing.partDrawing(next))
      editor.write(notes)
    },
    showSource,
  }
}
