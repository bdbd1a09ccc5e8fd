/** Where a view shows the text of its entity, and nothing else. */
const textSelector = '.page-main > .prose, #body > .prose, .side > .prose, .side > .as-text'

/** The text that a view shows, for asking where it came from. */
export const findText = (root: ParentNode): HTMLElement | null => root.querySelector(textSelector)
