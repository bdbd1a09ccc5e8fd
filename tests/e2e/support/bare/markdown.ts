// public/markdown.ts with nothing escaped: a text is markup as it stands.

import { trustMarkup } from '#platform'
import { el } from '../../../../public/dom.ts'

export const citeOpen = '\uE000'
export const citeClose = '\uE001'

export const missingTitle = 'Nothing here is called '

export const markdownToHtml = (text: string): string => text

export const blocksOf = (text: string): string[] => [text]

export function renderMarkdown(text: string): HTMLDivElement {
  const element = el('div', { class: 'prose' })
  element.innerHTML = trustMarkup(text)
  return element
}
