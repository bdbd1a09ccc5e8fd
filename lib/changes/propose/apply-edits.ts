import { invalid } from '../../errors.ts'

import type { Edit } from './proposal.ts'

/**
 * `text` with each edit's `old_text` replaced, one after the other. Throws a 400 `AppError` that the model can mend
 * when an `old_text` does not occur in the text exactly once.
 */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  return edits.reduce((current, { old_text, new_text }, index) => {
    const first = current.indexOf(old_text)
    if (first === -1) {
      throw invalid(
        `edits[${index}]: old_text was not found in the text. Read the text again and copy it exactly, including line breaks.`,
      )
    }
    if (current.indexOf(old_text, first + 1) !== -1) {
      throw invalid(
        `edits[${index}]: old_text was found more than once in the text. Include more of the surrounding lines, so that it is unique.`,
      )
    }
    return current.slice(0, first) + new_text + current.slice(first + old_text.length)
  }, text)
}
