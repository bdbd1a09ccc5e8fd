import { quoteShown } from '../../../lib/core/text/quote-name.ts'
import { splitNote } from '../../../lib/core/text/split-note.ts'
import { messageOf } from '../../app/api/api.ts'
import { renderArmedButton } from '../../ui/components/armed-button.ts'
import { el } from '../../ui/dom.ts'
import { removeWaiting, type Sent, type WaitingNote, waitingText } from './waiting-notes.ts'

type Actions = {
  onChange: () => void
  edit: (note: WaitingNote) => void
}

/** Lists the notes that wait, in the section of the page for them. */
export function renderWaiting(pending: Sent['pending'], actions: Actions): void {
  document.getElementById('waiting')!.hidden = pending.length === 0
  document.getElementById('waiting-title')!.textContent = waitingText(pending.length)
  document.getElementById('waiting-list')!.replaceChildren(...pending.map((each) => renderRow(each, actions)))
}

function renderRow({ note, problem }: Sent['pending'][number], { onChange, edit }: Actions): HTMLElement {
  const { capture, id, space } = note
  const title = 'title' in capture ? capture.title : splitNote(capture.text).title
  const remove = () => {
    removeWaiting(id)
    onChange()
  }
  const editAgain = () => {
    edit(note)
    remove()
  }
  return el(
    'li',
    { class: 'row-item capture-row' },
    el(
      'div',
      {},
      el('span', { class: 'row-title' }, title),
      el('span', { class: 'dim small' }, `To ${space.name}`),
      problem && el('p', { class: 'problem small' }, messageOf(problem)),
    ),
    el(
      'div',
      { class: 'row' },
      // One that was not refused may have arrived: it is not to be made a second time.
      problem && el('button', { class: 'button button-small', type: 'button', onclick: editAgain }, 'Edit'),
      renderArmedButton({ label: 'Discard', name: quoteShown(title), id: `discard-${id}`, press: remove }),
    ),
  )
}
