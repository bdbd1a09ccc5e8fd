import { el } from '../dom.ts'

/** For a text that the server could not read or compare within its limits, in the words of a card's warning. */
export const tooComplex = (what: string, instead = ''): HTMLElement =>
  el('p', { class: 'dim too-complex' }, `${what} is too complex to show in full.${instead && ` ${instead}`}`)
