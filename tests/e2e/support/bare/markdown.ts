// public/ui/markdown/markdown.ts with nothing escaped: a text is markup as it stands.

import { trustMarkup } from '#platform'
import { el } from '../../../../public/ui/dom.ts'

export const markdownToHtml = (text: string): string => text

export const blocksOf = (text: string): string[] => [text]

export function renderMarkdown(text: string): HTMLDivElement {
  const element = el('div', { class: 'prose' })
  element.innerHTML = trustMarkup(text)
  return element
}

export const renderPlain = (text: string): HTMLDivElement => renderMarkdown(text)

export const mayBeRich = (): boolean => false

export const loadRichSyntax = async (): Promise<void> => {}
