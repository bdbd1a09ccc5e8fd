import { search } from '@codemirror/search'
import { EditorState, type Extension } from '@codemirror/state'

/** Find and replace, above the text. */
export const searchPanel: Extension = [
  search({ top: true }),
  EditorState.phrases.of({
    next: 'Next',
    previous: 'Previous',
    all: 'Select all',
    'match case': 'Match case',
    regexp: 'Regular expression',
    'by word': 'Whole words',
    replace: 'Replace',
    'replace all': 'Replace all',
  }),
]
