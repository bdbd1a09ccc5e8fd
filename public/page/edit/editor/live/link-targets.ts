// Where the links of the text lead, for the live preview: as the server resolved them at the last save, and the files
// that were attached since.

import { type EditorState, StateEffect, StateField } from '@codemirror/state'
import type { Link } from '../../../../../lib/contract/entities.ts'
import type { Attachment } from '../../../../../lib/contract/imports.ts'
import { normalizeName } from '../../../../../lib/core/text/normalize-name.ts'
import { createLinkFinder, type LinkFinder } from '../../../../ui/markdown/links.ts'

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
  const found = state.field(linkTargets).finder.findFile(decoded(address))
  return found && isImage(address) ? `/api/source-docs/${found.to_id}/original` : null
}

const isImage = (name: string) => /\.(?:png|jpe?g|gif|webp|avif)$/i.test(name)

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
