import { syntaxTree } from '@codemirror/language'
import { type EditorState, type Extension, Prec, StateEffect, StateField } from '@codemirror/state'
import { EditorView, keymap } from '@codemirror/view'
import type { Link } from '../../../../lib/contract/entities.ts'
import type { Attachment } from '../../../../lib/contract/imports.ts'
import { targetStart } from '../../../../lib/core/text/links/label-first.ts'
import { type LinkAim, readDestination } from '../../../../lib/core/text/links/read-destination.ts'
import { normalizeName } from '../../../../lib/core/text/normalize-name.ts'
import { createLinkFinder, type LinkFinder } from '../../../ui/markdown/links.ts'

// Where the links of the text lead, for the live preview: as the server resolved them at the last save, and the files
// that were attached since.

type LinkTargets = {
  links: readonly Link[]
  files: readonly Link[]
  finder: LinkFinder
  /** Its wikilinks say the label first. */
  labelFirst: boolean
  missing: ReadonlySet<string>
}

/** The links of a text, and how they are written. */
export type WrittenLinks = { links: readonly Link[]; label_first: boolean }

export const setLinks = StateEffect.define<WrittenLinks>()

export const addFiles = StateEffect.define<readonly Attachment[]>()

const maxFiles = 200

export const targetsOf = (
  { links, label_first }: WrittenLinks,
  files: readonly Link[] = [],
): LinkTargets => ({
  links,
  files,
  finder: createLinkFinder([...files, ...links]),
  labelFirst: label_first,
  missing: new Set(links.filter(({ to_id }) => !to_id).map(({ name }) => name)),
})

export const linkTargets = StateField.define<LinkTargets>({
  create: () => targetsOf({ links: [], label_first: false }),
  update(before, { effects }) {
    let targets = before
    for (const effect of effects) {
      if (effect.is(setLinks)) targets = targetsOf(effect.value, targets.files)
      else if (effect.is(addFiles)) {
        const { links, labelFirst: label_first, files } = targets
        targets = targetsOf(
          { links, label_first },
          [...effect.value.map(toLink), ...files].slice(0, maxFiles),
        )
      }
    }
    return targets
  },
})

const toLink = ({ id, name }: Attachment): Link => ({
  form: 'wiki',
  target: name,
  name: normalizeName(name),
  label: null,
  heading: null,
  embed: true,
  to_type: 'source_doc',
  to_id: id,
  to_title: name,
  to_path: name,
})

/** The parts of a wikilink, by what stands between its brackets, and where its label begins in that. */
export function readParts(inside: string, labelFirst: boolean) {
  const bar = inside.indexOf('|')
  const [first, second] = bar < 0 ? [inside, ''] : [inside.slice(0, bar), inside.slice(bar + 1)]
  const isTurned = labelFirst && bar >= 0
  const [written, label] = isTurned ? [second, first] : [first.replace(/\\$/, ''), second]
  const start = labelFirst ? targetStart(written) : 0
  const [target = '', heading = ''] = written.slice(start).split(/#(.*)/s, 2)
  const shownFrom = isTurned ? 0 : label === '' ? start : bar + 1
  const shownTo = isTurned ? bar : label === '' ? inside.length - (bar < 0 ? 0 : 1) : inside.length
  return { target, heading, label, shownFrom, shownTo }
}

/** The address of a picture of the Space; null for any other, which is not loaded. */
export function ownImage(state: EditorState, address: string): string | null {
  if (/^\/api\/source-docs\/[0-9a-f-]{36}\/original$/.test(address)) return address
  return isImage(address) ? fileOf(state, readDestination(address)) : null
}

/** The address of a picture that a wikilink shows. */
export const namedImage = (state: EditorState, target: string): string | null =>
  isImage(target) ? fileOf(state, { form: 'wiki', target }) : null

function fileOf(state: EditorState, aim: LinkAim | null): string | null {
  const file = aim && state.field(linkTargets).finder.find(aim)
  return file?.to_type === 'source_doc' ? `/api/source-docs/${file.to_id}/original` : null
}

const isImage = (name: string) => /\.(?:png|jpe?g|gif|webp|avif|svg)$/i.test(name)

// Links of the text are followed with Ctrl (or ⌘) and a click, or with Alt+Enter at the caret; a plain click writes.

export type Follow = {
  /** To a thing of the Space. */
  entity: (type: string, id: string) => void
  /** To a page that is not there. */
  missing: (aim: LinkAim) => void
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

const wikilink = /!?\[\[([^[\]\n]*)\]\]/g

function followAt(view: EditorView, at: number, follow: Follow): boolean {
  const { state } = view
  const line = state.doc.lineAt(at)
  const match = [...line.text.matchAll(wikilink)].find(
    ({ index, 0: { length } }) => line.from + index <= at && at <= line.from + index + length,
  )
  if (match) {
    const { finder, labelFirst } = state.field(linkTargets)
    const title = readParts(match[1]!, labelFirst).target.trim()
    if (title !== '') followAim({ form: 'wiki', target: title }, finder, follow)
    return title !== ''
  }
  for (let node = syntaxTree(state).resolveInner(at, 1); ; ) {
    const url = node.name === 'URL' ? node : node.getChild('URL')
    if (url && /^(?:URL|Link|Image|Autolink)$/.test(node.name)) {
      const address = state.sliceDoc(url.from, url.to).replace(/^<(.*)>$/, '$1')
      const aim = readDestination(address)
      if (aim) followAim(aim, state.field(linkTargets).finder, follow)
      else follow.address(address)
      return true
    }
    if (!node.parent) return false
    node = node.parent
  }
}

function followAim(aim: LinkAim, finder: LinkFinder, follow: Follow): void {
  const target = finder.find(aim)
  if (target?.to_type && target.to_id) follow.entity(target.to_type, target.to_id)
  else follow.missing(aim)
}
