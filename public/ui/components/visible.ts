import { splitHidden } from '../../../lib/text/hidden-characters.ts'
import { type Child, el } from '../dom.ts'

/** Text with hidden characters written out: for everything that an agent or a file may have written. */
export const visible = (text: string): Child =>
  splitHidden(text).map((piece) =>
    typeof piece === 'string'
      ? piece
      : el('code', { class: 'hidden-character', title: piece.name }, piece.code),
  )
