// `$formulas$` within a line, and `$$formulas$$` within one or on lines of their own.

// As Pandoc has it: no space within, and no digit behind, so that "$5 and $10" are prices; nor a letter, as in "$A/$B".
const inline = /^\$(?![\s$])((?:\\[^\n]|[^\\$\n]){1,1000})(?<!\s)\$(?!\w)/
const display = /^ {0,3}\$\$(?!\$)((?:\\[^\n]|[^\\$\n]|\\?\n(?![ \t]*\n)|\$(?!\$)){1,4000})\$\$/

/** A number with words behind it, as in "$5 or 10$". */
const isPrice = (text: string): boolean => /^\d/.test(text) && /\s\p{L}{2,}/u.test(text)

export type Formula = { raw: string; text: string; isDisplay: boolean }

/** The formula that a text begins with, after up to three spaces if it is on lines of its own. */
export function displayFormula(text: string): Formula | null {
  const match = display.exec(text)
  return match && { raw: match[0], text: match[1]!, isDisplay: true }
}

/** The formula that a text begins with. */
export function formulaAt(text: string): Formula | null {
  if (!text.startsWith('$')) return null
  const own = displayFormula(text)
  if (own) return own
  const match = inline.exec(text)
  return match && !isPrice(match[1]!) ? { raw: match[0], text: match[1]!, isDisplay: false } : null
}
