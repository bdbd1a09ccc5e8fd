import { syntaxTree } from '@codemirror/language'
import { type EditorState, type Extension, Prec, StateEffect, StateField } from '@codemirror/state'
import { EditorView, keymap } from '@codemirror/view'
import type { Link } from '../../../../lib/contract/entities.ts'
import type { Attachment } from '../../../../lib/contract/imports.ts'
import { normalizeName } from '../../../../lib/core/text/normalize-name.ts'
import { createLinkFinder, type LinkFinder } from '../../../ui/markdown/links.ts'

// Where the links of the text lead, for the live preview: as the server resolved them at the last save, and the files
// that were attached since.

type LinkTargets = {
  links: readonly Link[]
  files: readonly Link[]
  finder: LinkFinder
  missing: ReadonlySet<string>
}

export const setLinks = StateEffect.define<readonly Link[]>()

export const addFiles = StateEffect.define<readonly Attachment[]>()

const maxFiles = 200

export const targetsOf = (links: readonly Link[], files: readonly Link[] = []): LinkTargets => ({
  links,
  files,
  finder: createLinkFinder([...files, ...links]),
  missing: new Set(links.filter(({ to_id }) => !to_id).map(({ name }) => name)),
})

export const linkTargets = StateField.define<LinkTargets>({
  create: () => targetsOf([]),
  update(before, { effects }) {
    let targets = before
    for (const effect of effects) {
      if (effect.is(setLinks)) targets = targetsOf(effect.value, targets.files)
      else if (effect.is(addFiles)) {
        targets = targetsOf(targets.links, [...effect.value.map(toLink), ...targets.files].slice(0, maxFiles))
      }
    }
    return targets
  },
})

const toLink = ({ id, name }: Attachment): Link => ({
  name: normalizeName(name),
  label: null,
  heading: null,
  embed: true,
  to_type: 'source_doc',
  to_id: id,
})

/** The address of a picture of the Space; null for any other, which is not loaded. */
export function ownImage(state: EditorState, address: string): string | null {
  if (/^\/api\/source-docs\/[0-9a-f-]{36}\/original$/.test(address)) return address
  const file = state.field(linkTargets).finder.findFile(decoded(address))
  return file && isImage(address) ? `/api/source-docs/${file.to_id}/original` : null
}

const isImage = (name: string) => /\.(?:png|jpe?g|gif|webp|avif)$/i.test(name)

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

// Links of the text are followed with Ctrl (or ⌘) and a click, or with Alt+Enter at the caret; a plain click writes.

export type Follow = {
  /** To a thing of the Space. */
  entity: (type: string, id: string) => void
  /** To a page that is not there. */
  missing: (title: string) => void
  address: (url: string) => void
}

export const followLinks = (follow: Follow): Extension => [
  Prec.high(
    keymap.of([{ key: 'Alt-Enter', run: (view) => followAt(view, view.state.selection.main.head, follow) }]),
  ),
  EditorView.domEventHandlers({
    // Not at the click: by then the line shows its marks, and the link that was pressed is gone.
    mousedown(event, view) {
      if (event.button !== 0 || (!event.ctrlKey && !event.metaKey)) return false
      const at = view.posAtCoords({ x: event.clientX, y: event.clientY })
      return at !== null && followAt(view, at, follow)
    },
  }),
]

const wikilink = /!?\[\[([^[\]\n|#]*)[^[\]\n]*\]\]/g

function followAt(view: EditorView, at: number, follow: Follow): boolean {
  const { state } = view
  const line = state.doc.lineAt(at)
  const match = [...line.text.matchAll(wikilink)].find(
    ({ index, 0: { length } }) => line.from + index <= at && at <= line.from + index + length,
  )
  if (match) {
    const title = match[1]!.trim()
    const target = state.field(linkTargets).finder.find(normalizeName(title))
    if (target?.to_type && target.to_id) follow.entity(target.to_type, target.to_id)
    else if (title !== '') follow.missing(title)
    return title !== ''
  }
  for (let node = syntaxTree(state).resolveInner(at, 1); ; ) {
    const url = node.name === 'URL' ? node : node.getChild('URL')
    if (url && /^(?:URL|Link|Image|Autolink)$/.test(node.name)) {
      follow.address(state.sliceDoc(url.from, url.to))
      return true
    }
    if (!node.parent) return false
    node = node.parent
  }
}
