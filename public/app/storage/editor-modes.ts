// How the owner likes to write, stored on this device.

export type EditorModes = {
  /** The Markdown as it is, without the live preview. */
  source: boolean
  /** A preview beside the text. */
  beside: boolean
}

const key = 'void:editor'

export function loadEditorModes(): EditorModes {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(key) ?? '{}')
    const is = (name: string) => Object(value)[name] === true
    return { source: is('source'), beside: is('beside') }
  } catch {
    return { source: false, beside: false }
  }
}

export function saveEditorModes(change: Partial<EditorModes>): void {
  try {
    localStorage.setItem(key, JSON.stringify({ ...loadEditorModes(), ...change }))
  } catch {
    // Without storage it lasts until the editor is left.
  }
}
