import type { Space } from '../../../lib/contract/entities.ts'
import { spaceMark } from '../../ui/components/marks.ts'
import { type Child, el } from '../../ui/dom.ts'
import { spaceHref } from '../../ui/words/addresses.ts'
import { valueRow } from './setting.ts'

/** A row for each Space, which leads to the settings that are its own. */
export const spaceLinks = (spaces: readonly Space[]): HTMLElement =>
  el(
    'div',
    {},
    spaces.map((space) => valueRow(nameOf(space), el('a', { href: settingsHref(space) }, 'Open settings'))),
  )

const settingsHref = ({ slug }: Pick<Space, 'slug'>): string => `${spaceHref(slug)}/settings`

const nameOf = (space: Space): Child =>
  el('span', { class: 'space-name' }, spaceMark(space), ' ', el('bdi', {}, space.name))
