// Loaded with a drawing of Excalidraw: most pages and files are none.

import { type Child, el } from './dom.ts'

export { joinDrawing, notesOfDrawing, partDrawing } from '../../lib/core/text/drawings.ts'

/** The picture of a drawing, or why there is none. `picture`: the id of the file that holds it. */
export function renderDrawing(picture: string | undefined, title: string): Child {
  if (!picture)
    return el(
      'p',
      { class: 'notice' },
      'An Excalidraw drawing without a picture. In Obsidian, turn on auto-export in the settings of the Excalidraw plugin, and import the picture that it puts beside the drawing.',
    )
  const href = `/api/source-docs/${picture}/original`
  return el(
    'a',
    { class: 'original-image', href, target: '_blank', rel: 'noopener noreferrer', title: 'Open full size' },
    el('img', { src: href, alt: title }),
  )
}
