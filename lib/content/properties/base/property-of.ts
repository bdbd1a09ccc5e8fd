import type { Expression } from './expression.ts'

/** Of the page itself, by what `.base` files call them. */
const ofFile = ['name', 'path', 'folder', 'ext', 'ctime', 'mtime', 'tags']

/** The property that an expression names, as a list of pages knows it; `null` for anything else. */
export function propertyOf(expression: Expression): string | null {
  if (expression.type === 'name')
    return ['this', 'file', 'note', 'formula'].includes(expression.name) ? null : expression.name
  if (expression.type !== 'member' || expression.of.type !== 'name') return null
  const { of, name } = expression
  if (of.name === 'note') return name
  if (of.name === 'file' && name === 'basename') return 'file.name'
  return of.name === 'file' && ofFile.includes(name) ? `file.${name}` : null
}

/** The property that a column or a sort names: `rating`, `note.rating`, `file.name`. Names there may hold any sign. */
export function namedProperty(name: string): string | null {
  if (name.startsWith('note.')) return name.slice(5) || null
  if (name.startsWith('formula.') || name === '') return null
  if (!name.startsWith('file.')) return name
  const ofPage = name === 'file.basename' ? 'name' : name.slice(5)
  return ofFile.includes(ofPage) ? `file.${ofPage}` : null
}
