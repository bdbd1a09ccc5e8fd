import { splitHidden } from '../../lib/text/hidden-characters.ts'
import { type Child, el } from '../dom.ts'

/** Text in which hidden characters are written out. For whatever an agent or a file has a say in. */
export const visible = (text: string): Child =>
  splitHidden(text).map((piece) =>
    typeof piece === 'string'
      ? piece
      : el('code', { class: 'hidden-character', title: piece.name }, piece.code),
  )
