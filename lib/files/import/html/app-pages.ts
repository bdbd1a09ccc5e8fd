// Pages that apps write as HTML, which say more of a note than an article does: its title, properties and attachments.

import { cleanLine } from '../../../core/text/clean.ts'
import { nameAsTag } from '../../../core/text/properties/tag.ts'
import { linkTo } from '../file/notebook.ts'
import { attribute, type HtmlDocument, type HtmlElement, type HtmlNode } from './node.ts'

export type AppPage = {
  title: string | null
  content: HtmlNode
  properties: Record<string, string | readonly string[] | boolean>
  /** Markdown that follows the content. */
  attached: string[]
}

/** `null` for any other page. Removes from the document what is no content. */
export const readAppPage = (document: HtmlDocument): AppPage | null =>
  readNotion(document) ?? readKeep(document)

const textOf = (node: HtmlNode | null): string => cleanLine(node?.textContent ?? '')

function readNotion(document: HtmlDocument): AppPage | null {
  const content = document.querySelector('article.page')
  const title = content && document.querySelector('article.page .page-title')
  if (!content || !title) return null
  title.remove()
  for (const icon of document.querySelectorAll('article.page .page-header-icon, article.page img.icon'))
    icon.remove()
  const properties: AppPage['properties'] = {}
  for (const row of document.querySelectorAll('article.page table.properties tr')) {
    const name = textOf(row.querySelector('th'))
    const value = name === '' ? null : notionValue(row.querySelector('td'))
    if (value !== null) properties[name] = value
  }
  document.querySelector('article.page table.properties')?.remove()
  return { title: textOf(title), content, properties, attached: [] }
}

/** `null` for what is empty. */
function notionValue(cell: HtmlElement | null): string | readonly string[] | boolean | null {
  if (!cell) return null
  const box = cell.querySelector('.checkbox')
  if (box) return attribute(box, 'class').includes('checkbox-on')
  const chosen = [...cell.querySelectorAll('.selected-value')].map(textOf).filter((each) => each !== '')
  if (chosen.length > 0) return chosen.length === 1 ? chosen[0]! : chosen
  const links = [...cell.querySelectorAll('a')].flatMap((link) => {
    const [label, href] = [textOf(link).replace(/[[\]]/g, '\\$&'), attribute(link, 'href')]
    return label === '' || href === '' ? [] : [label === href ? href : `[${label}](${href})`]
  })
  if (links.length > 0) return links.length === 1 ? links[0]! : links
  return textOf(cell) || null
}

const states = ['pinned', 'archived', 'trashed']

/** A note of Google Keep, as Takeout writes it beside its JSON. */
function readKeep(document: HtmlDocument): AppPage | null {
  const content = document.querySelector('.note .content')
  const heading = document.querySelector('.note .heading')
  if (!content || !heading) return null
  const labels = [...document.querySelectorAll('.note .label-name')].flatMap(
    (label) => nameAsTag(textOf(label)) ?? [],
  )
  const keep = states.filter((state) => document.querySelector(`.note .meta-icons .${state}`))
  const created = keepTime(textOf(heading))
  const pictures = [...document.querySelectorAll('.note .attachments img')].flatMap((picture) => {
    const source = attribute(picture, 'src')
    return source === '' ? [] : [`![](${linkTo(source)})`]
  })
  const links = [...document.querySelectorAll('.note a.annotation-link')].flatMap((link) => {
    const url = attribute(link, 'href')
    const label = textOf(link).replace(/[[\]]/g, ' ')
    return /^https?:\/\/[^\s<>()]+$/i.test(url) ? [`- [${label || url}](${url})`] : []
  })
  return {
    title: textOf(document.querySelector('.note .title')) || null,
    content,
    properties: { ...(created && { created }), tags: labels, keep },
    attached: [...pictures, ...(links.length > 0 ? [links.join('\n')] : [])],
  }
}

/** "Mar 4, 2023, 5:06:07 PM", of which nobody knows the time zone; null in other languages. */
function keepTime(heading: string): string | null {
  const written = /\w{3} \d{1,2}, \d{4}, \d{1,2}:\d\d:\d\d\s[AP]M/.exec(heading)?.[0]
  const time = written === undefined ? Number.NaN : Date.parse(`${written.replace(/\s/g, ' ')} UTC`)
  return Number.isNaN(time) ? null : new Date(time).toISOString()
}
